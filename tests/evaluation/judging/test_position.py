from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figure import share_figure, wilson
from evaluation.judging.position import Pair, Winner, position_bias

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


def test_nothing_asked_is_nothing_known() -> None:
    found = position_bias([])
    assert (found.consistent.value, found.shown_first.value, found.wins.value) == (None,) * 3
    assert found.p is None


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
