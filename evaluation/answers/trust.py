"""Agreement of automatic scores with human judgements: which score to trust.

People find an answer correct or not, a score is a number that is higher for better answers. Three
figures, since each has blind spots:

* the point-biserial correlation, which is Pearson's with the judgement as 0 and 1;
* the AUC, the probability that of a correct and an incorrect answer the correct one has the higher
  score, a tie counting half (J. Hanley & B. McNeil, Radiology 143:29, 1982); ½ is chance;
* Cohen's κ between people and "correct from this score on", at the threshold with the highest κ.

A threshold that is chosen on the answers it is judged on flatters the score. So it is chosen by
cross-validation: questions are split into FOLDS, and each fold is judged at the threshold of the
others. All answers to a question are in one fold, for they are no independent observations; for the
same reason intervals resample questions, with all their answers (percentile bootstrap). That of κ
keeps the chosen thresholds.

Where a figure is undefined a reason replaces it (`NotDefined`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.kappa import CohenKappa
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.figure import RESAMPLES, Figure, percentile
from normalization.hashing import text_hash

FOLDS = 10
LEAST = 10  # minimum number of answers for any figure
_CELLS_AT_ONCE = 4_000_000  # bounds memory; draws do not depend on it
Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class NotDefined(StrEnum):
    """The reason for a missing figure."""

    TOO_FEW = "too_few"  # fewer than LEAST answers, or all to one question
    ONE_FINDING = "one_finding"  # people found all correct, or all incorrect
    ONE_SCORE = "one_score"  # all answers have the same score
    ONE_SIDED_FOLD = "one_sided_fold"  # without one of the folds only one finding or score is left


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer with its score and the human judgement whether it is correct."""

    question: Hashable
    score: float
    people: bool


@dataclass(frozen=True, slots=True)
class Trust:
    """Agreement of a score with people.

    `n` is the number of answers that have both, `correct` how many of them people found correct.
    `thresholds` are the lowest and the highest threshold of the folds, in the score's own
    unit. `why` is the reason if there is no figure at all, `why_kappa` if there is no κ.
    """

    name: str
    n: int
    correct: int
    correlation: Figure
    auc: Figure
    kappa: Figure
    thresholds: tuple[float, float] | None
    why: NotDefined | None
    why_kappa: NotDefined | None

    @property
    def figures(self) -> tuple[Figure, Figure, Figure]:
        """The three figures in order."""
        return self.correlation, self.auc, self.kappa


def trust(name: str, scored: Sequence[Scored], seed: int = 0) -> Trust:
    """Measure a score's agreement with people. Equal arguments give an equal result.

    Raises ValueError for a score that is not finite: leave out answers without a score.
    """
    n, correct = len(scored), sum(each.people for each in scored)
    scores = np.array([each.score for each in scored], dtype=np.float64)
    if not np.isfinite(scores).all():
        raise ValueError("leave out answers without a score")
    why = _not_defined(scored)
    if why is not None:
        correlation, auc, kappa = (Figure(key, None, n) for key in _KEYS)
        return Trust(name, n, correct, correlation, auc, kappa, None, why, why)
    people = np.array([each.people for each in scored], dtype=np.bool_)
    groups = [each.question for each in scored]
    kappa, thresholds, why_kappa = _cross_validated_kappa(scores, people, groups, seed)
    return Trust(
        name=name,
        n=n,
        correct=correct,
        correlation=_bootstrapped("point_biserial", _correlations, scores, people, groups, seed),
        auc=_bootstrapped("auc", _aucs, scores, people, groups, seed),
        kappa=kappa,
        thresholds=thresholds,
        why=None,
        why_kappa=why_kappa,
    )


_KEYS = ("point_biserial", "auc", "kappa")


def best_threshold(scores: Array, people: Mask) -> float | None:
    """Return the threshold of the highest κ, from which scores count as correct; None if undefined.

    It lies halfway between two scores; of equally good ones it is the lowest. None if all
    scores or all judgements are equal.
    """
    values, at = np.unique(scores, return_inverse=True)
    right = float(people.sum())
    n = len(scores)
    if len(values) < 2 or right in (0, n):
        return None
    kinds = len(values)
    counts = np.bincount(at, minlength=kinds).astype(np.float64)
    hits = np.bincount(at, weights=people.astype(np.float64), minlength=kinds)
    called = n - np.cumsum(counts)[:-1]  # number of answers above each gap
    both = right - np.cumsum(hits)[:-1]  # and how many of those people found correct
    agreeing = (both + (n - right - (called - both))) / n
    chance = (called * right + (n - called) * (n - right)) / n**2
    kappas = (agreeing - chance) / (1 - chance)
    best = int(np.argmax(kappas >= kappas.max() - 1e-12))
    return float((values[best] + values[best + 1]) / 2)


