from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.review_order import Waiting, by_movement

RATED = st.lists(st.booleans(), min_size=1, max_size=4).map(tuple)
WAITING = st.lists(st.builds(Waiting, st.integers(), st.booleans(), RATED), max_size=12)


def test_raters_that_differ_come_first_then_a_judge_that_differs_from_them() -> None:
    cases = [
        Waiting("agreed", True, (True, True)),
        Waiting("judge differs", False, (True, True)),
        Waiting("raters differ", True, (True, False)),
        Waiting("three against the judge", False, (True, True, True)),
        Waiting("nobody", True, ()),
    ]
    found = by_movement(cases)
    assert [each.case for each in found] == [
        "raters differ",
        "judge differs",
        "three against the judge",
        "agreed",
    ]
    assert found[1].expected == pytest.approx(2 / 5 / 3)
    assert found[3].expected == pytest.approx(1 / 5 / 3)


def test_what_comes_in_is_measured_against_what_is_there() -> None:
    # Two decided answers, one of them underestimated: people − judge is 1/2 on average.
    [found] = by_movement([Waiting("x", True, (True, False))], [(False, True), (True, True)])
    assert found.expected == pytest.approx((0.6 * 0.5 + 0.4 * 1.5) / 3)


@given(WAITING)
def test_everything_rated_comes_once_with_a_movement_that_can_be(cases) -> None:
    found = by_movement(cases)
    assert Counter(each.case for each in found) == Counter(each.case for each in cases)
    assert all(0 < each.expected <= 1 for each in found)
    assert found == sorted(found, key=lambda each: -each.expected)


@given(WAITING)
def test_correct_and_incorrect_are_alike(cases) -> None:
    turned = [
        Waiting(each.case, not each.judge, tuple(not said for said in each.ratings))
        for each in cases
    ]
    ours, theirs = by_movement(cases), by_movement(turned)
    assert [each.expected for each in ours] == pytest.approx([each.expected for each in theirs])
