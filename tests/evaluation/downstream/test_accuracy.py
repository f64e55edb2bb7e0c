"""Accuracy, the gap closed and paired tests, against values worked by hand and the paper's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from evaluation.downstream import (
    Attempt,
    NoGap,
    Of,
    Outcome,
    Picked,
    accuracy,
    compare,
    counts,
    gap,
    mcnemar,
    most_confident,
    score,
)

R, W = Outcome.RIGHT, Outcome.WRONG
BAR, HOUSING = 3010, 6853  # questions: 1,195 + 1,815, and 6,853 (Zheng et al. 2025, Table 1)


def of_counts(right: int, n: int) -> dict[str, Outcome]:
    """Return `n` questions of which the first are right: whoever is right on more is on all."""
    return {f"q{at:05}": R if at < right else W for at in range(n)}


def said(letters: str) -> dict[str, Outcome]:
    names = {"r": R, "w": W, "u": Outcome.UNREAD, "f": Outcome.FAILED, "-": Outcome.NOT_ASKED}
    return {f"q{at}": names[letter] for at, letter in enumerate(letters)}


@pytest.mark.parametrize(
    ("n", "none", "context", "gold", "points", "closed"),
    [
        (BAR, 1139, 1285, 1727, (4.85, 19.53), 24.8),  # 8B, the model's own reasoning
        (BAR, 1497, 1443, 1889, (-1.79, 13.02), -13.8),  # 4o-mini, the same: it confuses it
        (BAR, 1497, 1512, 1889, (0.50, 13.02), 3.8),  # 4o-mini, retrieved
        (HOUSING, 3302, 4914, 5344, (23.52, 29.80), 78.9),  # 4o-mini, retrieved
        (HOUSING, 3302, 4695, 5344, (20.33, 29.80), 68.2),  # 4o-mini, its own reasoning
    ],
)
def test_the_gap_closed_in_the_published_tables(n, none, context, gold, points, closed):
    found = gap(of_counts(none, n), of_counts(context, n), of_counts(gold, n), Of.ALL)
    gain, room = found.gain.value, found.room.value
    assert gain is not None and room is not None and found.closed.value is not None
    assert (round(100 * gain, 2), round(100 * room, 2)) == points
    assert round(100 * found.closed.value, 1) == closed
    assert found.closed.low is not None and found.closed.high is not None
    assert found.closed.low < found.closed.value < found.closed.high
    assert (found.reason, found.undefined, found.closed.n) == (None, 0, n)


def test_the_interval_is_that_of_drawing_questions_one_by_one():
    base, middle, high = said("w" * 60), said("r" * 20 + "w" * 40), said("r" * 45 + "w" * 15)
    found = gap(base, middle, high, Of.ALL, n=20_000)
    rng = np.random.default_rng(7)
    picks = rng.integers(0, 60, size=(20_000, 60))
    gains, rooms = (np.arange(60) < 20)[picks].sum(1), (np.arange(60) < 45)[picks].sum(1)
    low, high_end = np.quantile(gains / rooms, (0.025, 0.975))
    assert found.closed.value == pytest.approx(20 / 45)
    assert found.closed.low == pytest.approx(low, abs=0.01)
    assert found.closed.high == pytest.approx(high_end, abs=0.01)


def test_a_gap_that_may_be_nothing_has_a_reason_and_no_figure():
    base, half = said("rw" * 20), said("wr" * 20)
    found = gap(base, said("r" * 40), half, Of.ALL)  # room 0: the ratio would be infinite
    assert (found.reason, found.closed.value) == (NoGap.NOT_ABOVE, None)
    assert found.room.value == 0 and found.gain.value == 0.5 and found.closed.n == 40
    small = said("r" * 20 + "w" * 20)
    by_one = said("r" * 21 + "w" * 19)
    assert gap(small, by_one, by_one, Of.ALL).reason is NoGap.NOT_ABOVE
    assert gap(said("r" * 40), base, said("w" * 40), Of.ALL).reason is NoGap.BELOW
    assert gap(None, base, base, Of.ALL).reason is NoGap.NO_BASE
    assert gap(base, base, None, Of.ALL).reason is NoGap.NO_CEILING
    assert gap(base, {"other": R}, base, Of.ALL).reason is NoGap.NO_QUESTIONS
    assert gap({"q": W}, {"q": R}, {"q": R}, Of.ALL).reason is NoGap.ONE_QUESTION


def test_only_questions_that_count_under_all_three_are_compared():
    base, middle, high = said("wwwwu-"), said("rwwwrr"), said("rrrrrr")
    assert gap(base, middle, high, Of.READABLE).closed.n == 4
    assert gap(base, middle, high, Of.ALL).closed.n == 5
    assert gap(base, middle, high, Of.READABLE).closed.value == 0.25
    assert gap(base, middle, high, Of.ALL).closed.value == 0.4


def test_both_denominators_stand_with_their_n():
    outcomes = said("rrwuf-")
    everything, readable = (accuracy(outcomes, of) for of in Of)
    assert (everything.value, everything.n) == (0.5, 4)
    assert (readable.value, readable.n) == pytest.approx((2 / 3, 3))
    found = counts(outcomes)
    assert (found[R], found[W], found[Outcome.UNREAD]) == (2, 1, 1)
    assert (found[Outcome.FAILED], found[Outcome.NOT_ASKED]) == (1, 1)
    assert sum(found.values()) == 6
    assert accuracy({}, Of.ALL).value is None


def test_questions_of_one_group_are_no_independent_observations():
    outcomes = said("rrrrwwww" * 5)
    four = {name: str(int(name[1:]) // 4) for name in outcomes}
    alone, grouped = accuracy(outcomes, Of.ALL), accuracy(outcomes, Of.ALL, four)
    assert alone.value == grouped.value and alone.n == grouped.n == 40
    assert grouped.high is not None and alone.high is not None and grouped.high > alone.high
    base = said("wwwwwwww" * 5)
    wide = gap(base, outcomes, said("rrrrrrrr" * 5), Of.ALL, four).closed
    slim = gap(base, outcomes, said("rrrrrrrr" * 5), Of.ALL).closed
    assert wide.low is not None and slim.low is not None and wide.low < slim.low
    assert gap(base, outcomes, said("r" * 40), Of.ALL, dict.fromkeys(outcomes, "g")).reason is (
        NoGap.ONE_QUESTION
    )
    test = compare({"a": base, "b": outcomes}, [("a", "b")], Of.ALL, four)["a", "b"]
    assert test.test == "randomisation" and test.p == pytest.approx(2 / 2**5)
    plain = compare({"a": base, "b": outcomes}, [("a", "b")], Of.ALL)["a", "b"]
    assert plain.test == "mcnemar" and plain.p == pytest.approx(2 / 2**20)


def test_mcnemars_exact_test_and_holm():
    settings = {
        "none": said("wwwwwwwwww--"),
        "run": said("rrrrrrwwwwrr"),
        "gold": said("rrrrrrrrww--"),
        "same": said("wwwwwwwwww--"),
    }
    pairs = [("none", "run"), ("none", "gold"), ("none", "same")]
    run, gold, same = compare(settings, pairs, Of.ALL).values()
    assert (run.tally.wins, run.tally.losses, run.p) == pytest.approx((6, 0, 2 / 64))
    assert (run.difference.value, run.difference.n) == (0.6, 10)
    assert gold.p == pytest.approx(2 / 256) and gold.p_holm == pytest.approx(6 / 256)
    assert run.p_holm == pytest.approx(4 / 64) and (run.verdict, gold.verdict) == (0, 1)
    assert (same.p, same.difference.value, same.verdict) == (1.0, 0.0, 0)
    (none,) = compare({"a": {"x": R}, "b": {"y": R}}, [("a", "b")], Of.ALL).values()
    assert (none.p, none.p_holm, none.difference.value) == (None, None, None)
    (back,) = compare(settings, [("gold", "none")], Of.ALL).values()
    assert back.verdict == -1 and back.difference.value == -0.8


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemars_p_is_twice_the_binomial_tail(higher, lower):
    tail = binom.cdf(min(higher, lower), higher + lower, 0.5)
    assert mcnemar(higher, lower) == pytest.approx(min(1.0, 2 * tail))


@given(st.text("rwu", min_size=2, max_size=30), st.text("rwu", min_size=2, max_size=30))
def test_the_base_closes_nothing_and_the_ceiling_everything(low, high):
    base, ceiling = said(low), said(high)
    nothing, everything = (gap(base, each, ceiling, Of.ALL, n=100) for each in (base, ceiling))
    assert nothing.reason == everything.reason
    if nothing.reason is None:
        assert (nothing.closed.value, everything.closed.value) == (0.0, 1.0)
        assert nothing.closed.low is None and everything.closed.low is None


SAID = "answered"


def test_the_most_confident_of_the_first_k_passages_is_gone_by():
    attempts = {
        1: Attempt(SAID, "A", -0.9),
        2: Attempt(SAID, "B", -0.2),
        3: Attempt(SAID, "C", -0.1),
    }
    assert most_confident(attempts, 1) == Picked(1, SAID, "A", 1, 1)
    assert most_confident(attempts, 2) == Picked(2, SAID, "B", 2, 2)
    assert most_confident(attempts, 10) == Picked(3, SAID, "C", 3, 3)


def test_of_equally_confident_passages_the_first_counts():
    attempts = {4: Attempt(SAID, "B", -0.5), 2: Attempt(SAID, "A", -0.5)}
    assert most_confident(attempts, 10).passage == 2


@pytest.mark.parametrize("unknown", [None, math.nan, -math.inf])
def test_answers_without_a_log_probability_cannot_be_compared(unknown):
    attempts = {1: Attempt(SAID, "A", -0.5), 2: Attempt(SAID, "B", unknown)}
    assert most_confident(attempts, 2) == Picked(0, "unranked", None, 2, 2)
    assert most_confident(attempts, 1).choice == "A"


def test_a_single_answer_needs_no_comparison():
    attempts = {1: Attempt("refused"), 2: Attempt(SAID, "B"), 3: Attempt("unread")}
    assert most_confident(attempts, 3) == Picked(2, SAID, "B", 3, 1)
    assert most_confident(attempts, 1).state == "refused"


def test_without_any_answer_the_state_is_that_of_the_first_passage():
    assert most_confident({2: Attempt("empty"), 3: Attempt("refused")}, 3).state == "empty"
    assert most_confident({5: Attempt(SAID, "A", -1.0)}, 3).state == Outcome.NOT_ASKED
    assert most_confident({0: Attempt(SAID, "A", -1.0)}, 3).state == Outcome.NOT_ASKED


def test_what_is_no_answer_is_wrong_of_all_and_left_out_of_the_readable():
    replies = ("refused", "empty", "cut_off", "invalid", "unread")
    assert [score(Outcome(each), Of.ALL) for each in replies] == [False] * 5
    assert [score(Outcome(each), Of.READABLE) for each in replies] == [None] * 5
    missing = ("failed", "not_asked", "unjudged", "unranked", "no_logprobs")
    assert {score(Outcome(each), of) for each in missing for of in Of} == {None}
    for of in Of:
        assert (score(Outcome.RIGHT, of), score(Outcome.WRONG, of)) == (True, False)