def folds_of(questions: Sequence[Hashable], seed: int = 0) -> NDArray[np.int64]:
    """Return the fold of each answer, by a seeded hash of its question."""
    names = sorted(set(map(str, questions)), key=lambda name: (text_hash(f"{seed}\n{name}"), name))
    fold = {name: at % FOLDS for at, name in enumerate(names)}
    return np.array([fold[str(each)] for each in questions], dtype=np.int64)


def _not_defined(scored: Sequence[Scored]) -> NotDefined | None:
    """Return why the correlation is undefined, None if it is defined."""
    if len(scored) < LEAST or len({each.question for each in scored}) < 2:
        return NotDefined.TOO_FEW
    if len({each.people for each in scored}) < 2:
        return NotDefined.ONE_FINDING
    return NotDefined.ONE_SCORE if len({each.score for each in scored}) < 2 else None


def _cross_validated_kappa(
    scores: Array, people: Mask, groups: Sequence[Hashable], seed: int
) -> tuple[Figure, tuple[float, float] | None, NotDefined | None]:
    """Return κ of people and thresholded scores, the thresholds' range, or why there is none.

    The threshold of each fold is the best one of the other folds.
    """
    folds = folds_of(groups, seed)
    called = np.zeros(len(scores), dtype=np.bool_)
    used = []
    for fold in np.unique(folds):
        here = folds == fold
        threshold = best_threshold(scores[~here], people[~here])
        if threshold is None:
            return Figure("kappa", None, len(scores)), None, NotDefined.ONE_SIDED_FOLD
        called[here] = scores[here] >= threshold
        used.append(threshold)
    rows = [
        (at, side, bool(said[at]))
        for at in range(len(scores))
        for side, said in (("score", called), ("people", people))
    ]
    table = Ratings.of(rows, Scale.NOMINAL, (True, False))
    by_row: dict[Hashable, Hashable] = dict(enumerate(groups))
    in_order = [by_row[item] for item in table.items]
    found = measure_in_groups(table, CohenKappa(), in_order, seed=seed).figure
    figure = Figure("kappa", found.value, found.n, found.low, found.high)
    return figure, (min(used), max(used)), None


_Statistic = Callable[[Array, Mask, Array], Array]


def _bootstrapped(
    key: str,
    statistic: _Statistic,
    scores: Array,
    people: Mask,
    groups: Sequence[Hashable],
    seed: int,
) -> Figure:
    """Return a statistic over all answers, with its interval from resampling the groups."""
    order = np.argsort(scores, kind="stable")
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    group = np.array([number[each] for each in groups], dtype=np.int64)[order]
    scores, people = scores[order], people[order]
    value = float(statistic(scores, people, np.ones((1, len(scores))))[0])
    rng = np.random.default_rng(seed)
    count, at_once = len(number), max(1, _CELLS_AT_ONCE // len(scores))
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES).astype(np.float64)
    parts = [
        statistic(scores, people, drawn[start : start + at_once][:, group])
        for start in range(0, RESAMPLES, at_once)
    ]
    around = percentile(np.concatenate(parts))
    return Figure(key, value, len(scores), around.low, around.high)


def _correlations(scores: Array, people: Mask, weights: Array) -> Array:
    """Return Pearson's correlation for each row of weights; NaN where a side does not vary."""
    y = people.astype(np.float64)
    x = scores - scores.mean()
    n = weights.sum(axis=1)
    mx, my = weights @ x / n, weights @ y / n
    spread_x = weights @ (x * x) / n - mx**2
    spread_y = weights @ (y * y) / n - my**2
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = (weights @ (x * y) / n - mx * my) / np.sqrt(spread_x * spread_y)
    flat = (spread_x <= 1e-15 * float((x * x).max(initial=0.0))) | (spread_y <= 0)
    return np.where(flat, np.nan, np.clip(found, -1, 1))


def _aucs(scores: Array, people: Mask, weights: Array) -> Array:
    """Return the AUC for each row of weights; answers are sorted by ascending score."""
    starts = np.flatnonzero(np.r_[True, np.diff(scores) > 0])
    right = np.add.reduceat(weights * people, starts, axis=1)
    wrong = np.add.reduceat(weights * ~people, starts, axis=1)
    below = np.cumsum(wrong, axis=1) - wrong
    won = (right * (below + wrong / 2)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = won / (right.sum(axis=1) * wrong.sum(axis=1))
    return found
