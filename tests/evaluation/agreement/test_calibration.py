from __future__ import annotations

import pytest

from evaluation.agreement.calibration import calibration
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.statistic import Reason
from evaluation.proportion import wilson


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
    assert (kim.finding.figure.low, kim.finding.figure.high) == wilson(2, 3)
    assert kim.wrong == ("q3",)
    assert (lee.finding.figure.value, lee.wrong) == (0.0, ("q1",))
    assert park.finding.figure.value is None
    assert park.finding.reason == Reason.NO_CALIBRATION


def test_a_set_is_right_only_when_it_is_the_same_set() -> None:
    ratings = Ratings.of([(1, "Kim", frozenset("ab")), (2, "Kim", frozenset())], Scale.SETS)
    known = {1: frozenset("a"), 2: frozenset[str]()}
    assert calibration(ratings, known)[0].wrong == (1,)
