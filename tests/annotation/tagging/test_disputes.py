"""Settling tags: one sub-factor after another, and when a case is settled."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from annotation.tagging.disputes import decide, disputes, open_dispute, queue
from annotation.tagging.tags import TagState, tags
from annotation.work.commands import DecidedMeanwhileError
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Settlement
from tests.conftest import FakeClock
from tests.projects import tagged_project
from tests.projects.project_cache import kept_project
from tests.projects.tagged_project import TagHouse
from tests.support.refusals import code_of, refused

WHY = "The court found a blade."


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TagHouse:
    ws = Workspace(tmp_path / "workspace", clock)
    return kept_project("three tagged cases", ws, lambda: _tagged(ws.folder, clock))


def _tagged(folder: Path, clock: FakeClock) -> TagHouse:
    made = tagged_project.build(folder, clock, number=3)
    blade = {"weapon": [("knife", "with a knife")]}
    tagged_project.tag(made, made.ann, 0, blade)
    tagged_project.tag(made, made.ben, 0, weapon="gun", comment="Unclear.")
    tagged_project.tag(made, made.ann, 1, motives="money+fear")
    tagged_project.tag(made, made.ben, 1, motives="fear")
    tagged_project.tag(made, made.ann, 2)
    return made


def state(house: TagHouse, at: int = 0) -> TagState:
    with house.ws.reading() as session:
        return tags(session, house.project_id)[house.cases[at]]


def test_what_is_open_stands_by_sub_factor_in_the_lawyers_order(house: TagHouse) -> None:
    found = disputes(house.ws, house.judge)
    told = [(each.sub.key, [entry.external_id for entry in each.waiting]) for each in found]
    assert told == [("weapon", ["case-1"]), ("motives", ["case-2"])]
    assert state(house).disputed == {"weapon"}
    with house.ws.reading() as session:
        assert house.cases[2] not in tags(session, house.project_id)  # one has yet to submit


def test_both_sides_and_the_judgment_are_shown(house: TagHouse) -> None:
    view = open_dispute(house.ws, house.judge, house.items[0], "weapon")
    assert [each.person for each in view.sides] == ["Ann", "Ben"]
    assert view.parts[0].options == (("knife",), ("gun",))
    [passage] = view.parts[0].evidence[0]
    assert view.question.text[passage.start : passage.end] == passage.quote == "with a knife"
    assert view.sides[1].comment == "Unclear."
    assert [each.section for each in view.question.parts] == ["facts", "claims", "sentencing"]
    (part,) = view.parts
    assert (view.left, part.stale, part.decided, view.reason) == (0, False, (), "")
    assert [sub.key for sub, _ in view.agreed] == ["motives", "insanity_claim"]


def test_a_case_is_settled_once_nothing_of_it_is_open(house: TagHouse) -> None:
    after = decide(house.ws, house.judge, house.items[0], {"weapon": ["knife"]}, WHY)
    assert after.disputed == {"blade"}
    assert after.tags["weapon"].evidence[0].quote == "with a knife"
    assert not decide(house.ws, house.judge, house.items[0], {"blade": ["short"]}, WHY).open
    assert {key: tag.how for key, tag in state(house).tags.items()} == {
        "weapon": "settled", "blade": "settled", "motives": "agreed", "insanity_claim": "agreed",
    }  # fmt: skip
    [weapon, blade, _] = disputes(house.ws, house.judge)
    assert (weapon.waiting, blade.waiting) == ((), ())
    [part] = open_dispute(house.ws, house.judge, house.items[0], "blade").parts
    assert (part.decided, part.options) == (("short",), (("short",), None))
    assert open_dispute(house.ws, house.judge, house.items[0]).reason == WHY


def test_a_later_choice_supersedes_and_takes_what_hung_on_the_first_with_it(
    house: TagHouse,
) -> None:
    for key, option in (("weapon", "knife"), ("blade", "short"), ("weapon", "none")):
        decide(house.ws, house.judge, house.items[0], {key: [option]}, WHY)
    found = state(house)
    assert found.tags["weapon"].options == ("none",)
    assert "blade" not in {*found.tags, *found.disputed}
    with house.ws.reading() as session:
        rows = [session.get_one(Settlement, number) for number in (1, 2, 3)]
        kept = [(each.supersedes_id, len(each.answers["weapon"]["evidence"])) for each in rows]
    assert kept == [(None, 1), (1, 1), (2, 0)], "passages for an option go with it"


def test_what_cannot_be_settled(house: TagHouse) -> None:
    for code, by, at, chosen, reason in (
        ("reason_missing", "judge", 0, {"weapon": ["knife"]}, " "),
        ("tag_nothing", "judge", 0, {}, WHY),
        ("factor_settled", "judge", 0, {"motives": ["money"]}, WHY),
        ("factor_settled", "judge", 0, {"blade": ["short"]}, WHY),
        ("not_complete", "judge", 2, {"weapon": ["knife"]}, WHY),
    ):
        where = house.ws, getattr(house, by), house.items[at]
        assert code_of(decide, *where, chosen, reason) == code


def test_options_are_checked_and_what_changed_meanwhile_is_refused(house: TagHouse) -> None:
    with pytest.raises(UserError):
        decide(house.ws, house.judge, house.items[0], {"weapon": ["spear"]}, WHY)
    with refused("case_changed"):
        decide(house.ws, house.judge, house.items[0], {"weapon": ["gun"]}, WHY, [99])
    assert state(house).disputed == {"weapon"}


def test_a_choice_never_takes_the_place_of_one_that_was_not_seen(house: TagHouse) -> None:
    here = house.ws, house.judge, house.items[0]
    decide(*here, {"weapon": ["knife"]}, WHY, before={})
    with pytest.raises(DecidedMeanwhileError) as caught:
        decide(*here, {"weapon": ["gun"]}, WHY, before={})
    seen = open_dispute(*here).before
    assert caught.value.now == seen == {"weapon": ("knife",), "blade": ()}
    decide(*here, {"blade": ["short"]}, WHY, before={})  # in nobody's way
    decide(*here, {"weapon": ["gun"]}, WHY, before=seen)
    assert open_dispute(*here).before == {"weapon": ("gun",)}


def test_several_sub_factors_are_decided_for_one_reason(house: TagHouse) -> None:
    tagged_project.tag(house, house.ben, 2, weapon="gun", motives="fear")
    case = house.ws, house.judge, house.items[2]
    [_, _, last] = queue(house.ws, house.judge)
    assert (last.open, last.state) == (("weapon", "motives"), "open")
    assert [each.sub.key for each in open_dispute(*case).parts] == ["weapon", "motives"]
    assert open_dispute(*case, "motives").left == 1
    after = decide(*case, {"weapon": ["gun"], "motives": ["fear"]}, WHY)
    assert not after.open
    assert queue(house.ws, house.judge)[2].state == "decided"
    with house.ws.reading() as session:
        assert len(session.exec(select(Settlement)).all()) == 1
