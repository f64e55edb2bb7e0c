from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figure import share_figure
from evaluation.judging.accuracy import (
    Sample,
    Withheld,
    accuracy,
    best_power,
    human_sample,
    predicted,
    two_phase,
)
from evaluation.judging.judged import Judged
from tests.evaluation.judging.judged_answers import PAPER, ends, judged, width

SAID = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)
OTHERS = st.lists(st.booleans(), min_size=2, max_size=60)


def _floats(values) -> np.ndarray:
    return np.array(list(values), dtype=np.float64)


def _paper(sample: int, seed: int = 0) -> list[Judged]:
    """Return the thousand answers of the paper, of which people rated so many, by chance."""
    said = judged(PAPER)
    rated = set(np.random.default_rng(seed).permutation(1000)[:sample].tolist())
    return [each if at in rated else replace(each, people=None) for at, each in enumerate(said)]


def _sample(said, others, disputed=(), waiting=()) -> Sample:
    """Return a sample of (verdict, rating) pairs; `disputed` are pairs too, `waiting` verdicts."""
    f, y = (_floats(pair[at] for pair in (*said, *disputed)) for at in (0, 1))
    among = np.array([False] * len(said) + [True] * len(disputed), dtype=np.bool_)
    return Sample(f, y, among, _floats(waiting), _floats(others))


@given(SAID, OTHERS, st.sampled_from((0.0, 0.25, 0.5, 1.0)))
def test_it_is_the_published_formula(said, others, power) -> None:
    sample = _sample(said, others)
    f, y, g = power * sample.verdicts, sample.ratings, power * sample.others
    found = predicted("x", sample, power)
    value = g.mean() - (f - y).mean()
    half = 1.959963984540054 * sqrt(g.var() / len(g) + (f - y).var() / len(f))
    assert found.value == pytest.approx(min(1, max(0, value)))
    assert found.n == len(f)
    if half and value - half < 1 and value + half > 0:
        assert found.low == pytest.approx(min(1, max(0, value - half)))
        assert found.high == pytest.approx(min(1, max(0, value + half)))
    else:
        assert (found.low, found.high) == (None, None)


@given(SAID, OTHERS)
def test_without_power_it_is_the_sample_and_the_best_power_is_between(said, others) -> None:
    sample = _sample(said, others)
    assert predicted("x", sample, 0.0).value == pytest.approx(sample.ratings.mean())
    assert 0 <= best_power(sample) <= 1


def test_disputed_answers_by_hand() -> None:
    """12 of 16 agreed answers are correct, 1 of 2 settled ones, and 2 disputed ones wait.

    w = 4/20: 0.8 · 12/16 + 0.2 · 1/2 = 0.70. Within: 0.8 · 3/16 + 0.2 · 1/2 = 0.25; between:
    0.8 · 0.2 · (3/4 − 1/2)² = 0.01. Variance: 0.26/20 + 0.04 · (1/2 − 1/4) · 1/2 = 0.018.
    """
    values = np.array([1.0] * 12 + [0.0] * 4 + [1.0, 0.0])
    among = np.array([False] * 16 + [True] * 2)
    assert list(two_phase(values, among, 2)) == pytest.approx([0.70, 0.018])
    # As rated answers that nobody had rated, they would not have weighed at all.
    assert values.mean() == pytest.approx(13 / 18)


@given(SAID, st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1), OTHERS)
def test_once_all_are_settled_disputes_change_nothing(said, disputed, others) -> None:
    apart, together = _sample(said, others, disputed), _sample([*said, *disputed], others)
    for power in (0.0, 0.4, 1.0):
        assert predicted("x", apart, power) == predicted("x", together, power)
    assert best_power(apart) == pytest.approx(best_power(together))


VALUES = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=20)


@given(VALUES, VALUES, st.integers(1, 20))
def test_answers_that_wait_never_make_the_mean_surer(agreed, settled, waiting) -> None:
    values = np.array([*agreed, *settled])
    among = np.array([False] * len(agreed) + [True] * len(settled))
    mean, variance = two_phase(values, among, waiting)
    assert values.min() - 1e-9 <= mean <= values.max() + 1e-9
    assert variance >= 0
    # Had each that waits turned out as one of the settled ones, in their proportions:
    filled = np.array([*agreed * len(settled), *settled * (len(settled) + waiting)])
    assert mean == pytest.approx(filled.mean())
    assert variance * (len(values) + waiting) >= filled.var() - 1e-9


def test_what_cannot_be_estimated_raises() -> None:
    with pytest.raises(ValueError, match="no value"):
        two_phase(np.array([1.0]), np.array([False]), 1)
    with pytest.raises(ValueError, match="answers that people rated"):
        predicted("x", _sample([], [True]), 1.0)


