"""How sure people were: kept with the submission, refused outside its bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.submissions import LEAST, MOST, checked_confidence, confidence_of
from errors import UserError
from tests.annotation.house import House
from tests.support.refusals import refused


def prepared(house: House, item: int) -> int:
    mapping_commands.label(house.ws, house.ann, item, house.units[1], "accept")
    return item


def kept(house: House, *made: int) -> dict[int, int]:
    with house.ws.reading() as session:
        return confidence_of(session, made)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_what_was_said_is_kept_with_the_submission(house: House, value: int) -> None:
    made = commands.submit(house.ws, house.ann, prepared(house, house.items[0]), value)
    assert kept(house, made) == {made: value}
    assert queue_service.open_item(house.ws, house.ann, house.items[0]).confidence == value
    commands.take_back(house.ws, house.ann, house.items[0])
    assert queue_service.open_item(house.ws, house.ann, house.items[0]).confidence is None


def test_nothing_said_is_missing_and_not_zero(house: House) -> None:
    made = commands.submit(house.ws, house.ann, prepared(house, house.items[0]))
    assert kept(house, made, 999) == {}
    assert kept(house) == {}


@pytest.mark.parametrize("value", [0, 6, -1, 3.0, "3", True, 2**70, float("nan"), [3], "x" * 10**6])
def test_anything_else_is_refused_and_nothing_is_submitted(house: House, value: Any) -> None:
    item = prepared(house, house.items[0])
    with refused("confidence_unknown") as caught:
        commands.submit(house.ws, house.ann, item, value)
    assert len(caught.value.what("en")) < 100
    assert queue_service.open_item(house.ws, house.ann, item).status == "draft"


def test_each_submission_has_its_own(house: House) -> None:
    item = prepared(house, house.items[0])
    first = commands.submit(house.ws, house.ann, item, 2)
    commands.take_back(house.ws, house.ann, item)
    second = commands.submit(house.ws, house.ann, item, 5)
    assert kept(house, first, second) == {first: 2, second: 5}


def test_many_are_asked_for_at_once(house: House) -> None:
    made = commands.submit(house.ws, house.ann, prepared(house, house.items[0]), 4)
    assert kept(house, *range(made, 100_000)) == {made: 4}


def test_a_refused_submission_keeps_no_confidence(house: House) -> None:
    with pytest.raises(UserError):
        commands.submit(house.ws, house.ann, house.items[0], 3)
    assert kept(house, *range(100)) == {}


@given(st.integers())
def test_whole_numbers_within_bounds_and_no_others_are_taken(value: int) -> None:
    if LEAST <= value <= MOST:
        assert checked_confidence(value) == value
    else:
        with pytest.raises(UserError):
            checked_confidence(value)
