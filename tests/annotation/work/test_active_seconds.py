from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.mapping import commands as mapping_commands
from annotation.work import queue_service
from annotation.work.draft import IDLE_CAP, active_seconds, measure
from tests.annotation.house import House
from tests.conftest import FakeClock

START = datetime(2026, 1, 1, tzinfo=UTC)


def _at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


TWO = [(1, "open", 0), (2, "open", 10), (1, "open", 40), (1, "label", 45)]
CAP = IDLE_CAP.total_seconds()


@pytest.mark.parametrize(
    ("log", "item", "until", "spent"),
    [
        pytest.param(TWO, 1, 50, 10 + 5 + 5, id="its own time"),
        pytest.param(TWO, 2, 50, 30, id="the other's"),
        pytest.param(
            [(1, "open", 0), (1, "label", 5000)],
            1,
            5003,
            CAP + 3,
            id="a break",
        ),
        pytest.param(
            [(1, "open", 0), (1, "submit", 10), (1, "withdraw", 60)], 1, 65, 15, id="once submitted"
        ),
        pytest.param([(1, "open", 10), (1, "label", 5)], 1, 7, 2, id="a clock set back"),
    ],
)
def test_time_belongs_to_the_item_that_was_open(
    log: list[tuple[int, str, int]], item: int, until: int, spent: float
) -> None:
    assert measure([(each, kind, _at(at)) for each, kind, at in log], item, _at(until)) == spent


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 400)), max_size=20))
def test_items_share_no_more_than_the_time_that_passed(steps: list[tuple[int, int]]) -> None:
    now, log = 0, []
    for item, gap in steps:
        now += gap
        log.append((item, "label", _at(now)))
    spent = sum(measure(log, item, _at(now)) for item in (1, 2, 3))
    assert 0 <= spent <= now


def test_seconds_of_a_submission_are_measured_from_the_log(house: House, clock: FakeClock) -> None:
    first, second, _ = house.items
    queue_service.open_item(house.ws, house.ann, first)
    clock.now += timedelta(seconds=60)
    queue_service.open_item(house.ws, house.ann, second)
    clock.now += timedelta(seconds=30)
    mapping_commands.label(house.ws, house.ann, second, house.units[1], "accept")
    with house.ws.reading() as session:
        now = clock.now
        assert active_seconds(session, house.ann, first, now) == pytest.approx(60, abs=3)
        assert active_seconds(session, house.ann, second, now) == pytest.approx(30, abs=3)
        assert active_seconds(session, house.ben, first, now) == 0