def _with_disputes(rng, n: int, settled: int) -> tuple[list[Judged], int]:
    """Return 1,000 answers of which people rated `n`, and of the disputed ones settled so many.

    People differ on 30 %. Of these 45 % are correct and the judge is right on 60 %, of the others
    80 % and 92 %: 69.5 % in all.
    """
    hard = rng.random(1_000) < 0.3
    y = rng.random(1_000) < np.where(hard, 0.45, 0.80)
    f = np.where(rng.random(1_000) < np.where(hard, 0.6, 0.92), y, ~y)
    found, ruled = [], 0
    for at in range(1_000):
        rated = at < n
        known = rated and (not hard[at] or ruled < settled)
        ruled += bool(known and hard[at])
        people = bool(y[at]) if known else None
        found.append(Judged(at, at, bool(f[at]), people, disputed=bool(rated and hard[at])))
    return found, ruled


@pytest.mark.long
def test_with_disputes_that_wait_the_interval_covers() -> None:
    """Samples of 200 rated answers, about 60 of them disputed, 15 of these settled.

    Taking disputed answers for unrated ones makes the estimate too high by half a percent.
    """
    rng, samples = np.random.default_rng(11), 600
    covered = {"people": 0, "corrected": 0, "tuned": 0}
    values: list[float] = []
    unrated: list[float] = []
    for _ in range(samples):
        said, _ = _with_disputes(rng, 200, 15)
        sample = Sample.of(said)
        found = {
            "corrected": predicted("corrected", sample, 1.0),
            "tuned": predicted("tuned", sample, best_power(sample)),
            "people": accuracy(said).human.people,
        }
        for name, figure in found.items():
            low, _, high = ends(figure) if figure.value is not None else (0.0, 0.0, 1.0)
            covered[name] += low <= 0.695 <= high
        values.append(found["corrected"].value or 0)
        as_unrated = [replace(each, disputed=False) for each in said]
        unrated.append(predicted("x", Sample.of(as_unrated), 1.0).value or 0)
    assert np.mean(values) == pytest.approx(0.695, abs=0.003)
    assert np.mean(unrated) > 0.700
    for name, count in covered.items():
        assert 0.92 <= count / samples <= 0.98, name


def test_disputed_answers_are_rated_and_their_share_is_told() -> None:
    said = _paper(300)
    for at in [at for at, each in enumerate(said) if each.people is not None][::7][:40]:
        people = said[at].people if at % 2 else None
        said[at] = replace(said[at], disputed=True, people=people)
    found = accuracy(said)
    assert found.human.disputed.n == 300
    assert found.human.disputed.value == pytest.approx(40 / 300)
    assert found.human.found.n + found.human.waiting == 40
    assert (found.sampled.n, found.unsampled.n) == (300, 700)
    assert found.human.people.n == found.corrected.n == 300 - found.human.waiting
    assert found.human.bounds is not None
    low, value, high = found.human.bounds[0], found.human.people.value or 0, found.human.bounds[1]
    assert low < value < high
    assert high - low == pytest.approx(found.human.waiting / 300)


def test_too_few_settled_disputes_withhold_even_the_figure_of_the_sample() -> None:
    said = _paper(300)
    rated = [at for at, each in enumerate(said) if each.people is not None]
    for at in rated[:10]:
        said[at] = replace(said[at], disputed=True, people=None)
    found = accuracy(said)
    assert found.withheld is Withheld.UNSETTLED
    assert [found.why(name) for name in NAMES] == [None, *[Withheld.UNSETTLED] * 2]
    assert found.human.withheld is Withheld.UNSETTLED
    assert (found.human.people.value, found.corrected.value, found.tuned.value) == (None,) * 3
    assert found.human.bounds is not None
    for at in rated[:10]:
        said[at] = replace(said[at], people=True)
    said[rated[10]] = replace(said[rated[10]], disputed=True, people=None)
    assert accuracy(said).withheld is None, "ten are settled"
    assert accuracy(said).corrected.value is not None


def test_disputes_settled_by_the_judges_verdict_tell_nothing_of_the_others() -> None:
    said = _paper(300)
    for at, each in enumerate(said):
        if each.people is not None and at % 3 == 0:
            said[at] = replace(each, disputed=True, people=each.people if each.judge else None)
    assert accuracy(said).withheld is Withheld.SETTLED_BY_CHOICE
    alone = human_sample(said)
    assert alone.people.value is not None, "no verdict is read"
    assert human_sample(said, settled_by_choice=True).people.value is None


def test_what_people_alone_found_is_one_figure_whoever_judges() -> None:
    """Eleven of fifteen, whether the judge has a verdict on all of them or on five."""
    rated = [Judged(at, at, None, at < 11) for at in range(15)]
    for verdicts in (0, 5, 15):
        said = [replace(each, judge=True) for each in rated[:verdicts]] + rated[verdicts:]
        assert human_sample(said).people == share_figure("people", 11, 15)


