"""Pace per working day, and when the work is done so; and where too little is known to say."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.batches.views import BatchView, ItemSlots
from services.overview.progress import Made, end_of, expected_by, pace_of, work_lines

FRIDAY = datetime(2026, 11, 27, 15, tzinfo=UTC)
MAPPING = "citation_mapping"


def before(days: float) -> datetime:
    return FRIDAY - timedelta(days=days)


def batch(number: int = 1, wanted: int = 8, made: int = 0, **more: Any) -> BatchView:
    about: dict[str, Any] = {"deadline": None, "closed": False, "practice": False} | more
    return BatchView(
        id=number, name=f"Round {number}", task=MAPPING, overlap=2, sequence="given",
        people=2, items=4, calibration=0, wanted=wanted, made=made, held=0, **about,
    )  # fmt: skip


def slots(number: int, made: int, batch_id: int | None = None, closed: bool = False) -> ItemSlots:
    return ItemSlots(number, MAPPING, batch_id, closed, False, 2, made)


def test_a_pace_is_over_the_working_days_of_a_week() -> None:
    times = [before(30), *(before(day) for day in (1, 2, 3, 4) for _ in range(5))]
    assert pace_of(times, FRIDAY) == (5, 4.0), "five working days, whatever the weekend"
    assert pace_of([*times, *[before(5)] * 5], FRIDAY) == (5, 5.0), "Sunday's count, too"
    assert pace_of([*times, *[before(7)] * 90], FRIDAY) == (5, 4.0), "a week ago is no more"
    assert pace_of([before(1)] * 3 + [before(0)] * 3, FRIDAY) == (2, 3.0), "the days since"
    sunday = FRIDAY + timedelta(days=2)
    weekend = [sunday] * 3 + [sunday - timedelta(days=1)] * 3
    assert pace_of(weekend, sunday) == (1, 6.0), "no working day yet counts as one"
    few_lately = [before(20)] * 90 + [before(1)] * 3
    for few in ([], [before(0)] * 90, [before(day) for day in (1, 2, 3, 4)], few_lately):
        assert pace_of(few, FRIDAY)[1] is None, "too few, or all on one day"


@pytest.mark.parametrize(
    ("left", "pace", "day"),
    [
        (0, 4.0, None),
        (5, None, None),
        (1, 4.0, date(2026, 11, 30)),  # the Monday
        (4, 4.0, date(2026, 11, 30)),
        (5, 4.0, date(2026, 12, 1)),
        (21, 4.0, date(2026, 12, 7)),
        (10**9, 0.2, None),
    ],
)
def test_the_end_is_a_working_day_after_today(
    left: int, pace: float | None, day: date | None
) -> None:
    assert end_of(left, pace, FRIDAY.date()) == day


@given(st.integers(1, 2000), st.floats(0.2, 50), st.integers(0, 400))
def test_more_work_never_ends_sooner(left: int, pace: float, shift: int) -> None:
    today = FRIDAY.date() + timedelta(days=shift)
    end, later = end_of(left, pace, today), end_of(left + 1, pace, today)
    if end is not None:
        assert today < end and end.weekday() < 5
        assert later is None or later >= end


@given(st.integers(1, 60), st.integers(1, 36).map(lambda n: n / 4), st.integers(0, 9))
def test_the_projected_end_is_by_the_deadline_if_enough_is_made_by_then(
    left: int, pace: float, ahead: int
) -> None:
    today = FRIDAY.date()
    deadline, end = today + timedelta(days=ahead), end_of(left, pace, today)
    assert end is not None
    more = expected_by(deadline, pace, today)
    assert more is not None and (more >= left) is (end <= deadline)
    assert expected_by(None, pace, today) is None and expected_by(deadline, None, today) is None
    assert expected_by(today - timedelta(days=1), pace, today) is None


def test_lines_tell_who_did_what_and_add_up() -> None:
    places = [slots(1, 3), slots(2, 2, 1), slots(3, 0, 1), slots(4, 1, 2, closed=True)]
    made = [
        *(Made(1, name, before(3), True) for name in ("Ann", "Ben", "Cy")),
        *(Made(2, name, before(2), True) for name in ("Ann", "Ben")),
        Made(4, "Ann", before(1), False),  # imported: nobody worked on it
    ]
    late = batch(1, deadline=before(1), wanted=4, made=2)
    whole, first = work_lines(places, made, [late, batch(2, closed=True)], FRIDAY)
    assert (whole.made, whole.wanted, whole.beyond) == (5, 7, 1), "closed wants nothing more"
    assert (whole.complete, whole.items, whole.lately) == (2, 4, 5)
    assert [(e.person, e.submitted, e.lately) for e in whole.people] == [
        ("Ann", 3, 2), ("Ben", 2, 2), ("Cy", 1, 1),
    ]  # fmt: skip
    assert sum(each.pace or 0 for each in whole.people) == pytest.approx(whole.pace)
    assert (first.batch, first.state, first.misses, first.end) == ("Round 1", "late", True, None)


def test_a_batch_will_be_missed_only_where_its_pace_says_so() -> None:
    places = [slots(n, 1, 1) for n in range(12)]
    made = [Made(n, "Ann", before(n % 4), True) for n in range(12)]

    def misses(days: int, said: list[Made]) -> bool:
        due = batch(deadline=FRIDAY + timedelta(days=days), wanted=24, made=12)
        return work_lines(places, said, [due], FRIDAY)[1].misses

    assert misses(4, made) and not misses(6, made), "four days at three a day: by Thursday"
    assert not misses(4, [Made(e.item_id, "Ann", before(0), True) for e in made]), "no pace"
