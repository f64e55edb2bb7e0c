"""What who tags may read of a case, and going through the cases with one sub-factor."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.tagging import case_views
from annotation.tagging.case_views import TagCase, next_along, own_case, progress
from annotation.work import commands
from annotation.work.queue_service import open_item
from tests.conftest import FakeClock
from tests.projects.court_cases import suggestion
from tests.projects.tagging_project import GROUPS, TaggingHouse, answer, build, value


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    return build(tmp_path / "workspace", clock)


def seen(house: TaggingHouse, who: int = 0, item: int = 0) -> TagCase:
    number = house.items[item]
    return own_case(house.ws, who or house.ann, open_item(house.ws, who or house.ann, number))


def test_a_case_is_told_with_what_applies_to_it_factor_by_factor(house: TaggingHouse) -> None:
    fraud, traffic = seen(house), seen(house, item=2)
    told = [(factor.key, [sub.key for sub in subs]) for factor, subs in fraud.asked]
    assert told == [
        ("deceit", ["deceived", "manner"]),
        ("claims", ["insanity"]),
        ("sentencing", ["settled"]),
    ]
    assert [factor.key for factor, _ in traffic.asked] == ["claims", "sentencing", "road"]
    assert fraud.case.text == house.text
    assert fraud.groups == {"fraud.fraud": {"en": "Fraud", "ko": "사기", "zh": "诈骗罪"}}
    assert traffic.groups == {GROUPS[1]: {"en": GROUPS[1], "ko": GROUPS[1]}}, "no such group"


def test_suggestions_come_one_by_one_after_answering(house: TaggingHouse) -> None:
    assert (seen(house).setting, seen(house).anything_suggested) == ("after", True)
    assert seen(house).suggestions == {}
    assert case_views.suggestions_after(house.ws, house.ann, house.items[1]) is None  # not begun
    answer(house, house.ann, house.items[0])
    after = case_views.suggestions_after(house.ws, house.ann, house.items[0])
    assert after == seen(house).suggestions
    (yes,) = seen(house).suggestions["deceived"]
    (loose,) = seen(house).suggestions["insanity"]
    assert sorted(seen(house).suggestions) == ["deceived", "insanity"]
    assert house.text[yes.start : yes.end] == yes.quote == "갚을 의사가 없었다"
    assert (loose.state, loose.quote, loose.start) == ("unquoted", "", None)
    assert seen(house, house.ben).suggestions == {}
    commands.undo(house.ws, house.ann, house.items[0])
    assert sorted(seen(house).suggestions) == ["deceived"]


@pytest.mark.parametrize(("setting", "count"), [("shown", 3), ("hidden", 0)])
def test_suggestions_are_shown_at_once_or_never(
    tmp_path: Path, clock: FakeClock, setting: str, count: int
) -> None:
    house = build(tmp_path / "workspace", clock, suggestions=setting)
    assert len(seen(house).suggestions) == count
    answer(house, house.ann, house.items[0])
    assert case_views.suggestions_after(house.ws, house.ann, house.items[0]) is None
    commands.submit(house.ws, house.ann, house.items[0])
    assert len(seen(house).suggestions) == count


def test_a_suggestion_newer_than_what_was_shown_is_not_told(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build(tmp_path / "workspace", clock, suggestions="shown")
    with house.ws.writing() as session:
        for model in ("little-model", "other-model"):
            session.add(suggestion(house.cases[0], "deceived", ["no"], clock(), model=model))
    assert [each.options for each in seen(house).suggestions["deceived"]] == [("yes",)]


def test_how_often_options_were_given_is_counted_of_the_persons_own_alone(
    house: TaggingHouse,
) -> None:
    for who, option in ((house.ann, "manner_12"), (house.ben, "manner_01")):
        said = [("deceived", value("yes")), ("manner", value(option))]
        answer(house, who, house.items[1], [*said, ("insanity", value("not_mentioned"))])
        commands.submit(house.ws, who, house.items[1])
    assert seen(house).counts == {"manner": {"manner_12": 1}}
    assert seen(house, house.ben).counts == {"manner": {"manner_01": 1}}


def test_progress_is_told_by_sub_factor(house: TaggingHouse) -> None:
    answer(house, house.ann, house.items[0], [("deceived", value("yes"))])
    answer(house, house.ben, house.items[0])
    told = [(each.sub.key, each.done, each.asked) for each in progress(house.ws, house.ann)]
    assert told == [
        ("deceived", 1, 2),
        ("manner", 0, 1),
        ("insanity", 0, 3),
        ("settled", 0, 3),
        ("drunk", 0, 1),
    ]


def test_one_sub_factor_goes_through_the_cases_that_ask_it(house: TaggingHouse) -> None:
    first, second, third = house.items
    where = house.ws, house.ann
    assert next_along(*where, first, "insanity", 1) == second
    assert next_along(*where, first, "deceived", 1) == second
    assert next_along(*where, second, "deceived", 1) == first  # going round
    assert next_along(*where, first, "drunk", 1) == third
    assert next_along(*where, first, "manner", 1) is None
    answer(house, house.ann, second)
    assert next_along(*where, first, "insanity", 1) == third
    assert next_along(*where, third, "insanity", -1) == second  # answered, to look again
    assert next_along(*where, first, "no_such", 1) is None
    assert next_along(*where, 99, "insanity", 1) == first
