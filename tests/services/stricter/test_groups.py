"""The stricter groups of a project: what counts, what is left out, what one tag moves."""

import pytest

from annotation.forms.adjudication import settle
from annotation.guidelines.editing import new_version
from annotation.people.members import add_person
from annotation.people.roles import NotAllowedError
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.typology import starter
from construction.stricter.grouping import Grouping, Level
from construction.stricter.keys import Gap
from errors import UserError
from services.stricter.group_detail import (
    CaseMove,
    CaseSplit,
    SplitPart,
    choices,
    key_of,
    moves_of,
    splits_of,
    steps,
    what_if,
)
from services.stricter.groups import revision, stricter, tagging_models
from storage.tasks import Task
from tests.projects.stricter_project import (
    BOOK,
    FRAUD,
    INSULT,
    MODEL,
    SLUG,
    build,
    suggest_all,
    tag,
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("alike") / "ws")


@pytest.fixture
def found(house):
    return stricter(house.ws, SLUG)


def test_the_cases_most_alike_are_grouped_and_how_far_it_backed_off(house, found):
    insult = found.group(INSULT)
    assert insult.table.columns == ("place", "readers", "regret")
    assert insult.groups == ((house.cases["c1"], house.cases["c3"]),)
    assert (insult.found.depth, insult.backed_off) == (2, 1)
    assert key_of(insult, 0) == (("place", ("online",)), ("readers", ("many",)))
    assert steps(insult) == (Level(3, 0, 0), Level(2, 1, 2), Level(1, 1, 3))


def test_what_is_not_asked_of_two_cases_is_alike(house, found):
    fraud = found.group(FRAUD)
    assert fraud.groups == ((house.cases["c7"], house.cases["c8"]),)
    assert key_of(fraud, 0)[1] == ("readers", ("not_asked",))
    assert fraud.backed_off == 0


def test_a_case_that_lacks_a_tag_is_named_and_stands_in_no_group(house, found):
    insult = found.group(INSULT)
    assert insult.untagged == (house.cases["c6"],)
    assert insult.table.gaps == {house.cases["c5"]: {"regret": Gap.DISPUTED}}


def test_a_case_of_no_standard_group_is_in_none(house, found):
    assert [each.key for each in found.groups] == [FRAUD, INSULT]
    assert house.cases["c9"] in found.cases


def test_what_one_more_sub_factor_would_split(house, found):
    one, three = house.cases["c1"], house.cases["c3"]
    assert splits_of(found.group(INSULT), 0) == (
        CaseSplit(
            "regret",
            False,
            (SplitPart(("shown",), (one,)), SplitPart(("denied",), (three,))),
        ),
        CaseSplit("record", True, (SplitPart(("clean",), (one,)), SplitPart(None, (three,)))),
    )


def test_one_tag_that_would_bring_a_case_in_or_make_a_longer_group(house, found):
    one, three, four = (house.cases[name] for name in ("c1", "c3", "c4"))
    many, few, shown, denied = ("many",), ("few",), ("shown",), ("denied",)
    assert moves_of(found, found.group(INSULT)) == (
        CaseMove(four, "readers", few, many, 3, (one,), True),
        CaseMove(one, "regret", shown, denied, 3, (three,), True),
        CaseMove(three, "regret", denied, shown, 3, (one,), True),
        CaseMove(one, "readers", many, few, 3, (four,), True),
        CaseMove(three, "readers", many, few, 2, (four,), False),
    )


def test_a_tag_that_decides_what_is_asked_moves_more_than_itself(house, found):
    insult = found.group(INSULT)
    told = what_if(found, insult, house.cases["c1"], "place", ("street",))
    assert told.after == ((house.cases["c1"], house.cases["c2"]),)
    assert (told.depth_before, told.depth_after, told.gaps) == (2, 3, {})
    told = what_if(found, insult, house.cases["c2"], "place", ("online",))
    assert told.gaps == {"readers": Gap.UNANSWERED} and told.after == told.before


