from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.ratings import Rating, Reason
from evaluation.judging.estimate import (
    Waiting,
    all_people,
    by_movement,
    judge_and_people,
    pairs_of_people,
)
from evaluation.judging.judged import Judged
from tests.evaluation.judging.judged_answers import PAPER, judged, width


def test_the_judge_of_the_paper_beyond_chance() -> None:
    found = judge_and_people(judged(PAPER))
    expected = 0.621 * 0.72 + 0.379 * 0.28
    assert found.raw.figure.value == pytest.approx(0.883)
    assert found.kappa.figure.value == pytest.approx((0.883 - expected) / (1 - expected))
    correct = (0.621 + 0.72) / 2
    chance = 2 * correct * (1 - correct)
    assert found.ac1.figure.value == pytest.approx((0.883 - chance) / (1 - chance))
    for each in (found.raw, found.kappa, found.ac1):
        assert each.figure.n == 1000
        assert (each.figure.low or 1) < (each.figure.value or 0) < (each.figure.high or 0)


def test_only_what_both_said_counts() -> None:
    said = [*judged(PAPER), Judged("x", "x", True, None), Judged("y", "y", None, False)]
    assert judge_and_people(said) == judge_and_people(judged(PAPER))


def test_without_answers_there_is_a_reason_and_no_figure() -> None:
    found = judge_and_people([])
    assert found.kappa.figure.value is None
    assert found.kappa.reason is Reason.RATERS
    assert all_people([], {}).raw.reason is Reason.NO_PAIRS


def test_answers_to_one_question_are_drawn_together() -> None:
    alone, together = (judge_and_people(judged(PAPER, each=each)).kappa.figure for each in (1, 20))
    assert alone.value == together.value
    assert width(together) > 2 * width(alone)


def test_people_are_compared_in_pairs_and_all_together() -> None:
    ratings: list[Rating] = []
    for case in range(60):
        said = case % 3 != 0
        ratings.append((case, "kim", said))
        if case < 40:
            ratings.append((case, "lee", said if case % 10 else not said))
        else:
            ratings.append((case, "park", said))
    questions = {case: case for case in range(60)}
    pairs = {(each.first, each.second): each for each in pairs_of_people(ratings, questions)}
    assert set(pairs) == {("kim", "lee"), ("kim", "park")}
    assert pairs["kim", "lee"].raw.figure.value == pytest.approx(0.9)
    assert pairs["kim", "lee"].raw.figure.n == 40
    assert pairs["kim", "park"].kappa.figure.value == pytest.approx(1)
    together = all_people(ratings, questions)
    assert together.raw.figure.value == pytest.approx(56 / 60)
    assert together.raw.figure.n == 60
    assert together.second is None
    assert together.kappa.statistic == "fleiss_kappa"


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
