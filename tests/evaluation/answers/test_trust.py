from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import pointbiserialr
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from evaluation.answers.trust import (
    FOLDS,
    NotDefined,
    Scored,
    best_threshold,
    folds_of,
    trust,
)
from tests.support.examples import scaled

several = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 8), st.booleans()), min_size=30, max_size=60
)


def made(rows: list[tuple[int, int, bool]]) -> list[Scored]:
    return [Scored(f"q{question}", score / 8, people) for question, score, people in rows]


def drawn(n: int, gap: float, seed: int = 1) -> list[Scored]:
    """Answers to n questions, those that people found correct with scores higher by `gap`."""
    rng = np.random.default_rng(seed)
    people = rng.random(n) < 0.5
    scores = rng.normal(0, 1, n) + gap * people
    return [Scored(at, float(scores[at]), bool(people[at])) for at in range(n)]


@settings(max_examples=scaled(25), deadline=None)
@given(several)
def test_the_figures_are_those_of_scipy_and_sklearn(rows: list[tuple[int, int, bool]]) -> None:
    scored = made(rows)
    found = trust("rouge1", scored)
    if found.why is not None:
        return
    people = [each.people for each in scored]
    scores = [each.score for each in scored]
    assert found.correlation.value == pytest.approx(pointbiserialr(people, scores).statistic)
    assert found.auc.value == pytest.approx(roc_auc_score(people, scores))
    for figure in found.figures:
        if figure.low is not None:
            assert figure.value is not None
            assert figure.high is not None
            assert figure.low <= figure.high


@settings(max_examples=scaled(25), deadline=None)
@given(several)
@example([(0, score, score == 0) for score in range(5)])
def test_no_threshold_has_a_higher_kappa(rows: list[tuple[int, int, bool]]) -> None:
    scored = made(rows)
    scores = np.array([each.score for each in scored])
    people = np.array([each.people for each in scored])
    found = best_threshold(scores, people)
    if found is None:
        assert len(set(scores.tolist())) == 1 or people.all() or not people.any()
        return
    kappas = [cohen_kappa_score(people, scores >= t) for t in sorted(set(scores.tolist()))[1:]]
    assert cohen_kappa_score(people, scores >= found) == pytest.approx(max(kappas))


def test_kappa_is_of_thresholds_chosen_on_the_other_folds() -> None:
    scored = drawn(60, gap=1.0)
    folds = folds_of([each.question for each in scored])
    scores = np.array([each.score for each in scored])
    people = np.array([each.people for each in scored])
    called = np.zeros(60, dtype=bool)
    thresholds = []
    for fold in range(FOLDS):
        chosen = best_threshold(scores[folds != fold], people[folds != fold])
        assert chosen is not None
        thresholds.append(chosen)
        called[folds == fold] = scores[folds == fold] >= chosen
    found = trust("rouge1", scored)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(people, called))
    assert found.thresholds == (min(thresholds), max(thresholds))


def test_a_good_score_and_its_intervals() -> None:
    found = trust("good", drawn(200, 3.0))
    for figure, least in zip(found.figures, (0.7, 0.95, 0.7), strict=True):
        assert figure.value is not None
        assert figure.value > least
        assert figure.low is not None
        assert figure.low < figure.value < (figure.high or 0)
        assert figure.n == 200
    assert trust("good", drawn(200, 3.0)) == found


def test_intervals_draw_questions() -> None:
    alone = drawn(40, 1.0)
    fourfold = [each for each in alone for _ in range(4)]  # the same answers, each four times
    wide, counted = trust("x", fourfold), trust("x", alone)
    independent = [
        Scored(f"{each.question}-{at}", each.score, each.people) for at, each in enumerate(fourfold)
    ]
    narrow = trust("x", independent)
    widths = [(each.auc.high or 0) - (each.auc.low or 0) for each in (wide, counted, narrow)]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)
    assert widths[2] < 0.7 * widths[1]


def test_a_question_is_in_one_fold() -> None:
    questions = [f"q{at % 25}" for at in range(100)]
    folds = folds_of(questions)
    assert len({(q, int(f)) for q, f in zip(questions, folds, strict=True)}) == 25
    assert set(folds.tolist()) == set(range(FOLDS))
    assert folds_of(questions[::-1]).tolist() == folds.tolist()[::-1]


def test_not_defined() -> None:
    few = trust("x", drawn(9, 1.0))
    assert (few.why, few.why_kappa, few.n) == (NotDefined.TOO_FEW,) * 2 + (9,)
    assert all(figure.value is None and figure.n == 9 for figure in few.figures)
    assert trust("x", []).why is NotDefined.TOO_FEW
    one_question = [Scored("q", each.score, each.people) for each in drawn(20, 1.0)]
    assert trust("x", one_question).why is NotDefined.TOO_FEW
    agreed = [Scored(each.question, each.score, True) for each in drawn(20, 1.0)]
    assert trust("x", agreed).why is NotDefined.ONE_FINDING
    same = [Scored(each.question, 0.5, each.people) for each in drawn(20, 1.0)]
    assert trust("x", same).why is NotDefined.ONE_SCORE
    lonely = [Scored(at, float(at), at == 3) for at in range(20)]
    found = trust("x", lonely)
    assert found.why is None
    assert found.auc.value is not None
    assert found.why_kappa is NotDefined.ONE_SIDED_FOLD
    assert found.kappa.value is None


def test_a_score_that_is_none_is_for_the_caller_to_leave_out() -> None:
    with pytest.raises(ValueError, match="without a score"):
        trust("x", [Scored("q", float("nan"), True)])
