from __future__ import annotations

from datetime import date

import pytest

from evaluation.agreement.drift import by_dates, by_items
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.raw import RawAgreement
from evaluation.agreement.statistic import Reason
from tests.evaluation.agreement.examples import by_item

RAW = RawAgreement()


def worsening(items: int) -> Ratings:
    """Agreement on every item of the first half, on every second one after that."""
    rows = [["a", "a" if at < items / 2 or at % 2 else "b"] for at in range(items)]
    return by_item(rows, Scale.NOMINAL)


def test_each_window_has_its_own_value_n_and_interval() -> None:
    first, second = by_items(worsening(80), RAW, 40)
    assert (first.items, second.items) == (tuple(range(40)), tuple(range(40, 80)))
    assert (first.finding.figure.value, second.finding.figure.value) == (1.0, 0.5)
    assert (first.finding.figure.n, second.finding.figure.n) == (40, 40)
    assert first.finding.figure.low is None
    assert second.finding.figure.low is not None


@pytest.mark.parametrize(
    ("items", "sizes"), [(0, []), (3, [3]), (10, [10]), (14, [14]), (15, [10, 5]), (24, [10, 14])]
)
def test_what_is_left_joins_the_last_window_when_it_is_short(items: int, sizes: list[int]) -> None:
    found = by_items(worsening(items), RAW, 10, resamples=10)
    assert [len(window.items) for window in found] == sizes


def test_items_with_a_single_rating_are_in_no_window() -> None:
    ratings = by_item([["a", "a"], ["a", None], ["b", "b"]], Scale.NOMINAL)
    assert [window.items for window in by_items(ratings, RAW, 2, resamples=0)] == [(0, 2)]


def test_windows_of_dates_follow_each_other_and_empty_ones_show() -> None:
    days = {0: date(2026, 3, 2), 1: date(2026, 3, 8), 2: date(2026, 3, 16)}
    found = by_dates(worsening(4), RAW, days, 7, resamples=0)
    assert [window.items for window in found] == [(0, 1), (), (2,)]
    assert [window.start for window in found] == [
        date(2026, 3, 2), date(2026, 3, 9), date(2026, 3, 16),
    ]  # fmt: skip
    assert found[0].end == found[1].start
    assert found[1].finding.reason == Reason.NO_PAIRS
    assert by_dates(worsening(4), RAW, {}, 7) == []


def test_windows_too_small_to_mean_anything_are_refused() -> None:
    with pytest.raises(ValueError, match="two items"):
        by_items(worsening(4), RAW, 1)
    with pytest.raises(ValueError, match="one day"):
        by_dates(worsening(4), RAW, {}, 0)
