from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.ratings import Rating, Reason
from evaluation.judging.estimate import (
    Waiting,
    accuracy,
    all_people,
    best_power,
    by_movement,
    judge_and_people,
    pairs_of_people,
    predicted,
)
from evaluation.judging.judged import Judged
from tests.evaluation.judging.judged_answers import PAPER, ends, judged, width


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


SAID = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)
OTHERS = st.lists(st.booleans(), min_size=2, max_size=60)


def _floats(values) -> np.ndarray:
    return np.array(list(values), dtype=np.float64)


def _paper(sample: int, seed: int = 0) -> list[Judged]:
    """Return the thousand answers of the paper, of which people rated so many, by chance."""
    said = judged(PAPER)
    rated = set(np.random.default_rng(seed).permutation(1000)[:sample].tolist())
    return [each if at in rated else replace(each, people=None) for at, each in enumerate(said)]


@given(SAID, OTHERS)
def test_it_is_the_published_formula(said, others) -> None:
    f, y = _floats(each[0] for each in said), _floats(each[1] for each in said)
    g = _floats(others)
    found = predicted("x", f, y, g, 1.0)
    value = g.mean() - (f - y).mean()
    half = 1.959963984540054 * sqrt(g.var() / len(g) + (f - y).var() / len(f))
    assert found.value == pytest.approx(min(1, max(0, value)))
    assert found.n == len(f)
    if half:
        assert found.low == pytest.approx(min(1, max(0, value - half)))
        assert found.high == pytest.approx(min(1, max(0, value + half)))
    else:
        assert (found.low, found.high) == (None, None)


@given(SAID, OTHERS)
def test_without_power_it_is_the_sample_and_the_best_power_is_between(said, others) -> None:
    f, y = _floats(each[0] for each in said), _floats(each[1] for each in said)
    g = _floats(others)
    assert predicted("x", f, y, g, 0.0).value == pytest.approx(y.mean())
    best = best_power(f, y, g)
    assert best is not None
    assert 0 <= best <= 1


def test_the_corrected_estimate_finds_the_truth_where_the_naive_one_is_sure_and_wrong() -> None:
    """5,000 samples of 100 rated and 1,000 other answers with the errors of the paper's judge.

    Truly 72 % are correct. An interval that covers 95 % misses by more than one percent point in
    5,000 trials about once in a thousand times.
    """
    rng = np.random.default_rng(7)
    covered, naive_covered, values = 0, 0, []
    for _ in range(5_000):
        cells = rng.choice(4, size=1_100, p=[0.612, 0.009, 0.108, 0.271])
        f, y = _floats(np.isin(cells, [0, 1])), _floats(np.isin(cells, [0, 2]))
        found = predicted("x", f[:100], y[:100], f[100:], 1.0)
        low, value, high = ends(found)
        values.append(value)
        covered += low <= 0.72 <= high
        half = 1.96 * sqrt(f.mean() * (1 - f.mean()) / len(f))
        naive_covered += abs(f.mean() - 0.72) <= half
    assert np.mean(values) == pytest.approx(0.72, abs=0.002)
    assert 0.935 <= covered / 5_000 <= 0.965
    assert naive_covered == 0


def test_tuning_does_no_worse_than_either_the_sample_or_the_judge() -> None:
    widths: dict[str, list[float]] = {"corrected": [], "tuned": [], "people": []}
    for seed in range(20):
        found = accuracy(_paper(300, seed))
        for name, each in widths.items():
            each.append(width(getattr(found, name)))
    middle = {name: float(np.mean(each)) for name, each in widths.items()}
    assert middle["tuned"] < min(middle["corrected"], middle["people"])


def test_accuracy_of_the_papers_thousand_answers() -> None:
    found = accuracy(_paper(300))
    assert found.naive.value == pytest.approx(0.621)
    assert found.naive.n == 1000
    assert (found.corrected.n, found.people.n) == (300, 300)
    for figure in (found.corrected, found.tuned):
        low, _, high = ends(figure)
        assert low < 0.72 < high
    assert found.differing == pytest.approx(0.117 * 300, abs=15)
    assert not found.few


def test_a_sample_of_what_the_judge_rejects_is_no_random_one() -> None:
    said = [each if each.judge is False else replace(each, people=None) for each in judged(PAPER)]
    found = accuracy(said)
    assert (found.sampled.value, found.unsampled.value) == (0, 1)
    assert found.p_random is not None
    assert found.p_random < 1e-6
    assert (accuracy(_paper(300)).p_random or 0) > 0.01


def test_too_little_gives_no_estimate() -> None:
    alone = accuracy([Judged("a", "a", True, True), Judged("b", "b", True, None)])
    assert (alone.corrected.value, alone.tuned.value, alone.power) == (None, None, None)
    everything = accuracy(judged(PAPER))
    assert everything.corrected.value is None
    assert everything.people.value == pytest.approx(0.72)
    assert everything.p_random is None
    nothing = accuracy([Judged("a", "a", None, True)])
    assert (nothing.naive.value, nothing.people.value) == (None, None)


def test_a_sample_that_does_not_vary_tells_no_interval() -> None:
    verdicts, ratings = _floats([True, False, False]), _floats([False] * 3)
    found = predicted("tuned", verdicts, ratings, _floats([True, False]), 0.0)
    assert (found.value, found.low, found.high, found.n) == (0.0, None, None, 3)


def test_few_differences_are_told() -> None:
    said = judged({"tp": 30, "fn": 9}) + [Judged(str(n), n, n % 2 == 0, None) for n in range(50)]
    assert accuracy(said).few
    assert not accuracy([*said, Judged("x", "x", False, True)]).few


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