def test_settling_a_dispute_can_be_tried(house, found):
    told = what_if(found, found.group(INSULT), house.cases["c5"], "regret", ("shown",))
    assert told.after == ((house.cases["c2"], house.cases["c5"]),)
    assert told.depth_after == 3


def test_only_answers_of_the_codebook_can_be_tried(house, found):
    insult = found.group(INSULT)
    assert choices(found, insult, "regret") == (("shown",), ("denied",), ("not_stated",))
    with pytest.raises(UserError) as refused:
        what_if(found, insult, house.cases["c1"], "regret", ("sold",))
    assert refused.value.code == "stricter_no_answer"
    with pytest.raises(UserError) as refused:
        what_if(found, insult, house.cases["c7"], "regret", ("shown",))
    assert refused.value.code == "stricter_no_cell"


def test_a_group_without_cases_is_unknown(found):
    with pytest.raises(UserError) as refused:
        found.group("traffic.drunk_driving")
    assert refused.value.code == "stricter_group_unknown"


def test_whoever_tags_may_not_read_them(house):
    with pytest.raises(NotAllowedError):
        stricter(house.ws, SLUG, house.ann)
    assert stricter(house.ws, SLUG, house.lead).groups


def test_a_case_counts_once_all_who_should_have_tagged_it_and_the_larger_tie_is_first(tmp_path):
    house = build(tmp_path / "ws")
    eve = add_person(house.ws, SLUG, "Eve", "lawyer").id
    assert stricter(house.ws, SLUG).group(INSULT).untagged == (house.cases["c6"],)
    before = revision(house.ws, SLUG)
    assert revision(house.ws, SLUG) == before
    tag(house, eve, "c6", {"place": "street", "regret": "denied"})
    assert revision(house.ws, SLUG) != before
    insult = stricter(house.ws, SLUG).group(INSULT)
    assert insult.untagged == ()
    assert insult.found == Grouping(2, ((0, 2), (1, 4)))


def test_whatever_may_change_the_groups_changes_the_revision(tmp_path):
    house = build(tmp_path / "ws")
    seen = {revision(house.ws, SLUG)}
    new_version(house.ws, SLUG, "codebook", Task.FACTOR_TAGGING, {"mul": "# x\n" + BOOK}, "", 2)
    seen.add(revision(house.ws, SLUG))
    text = starter().replace('label: {en: "Fraud"', 'label: {en: "Frauds"', 1)
    TYPOLOGY.save(house.ws, SLUG, text, "a name", 1)
    seen.add(revision(house.ws, SLUG))
    value = {"options": ["shown"], "evidence": []}
    judge = add_person(house.ws, SLUG, "Judge", "adjudicator").id
    settle(house.ws, judge, house.items["c5"], {"regret": value}, "the text says so")
    seen.add(revision(house.ws, SLUG))
    assert len(seen) == 4
    assert stricter(house.ws, SLUG).group(INSULT).table.gaps == {}


def test_groups_from_a_models_tags_stand_beside_those_of_people(tmp_path):
    house = build(tmp_path / "ws")
    people, before = stricter(house.ws, SLUG), revision(house.ws, SLUG)
    assert tagging_models(house.ws, SLUG) == ()
    suggest_all(house)
    assert tagging_models(house.ws, SLUG) == (MODEL,)
    assert revision(house.ws, SLUG) != before
    found = stricter(house.ws, SLUG, model=MODEL)
    assert (people.model, found.model) == ("", MODEL)
    insult = found.group(INSULT)
    assert insult.groups == ((house.cases["c2"], house.cases["c4"]),)
    assert insult.table.gaps == {
        house.cases["c3"]: {"readers": Gap.STALE},
        house.cases["c5"]: {"regret": Gap.UNANSWERED},
        house.cases["c6"]: {"regret": Gap.UNANSWERED},
    }
    assert found.group(FRAUD).untagged == (house.cases["c7"], house.cases["c8"])
    assert stricter(house.ws, SLUG) == people  # nothing of it is anybody's decision


def test_a_model_that_tagged_nothing_is_unknown(house):
    with pytest.raises(UserError) as caught:
        stricter(house.ws, SLUG, model="other")
    assert caught.value.code == "stricter_model_unknown"
