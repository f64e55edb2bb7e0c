from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.calibration import calibration, wilson
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.statistic import Reason


def test_each_rater_is_right_on_a_share_of_the_known_items_they_rated() -> None:
    ratings = Ratings.of(
        [
            ("q1", "Kim", "a"), ("q2", "Kim", "b"), ("q3", "Kim", "b"), ("q4", "Kim", "b"),
            ("q1", "Lee", "b"), ("q9", "Park", "a"),
        ],
        Scale.NOMINAL,
    )  # fmt: skip
    kim, lee, park = calibration(ratings, {"q1": "a", "q2": "b", "q3": "a", "unseen": "a"})
    assert kim.finding.figure.value == pytest.approx(2 / 3)
    assert kim.finding.figure.n == 3
    assert kim.wrong == ("q3",)
    assert (lee.finding.figure.value, lee.wrong) == (0.0, ("q1",))
    assert park.finding.figure.value is None
    assert park.finding.reason == Reason.NO_CALIBRATION


def test_a_set_is_right_only_when_it_is_the_same_set() -> None:
    ratings = Ratings.of([(1, "Kim", frozenset("ab")), (2, "Kim", frozenset())], Scale.SETS)
    known = {1: frozenset("a"), 2: frozenset[str]()}
    assert calibration(ratings, known)[0].wrong == (1,)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [  # R. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_as_newcombe_prints_it(hits, n, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=0.00005)


@given(st.integers(1, 500), st.data())
def test_wilsons_interval_holds_the_share_and_has_a_width(n: int, data) -> None:
    hits = data.draw(st.integers(0, n))
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n + 1e-12
    assert hits / n - 1e-12 <= high <= 1
    assert low < high
    mirrored = wilson(n - hits, n)
    assert mirrored == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_no_share_is_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(hits, n)