NAMES = ("naive", "corrected", "tuned")


@pytest.mark.long
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
        sample = Sample(f[:100], y[:100], np.zeros(100, dtype=np.bool_), f[:0], f[100:])
        found = predicted("x", sample, 1.0)
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
        figures = {"people": found.human.people, "corrected": found.corrected, "tuned": found.tuned}
        for name, each in widths.items():
            each.append(width(figures[name]))
    middle = {name: float(np.mean(each)) for name, each in widths.items()}
    assert middle["tuned"] < min(middle["corrected"], middle["people"])


def test_accuracy_of_the_papers_thousand_answers() -> None:
    found = accuracy(_paper(300))
    assert found.naive.value == pytest.approx(0.621)
    assert found.naive.n == 1000
    assert (found.corrected.n, found.human.people.n) == (300, 300)
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
    assert found.withheld is Withheld.NOT_RANDOM
    assert (found.corrected.value, found.tuned.value, found.power) == (None, None, None)
    assert found.human.people.value is not None, "it says what the sample is, whatever it is of"
    assert (accuracy(_paper(300)).p_random or 0) > 0.01


def test_too_little_gives_no_estimate() -> None:
    alone = accuracy([Judged("a", "a", True, True), Judged("b", "b", True, None)])
    assert (alone.corrected.value, alone.tuned.value, alone.power) == (None, None, None)
    assert alone.withheld is Withheld.TOO_FEW
    assert accuracy(_paper(9)).withheld is Withheld.TOO_FEW
    everything = accuracy(judged(PAPER))
    assert everything.corrected.value is None
    assert everything.withheld is Withheld.ALL_RATED
    assert everything.human.people.value == pytest.approx(0.72)
    assert everything.p_random is None
    nothing = accuracy([Judged("a", "a", None, True)])
    assert (nothing.naive.value, nothing.human.people.value, nothing.human.bounds) == (None,) * 3


def _others(correct: int, incorrect: int) -> list[Judged]:
    return [Judged(f"o{n}", n, n < correct, None) for n in range(correct + incorrect)]


def test_a_verdict_that_no_rated_answer_has_withholds() -> None:
    assert accuracy([*judged({"tp": 8, "fp": 4}), *_others(30, 3)]).withheld is Withheld.ONE_VERDICT
    both = [*judged({"tp": 8, "fp": 4, "tn": 1}), *_others(30, 3)]
    assert accuracy(both).withheld is None


@pytest.mark.parametrize(
    ("counts", "useless"),
    [
        ({"tp": 10, "fp": 5, "fn": 10, "tn": 5}, True),  # 1/2 + 1/2: a coin
        ({"tp": 8, "fp": 6, "fn": 12, "tn": 4}, True),  # 2/5 + 2/5
        ({"tp": 11, "fp": 5, "fn": 9, "tn": 5}, False),  # 11/20 + 1/2
        ({"tp": 20, "fn": 10}, False),  # people found nothing incorrect: nobody can tell
    ],
)
def test_a_judge_that_tells_no_more_than_a_coin_corrects_nothing(counts, useless) -> None:
    found = accuracy([*judged(counts), *_others(35, 35)])
    assert (found.withheld is Withheld.NO_BETTER) is useless
    assert (found.corrected.value is None) is useless


def test_on_few_differences_there_is_a_figure_and_no_interval() -> None:
    said = judged({"tp": 30, "fn": 9}) + [Judged(str(n), n, n % 2 == 0, None) for n in range(5)]
    said += judged({"tn": 3}, kind="b")
    found = accuracy(said)
    assert found.few
    assert found.corrected.value is not None
    assert (found.corrected.low, found.tuned.low) == (None, None)
    assert found.human.people.low is not None
    one_more = accuracy([*said, Judged("x", "x", False, True)])
    assert not one_more.few
    assert one_more.corrected.low is not None


@given(
    st.lists(
        st.builds(
            Judged,
            st.integers(),
            st.integers(),
            st.sampled_from([True, False, None]),
            st.sampled_from([True, False, None]),
            disputed=st.booleans(),
        ),
        max_size=60,
    )
)
def test_every_answer_counts_once_and_what_is_withheld_has_a_reason(said) -> None:
    found = accuracy(said)
    assert found.naive.n == sum(each.judge is not None for each in said)
    assert found.naive.n == found.human.people.n + found.human.waiting + found.unsampled.n
    assert found.sampled.n == found.human.disputed.n == found.human.people.n + found.human.waiting
    assert (found.corrected.value is None) == (found.withheld is not None)
    for name in NAMES:
        figure = getattr(found, name)
        assert figure.value is None or 0 <= figure.value <= 1
        if found.why(name) is not None:
            assert (figure.value, figure.low, figure.high) == (None, None, None)
