"""Corrected means of scores: as accuracy where scores are 0 and 1, and withheld where they must."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evaluation.judging.accuracy import Scored, Withheld, accuracy
from evaluation.judging.judged import Judged
from evaluation.judging.means import corrected_mean


def drawn(seed: int, n: int = 400, rated: int = 100) -> tuple[list[Scored], float]:
    """Return scores of a judge that is .2 too kind on average, with the true mean."""
    source = random.Random(seed)
    truth = [round(source.random() * 4) / 4 for _ in range(n)]
    kind = [min(1.0, each + source.choice((0.0, 0.25, 0.5))) for each in truth]
    chosen = set(source.sample(range(n), rated))
    said = [Scored(kind[at], truth[at] if at in chosen else None) for at in range(n)]
    return said, sum(truth) / n


def test_the_corrected_mean_is_near_the_truth_and_the_judge_is_not() -> None:
    inside = 0
    for seed in range(30):
        said, truth = drawn(seed)
        found = corrected_mean(said)
        for figure in (found.corrected, found.tuned):
            assert figure.low is not None
            assert figure.high is not None
        assert found.judged.low is not None
        assert found.judged.low > truth
        inside += bool(
            found.tuned.low is not None
            and found.tuned.high is not None
            and found.tuned.low <= truth <= found.tuned.high
        )
    assert inside >= 25  # of 30 at 95 %


def test_the_formula_by_hand() -> None:
    rated = [Scored(0.5, 0.25), Scored(1.0, 1.0)] * 10
    others = [Scored(0.5), Scored(1.0), Scored(1.0), Scored(0.5)]
    found = corrected_mean(rated + others)
    # mean of the others .75, mean difference -.125
    assert found.corrected.value == pytest.approx(0.625)
    assert found.corrected.n == 20
    half = 1.959964 * np.sqrt(0.0625 / 4 + 0.015625 / 20)
    assert found.corrected.high == pytest.approx(0.625 + half, abs=1e-6)
    assert (found.differing, found.few, found.waiting) == (10, False, 0)


def test_verdicts_are_scores_of_0_and_1() -> None:
    source = random.Random(3)
    rows = []
    for at in range(120):
        judge, people = source.random() < 0.6, source.random() < 0.5
        people = judge if source.random() < 0.7 else people
        rated = people if at % 3 == 0 else None
        rows.append(Judged(at, str(at), judge, rated, disputed=at % 9 == 0))
    wanted = accuracy(rows)
    found = corrected_mean(
        [
            Scored(
                float(bool(each.judge)),
                None if each.people is None else float(each.people),
                each.disputed,
            )
            for each in rows
        ]
    )
    assert found.withheld == wanted.withheld is None
    assert found.corrected.value == pytest.approx(wanted.corrected.value)
    assert (found.tuned.low, found.tuned.high) == pytest.approx(
        (wanted.tuned.low, wanted.tuned.high)
    )


def test_it_says_why_there_is_none() -> None:
    said, _ = drawn(1)
    people = [each for each in said if each.people is not None]
    others = [each for each in said if each.people is None]
    by_judge = sorted(people, key=lambda each: -(each.judge or 0))
    upside = [Scored(each.judge, 1 - (each.judge or 0)) for each in people]
    flat = [Scored(0.5, each.people) for each in people]
    cases = {
        Withheld.ALL_RATED: people,
        Withheld.TOO_FEW: people[:9] + others,
        Withheld.NOT_RANDOM: by_judge[:40] + others,
        Withheld.NO_BETTER: upside + others,
        Withheld.ONE_VERDICT: flat + [Scored(0.5)] * 200 + [Scored(1.0)],
        Withheld.UNSETTLED: people + others + [Scored(0.5, None, True)],
    }
    for why, scored in cases.items():
        found = corrected_mean(scored)
        assert found.withheld is why
        assert (found.corrected.value, found.tuned.value) == (None, None)
    assert corrected_mean([]).judged.value is None
    alike = corrected_mean([Scored(0.5, n % 2) for n in range(20)] + [Scored(0.5)] * 9)
    assert (alike.withheld, alike.power, alike.corrected.value) == (None, 0.0, 0.5)


def test_what_the_judge_did_not_score_is_missing_and_not_zero() -> None:
    said, _ = drawn(2)
    found = corrected_mean([*said, Scored(None), Scored(None, 1.0)])
    assert found.unscored == 2
    assert found.judged == corrected_mean(said).judged
    assert found.corrected == corrected_mean(said).corrected


def test_where_the_judge_scored_nothing_people_alone_are_read() -> None:
    scored = [Scored(None, 0.5), Scored(None, 1.0), Scored(None)]
    found = corrected_mean(scored, sure=1)
    assert (found.people.value, found.people.n, found.judged.value) == (0.75 * 3 / 4, 2, 0.0)
    assert (found.corrected.n, found.differing, found.few) == (2, 0, False)
    assert (found.withheld, found.unscored, found.sure) == (Withheld.TOO_FEW, 3, 1)
    bare = corrected_mean(scored)
    assert (bare.people.value, bare.withheld, bare.sure) == (0.75, None, 0)


def test_few_changed_scores_give_a_value_without_an_interval() -> None:
    rated = [Scored(0.5, 0.5), Scored(1.0, 1.0)] * 10 + [Scored(1.0, 0.5)]
    found = corrected_mean(rated + [Scored(0.5), Scored(1.0)] * 10)
    assert found.few
    assert found.corrected.value is not None
    assert found.corrected.low is None


def test_what_surely_scores_nothing_counts_by_its_share() -> None:
    said, _ = drawn(4)
    bare, found = corrected_mean(said), corrected_mean(said, sure=100)
    assert bare.corrected.value is not None
    assert bare.corrected.high is not None
    assert found.corrected.value == pytest.approx(0.8 * bare.corrected.value)
    assert found.corrected.high == pytest.approx(0.8 * bare.corrected.high)
    assert (found.judged.n, found.corrected.n) == (500, 100)
    assert found.judged.value == pytest.approx(0.8 * (bare.judged.value or 0))
