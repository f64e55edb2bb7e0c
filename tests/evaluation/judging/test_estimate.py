""""""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.ratings import Rating, Reason
from evaluation.figure import share_figure, wilson
from evaluation.judging.estimate import (
    Pair,
    Waiting,
    Winner,
    all_people,
    by_movement,
    judge_and_people,
    pairs_of_people,
    position_bias,
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


FIRST, SECOND, TIE = Winner.FIRST, Winner.SECOND, Winner.TIE
SAID = st.sampled_from([FIRST, SECOND, TIE, None])
PAIRS = st.lists(st.builds(Pair, SAID, SAID), max_size=20)


def test_a_judge_that_minds_only_the_answers() -> None:
    found = position_bias([Pair(FIRST, FIRST)] * 6 + [Pair(SECOND, SECOND)] * 2)
    assert found.consistent.value == 1
    assert found.shown_first.value == 0.5
    assert (found.to_first, found.to_second, found.p) == (0, 0, None)
    assert found.wins.value == 0.75
    assert found.preferred.value == 0.75


def test_a_judge_that_takes_whatever_stands_first() -> None:
    found = position_bias([Pair(FIRST, SECOND)] * 10)
    assert found.consistent.value == 0
    assert found.shown_first.value == 1
    assert (found.to_first, found.to_second) == (10, 0)
    assert found.p == pytest.approx(2 / 2**10)
    assert found.wins.value == 0.5


def test_a_verdict_in_one_order_only_is_counted_apart() -> None:
    found = position_bias([Pair(FIRST, None), Pair(None, None), Pair(SECOND, SECOND)])
    assert (found.pairs, found.half_asked, found.silent) == (1, 1, 1)
    assert found.wins.value == 0


def test_a_tie_in_one_order_decides_nothing() -> None:
    found = position_bias([Pair(FIRST, TIE), Pair(TIE, TIE)])
    assert found.consistent.value == 0.5
    assert found.shown_first.n == 1
    assert found.wins.value == 0.5


def test_every_figure_is_a_share_and_has_the_interval_of_one() -> None:
    [single] = [position_bias([Pair(SECOND, SECOND)])]
    assert [(each.value is None, each.low) for each in single.figures] == [(False, None)] * 4
    found = position_bias([Pair(FIRST, SECOND)] * 4)
    assert (found.wins.low, found.wins.high) == wilson(2, 4)
    assert found.shown_first == share_figure("shown_first", 4, 4)
    lost = position_bias([Pair(SECOND, SECOND)] * 9)
    assert lost.wins == share_figure("wins", 0, 9)


@given(PAIRS)
def test_naming_the_answers_the_other_way_turns_the_wins_and_not_the_bias(pairs) -> None:
    other = {FIRST: SECOND, SECOND: FIRST, TIE: TIE, None: None}
    renamed = [Pair(other[each.swapped], other[each.straight]) for each in pairs]
    one, two = position_bias(pairs), position_bias(renamed)
    assert one.consistent == two.consistent
    assert (one.to_first, one.to_second) == (two.to_first, two.to_second)
    assert one.shown_first.value == two.shown_first.value
    if one.wins.value is not None and two.wins.value is not None:
        assert one.wins.value + two.wins.value == pytest.approx(1)
    assert one.wins.n == two.wins.n


def test_the_win_rate_of_one_order_counts_what_is_shown_first_and_no_tie() -> None:
    """As it is published: the share of verdicts of one call a pair that prefer the answer."""
    pairs = [Pair(FIRST, SECOND), Pair(FIRST, None), Pair(TIE, FIRST), Pair(None, FIRST)]
    found = position_bias(pairs).preferred
    assert found.value == pytest.approx(2 / 3)
    assert found.n == 3
    turned = position_bias([Pair(None, FIRST), Pair(None, SECOND), Pair(None, None)]).preferred
    assert (turned.value, turned.n) == (0.5, 2)  # it was asked in the other order alone
