"""How sure people were: kept with the submission, refused outside its bounds."""

from __future__ import annotations

from typing import Any

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.submissions import checked_confidence, confidence_of
from tests.annotation.house import House
from tests.support.refusals import refused


def prepared(house: House, item: int) -> int:
    mapping_commands.label(house.ws, house.ann, item, house.units[1], "accept")
    return item


def kept(house: House, *made: int) -> dict[int, int]:
    with house.ws.reading() as session:
        return confidence_of(session, made)


def test_each_submission_keeps_what_was_said_with_it(house: House) -> None:
    item = prepared(house, house.items[0])
    first = commands.submit(house.ws, house.ann, item, 2)
    assert queue_service.open_item(house.ws, house.ann, item).confidence == 2
    commands.take_back(house.ws, house.ann, item)
    assert queue_service.open_item(house.ws, house.ann, item).confidence is None
    second = commands.submit(house.ws, house.ann, item, 5)
    assert kept(house, first, second) == {first: 2, second: 5}


def test_nothing_said_is_missing_and_not_zero(house: House) -> None:
    made = commands.submit(house.ws, house.ann, prepared(house, house.items[0]))
    assert kept(house, made, 999) == {}
    assert kept(house) == {}


def test_anything_else_is_refused_and_nothing_is_submitted(house: House) -> None:
    item = prepared(house, house.items[0])
    wrong: tuple[Any, ...] = (0, 6, -1, 3.0, "3", True, 2**70, float("nan"), [3], "x" * 10**6)
    for value in wrong:
        with refused("confidence_unknown") as caught:
            commands.submit(house.ws, house.ann, item, value)
        assert len(caught.value.what("en")) < 100
    assert queue_service.open_item(house.ws, house.ann, item).status == "draft"
    assert [checked_confidence(value) for value in (None, 1, 5)] == [None, 1, 5]
    assert kept(house, *range(100_000)) == {}
