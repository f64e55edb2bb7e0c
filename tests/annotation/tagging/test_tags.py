"""Tags of court cases, derived from what people gave, agreed on or settled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.tagging.codebook import book_of
from annotation.tagging.form import asking_of
from annotation.tagging.tags import (
    Evidence,
    How,
    Tag,
    TagState,
    joined_by,
    shown_when_resubmitted,
    tag_state,
    tagged,
)
from annotation.work import commands
from annotation.work.submissions import complete
from annotation.work.versioned_texts import TYPOLOGY
from construction.tagging.codebook import NOT_STATED, Codebook, Factor, Option, SubFactor
from services.tagging.items import make_items
from storage.projects import find_project
from storage.subjects import shown_items
from storage.tables.core import Item
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.services.cases.grouped_cases import INSULT, SLUG, Grouped, bring_in, build

GROUPS = ("violence.injury",)


def sub(key: str, *options: str, **more: Any) -> SubFactor:
    listed = tuple(Option(each, {"en": each}, {"en": ""}) for each in options)
    return SubFactor(key, {"en": key}, {"en": ""}, listed, **more)


SUBS = (
    sub("weapon", "none", "knife", "gun"),
    sub("blade", "short", "long", when={"weapon": ("knife",)}),
    sub("motives", "money", "fear", "revenge", exclusive=False),
    sub("remark", "yes", "no", required=False),
)
BOOK = Codebook(
    (Factor("violence", {"en": ""}, {"en": ""}, ("violence",), SUBS),),
    tuple(each.key for each in SUBS),
)


def says(**fields: str) -> Mapping[str, Any]:
    """Return a submission; options are joined by +."""
    return {key: {"options": value.split("+"), "evidence": []} for key, value in fields.items()}


def state(*said: Mapping[str, Any], settled: Mapping[str, Any] | None = None) -> TagState:
    return tag_state(BOOK, GROUPS, said, settled)


ANN = says(weapon="knife", blade="short", motives="fear+money")


def test_what_all_say_is_agreed_in_the_codebooks_order() -> None:
    found = state(ANN, ANN)
    assert found.tags["motives"] == Tag(("money", "fear"), How.AGREED)
    assert not found.open
    assert {tag.how for tag in state(ANN).tags.values()} == {How.SINGLE}
    found = state({**ANN, **says(remark="yes")}, ANN, settled=ANN)
    assert (found.tags["weapon"].how, found.tags["remark"].how) == (How.AGREED, How.SINGLE)


def test_what_differs_is_disputed_and_what_hangs_on_it_waits() -> None:
    found = state(ANN, says(weapon="gun", motives="money+fear"))
    assert found.disputed == {"weapon"}
    assert found.tags.keys() == {"motives"}


def test_a_settlement_decides_and_opens_what_hangs_on_it() -> None:
    said = ANN, says(weapon="gun", motives="money+fear")
    gun = state(*said, settled=says(weapon="gun"))
    assert gun.tags["weapon"] == Tag(("gun",), How.SETTLED)
    assert not gun.open
    assert "blade" not in gun.tags
    knife = state(*said, settled=says(weapon="knife"))
    assert knife.disputed == {"blade"}  # of two people one was asked
    nobody = says(weapon="gun", motives="fear"), says(weapon="none", motives="fear")
    assert state(*nobody, settled=says(weapon="knife")).disputed == {"blade"}
    done = state(*said, settled=says(weapon="knife", blade="long"))
    assert done.tags["blade"] == Tag(("long",), How.SETTLED)


def test_an_option_that_is_gone_is_stale_until_settled() -> None:
    said = {**ANN, **says(weapon="spear")}
    found = state(said, said)
    assert set(found.stale) == {"weapon"}
    assert "weapon" not in found.tags
    assert not state(said, said, settled=says(weapon="gun")).stale


def test_what_nobody_answered_is_missing_and_a_claim_is_never_unstated() -> None:
    found = state(says(motives=NOT_STATED))
    assert found.missing == {"weapon"}
    claims = Codebook((Factor("c", {}, {}, ("*",), (sub("claim", "a", claim=True),)),), ("claim",))
    assert tag_state(claims, GROUPS, [says(claim=NOT_STATED)]).stale == {"claim"}


def test_evidence_of_everybody_stands_with_the_options_that_stand() -> None:
    knife = {"option": "knife", "start": 3, "end": 8, "quote": "knife"}
    late, short = knife | {"start": 9, "end": 10}, knife | {"end": 5}
    gun = {"option": "gun", "start": 0, "end": 3, "quote": "gun"}
    a = {"weapon": {"options": ["knife"], "evidence": [late, knife]}}
    b = {"weapon": {"options": ["gun"], "evidence": [gun]}}
    settled = {"weapon": {"options": ["knife"], "evidence": [knife, short]}}
    found = tag_state(BOOK, GROUPS, [a, b], settled)
    places = [(each.start, each.end) for each in found.tags["weapon"].evidence]
    assert places == [(3, 5), (3, 8), (9, 10)]
    assert found.tags["weapon"].evidence[1] == Evidence("knife", 3, 8, "knife")


def test_what_a_recalled_discussion_was_about_stays_in_dispute_until_it_is_settled() -> None:
    held = frozenset({"motives"})
    assert tag_state(BOOK, GROUPS, [ANN, ANN], None, held).disputed == held
    settled = tag_state(BOOK, GROUPS, [ANN, ANN], says(motives="fear"), held)
    assert settled.tags["motives"] == Tag(("fear",), How.SETTLED) and not settled.open


@pytest.mark.parametrize("groups", [(), ("property.theft",)])
def test_what_is_out_of_scope_has_no_tag(groups: tuple[str, ...]) -> None:
    assert tag_state(BOOK, groups, [ANN]) == TagState()


SPOKEN = st.fixed_dictionaries(
    {},
    optional={
        "weapon": st.sampled_from(["none", "knife", "gun", "spear", NOT_STATED]),
        "blade": st.sampled_from(["short", "long"]),
        "motives": st.sampled_from(["money", "fear", "money+fear"]),
        "remark": st.sampled_from(["yes", "no"]),
    },
)


@given(st.lists(SPOKEN, max_size=3), SPOKEN)
def test_a_sub_factor_has_a_tag_or_one_reason_why_not(
    said: list[dict[str, str]], settled: dict[str, str]
) -> None:
    found = state(*(says(**each) for each in said), settled=says(**settled))
    parts = [set(found.tags), found.disputed, found.stale, found.missing]
    assert sum(len(part) for part in parts) == len(set().union(*parts))
    again = state(*(says(**each) for each in reversed(said)), settled=says(**settled))
    assert again == found  # nobody's answer counts for more because it came first


NEW = "honour.libel"
ONE_MORE = SMALL.replace(
    "- key: sexual\n",
    "  - key: libel\n    label: {en: Libel, ko: 무고}\n- key: sexual\n",
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    made = build(tmp_path / "workspace", clock)
    bring_in(made.ws, SLUG, [("2022-1", "", ("모욕", "무고"), ())])
    return made


def tag(house: Grouped, person: int, item: int) -> None:
    """Answer what is asked of the item now and is not answered yet, and submit it."""
    with house.ws.reading() as session:
        asked = asking_of(session, session.get_one(Item, item)).applicable({})
    for key, sub in asked.items():
        option = "not_mentioned" if sub.claim else "not_stated"
        value = {"options": [option], "evidence": []}
        form_commands.answer(house.ws, person, item, key, value)
    commands.submit(house.ws, person, item)


def item_of(house: Grouped, name: str) -> int:
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        return next(
            e.item_id
            for e in shown_items(session, project, Task.FACTOR_TAGGING)
            if e.external_id == name
        )


def groups(house: Grouped, item: int) -> tuple[str, ...]:
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        book, _ = book_of(session, project)
        (case,) = tagged(session, project, book, item)
        return case.groups


@pytest.mark.parametrize("both", [False, True])
def test_who_has_submitted_is_told_until_they_have_answered_the_rest(
    house: Grouped, both: bool
) -> None:
    make_items(house.ws, SLUG)
    item, ann = item_of(house, "2022-1"), house.annotator
    other = item_of(house, "2021-3")
    ben = add_person(house.ws, SLUG, "Ben", "annotator").id
    tag(house, ann, item)
    tag(house, ann, other)
    if both:
        tag(house, ben, item)
    TYPOLOGY.save(house.ws, SLUG, ONE_MORE, "one more", 2, house.researcher)
    assert joined_by(house.ws, ann) == [], "not before the items show it"
    make_items(house.ws, SLUG)
    (told,) = joined_by(house.ws, ann)
    assert (told.external_id, told.groups) == ("2022-1", (NEW,))
    assert len(joined_by(house.ws, ben)) == both
    if both:
        assert groups(house, item) == (INSULT,), "what was agreed stands as it is"
        return
    commands.take_back(house.ws, ann, item)
    assert joined_by(house.ws, ann) == []
    tag(house, ann, item)
    assert joined_by(house.ws, ann) == []
    tag(house, ben, item)
    assert set(groups(house, item)) == {INSULT, NEW}
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        said = complete(session, project, Task.FACTOR_TAGGING, item)[item]
        (anew,) = shown_when_resubmitted(session, said).values()
    assert anew["groups"] == [INSULT, NEW], "all that was asked when it was made anew"
    assert check(house.ws, SLUG) == []


def test_a_case_that_only_left_a_group_tells_nobody(house: Grouped) -> None:
    make_items(house.ws, SLUG)
    item = item_of(house, "2021-2")
    tag(house, house.annotator, item)
    fewer = SMALL.replace("  - key: insult\n    label: {en: Insult, ko: 모욕}\n", "")
    TYPOLOGY.save(house.ws, SLUG, fewer, "fewer", 2, house.researcher)
    make_items(house.ws, SLUG)
    assert joined_by(house.ws, house.annotator) == []
