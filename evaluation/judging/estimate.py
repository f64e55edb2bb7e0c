"""How far a judge agrees with people beyond chance, and the true accuracy behind its verdicts.

A. Angelopoulos, S. Bates, C. Fannjiang, M. Jordan & T. Zrnic, Prediction-powered inference,
Science 382:669 (2023), for a mean: with verdicts f on N answers that nobody rated, and verdicts f
and ratings Y on n others,

    estimate = mean_N(f) − mean_n(f − Y),    variance = var_N(f) ÷ N + var_n(f − Y) ÷ n.

With `power` λ (A. Angelopoulos, J. Duchi & T. Zrnic, PPI++, arXiv:2311.01453) f becomes λ·f: 1 is
the formula above, 0 the human sample alone, and the λ that makes the variance least is
cov_n(f, Y) ÷ ((1 + n ÷ N) · var(f)), kept between 0 and 1.

All of this holds where the rated answers are a random sample of the judged ones.

Which cases to review first: those whose review is likely to move the reported accuracy most. The
figure is the corrected accuracy (`accuracy`). A case that raters agreed on
counts in its human sample already, and moves it by 1 ÷ n if the review turns it; one that they
differ on is missing, and moves it by how far it lies from the others when it comes in. How likely
each outcome is follows from the votes of the raters and the judge, by the rule of succession:
(votes for it + 1) ÷ (votes + 2).

The order is for cases that people have rated. Which answers people rate has to be left to chance,
or the sample is no longer a random one and no estimate from it holds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.kappa import CohenKappa, FleissKappa, GwetAC, RawAgreement
from evaluation.agreement.ratings import Finding, Rating, Ratings, Scale, Statistic
from evaluation.figure import CONFIDENCE, Figure, share_figure
from evaluation.judging.judged import Judged, both_said

JUDGE, PEOPLE = "judge", "people"
_CATEGORIES = (True, False)


@dataclass(frozen=True, slots=True)
class Between:
    """What two sides, or all people (`second` is None), agree on. The n is in the findings."""

    first: Hashable
    second: Hashable | None
    raw: Finding
    kappa: Finding
    ac1: Finding


def judge_and_people(judged: Sequence[Judged], seed: int = 0) -> Between:
    """Return how far the judge agrees with what people found; Cohen's kappa."""
    said = both_said(judged)
    triples: list[Rating] = [(each.case, JUDGE, each.judge) for each in said]
    triples += [(each.case, PEOPLE, each.people) for each in said]
    questions = {each.case: each.question for each in said}
    return _between(triples, questions, JUDGE, PEOPLE, seed)


def all_people(
    ratings: Iterable[Rating], questions: Mapping[Any, Hashable], seed: int = 0
) -> Between:
    """Return how far people agree, whoever rated what; Fleiss' kappa.

    `ratings` are (case, rater, correct or not); `questions` says which question each case answers.
    """
    table = Ratings.of(ratings, Scale.NOMINAL, _CATEGORIES)
    groups = [questions[item] for item in table.items]
    return Between(PEOPLE, None, *_measured(table, FleissKappa(), groups, seed))


def pairs_of_people(
    ratings: Iterable[Rating], questions: Mapping[Any, Hashable], seed: int = 0
) -> list[Between]:
    """Return how far every two raters agree who rated a case in common; Cohen's kappa."""
    triples = list(ratings)
    raters = list(dict.fromkeys(rater for _, rater, _ in triples))
    found = [_between(triples, questions, a, b, seed) for a, b in combinations(raters, 2)]
    return [each for each in found if each.raw.figure.n]


def _between(
    triples: Sequence[Rating],
    questions: Mapping[Any, Hashable],
    first: Hashable,
    second: Hashable,
    seed: int,
) -> Between:
    theirs = [triple for triple in triples if triple[1] in (first, second)]
    by_case: dict[Hashable, int] = {}
    for case, _, _ in theirs:
        by_case[case] = by_case.get(case, 0) + 1
    both = [their for their in theirs if by_case[their[0]] == 2]
    table = Ratings.of(both, Scale.NOMINAL, _CATEGORIES)
    if table.raters:
        table = table.of_raters(first, second)
    groups = [questions[item] for item in table.items]
    return Between(first, second, *_measured(table, CohenKappa(), groups, seed))


def _measured(
    table: Ratings, kappa: Statistic, groups: Sequence[Hashable], seed: int
) -> tuple[Finding, Finding, Finding]:
    raw, kappa_found, ac1 = (
        measure_in_groups(table, each, groups, seed=seed)
        for each in (RawAgreement(), kappa, GwetAC())
    )
    return raw, kappa_found, ac1


FEW = 10  # differences in the sample below which the normal interval is too narrow (tests)
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often a system is correct, by four ways of telling; the last two correct the first.

    `naive`: the judge's verdicts, taken for the truth. `people`: the human sample alone.
    `corrected` and `tuned`: prediction-powered, the second with the power that its variance is
    least with. `sampled` and `unsampled`: the judge's share inside and outside the sample, which
    differ by no more than chance where the sample is a random one; `p_random` is the p-value of
    that. `differing` counts the answers in the sample on which judge and people differ.
    """

    naive: Figure
    people: Figure
    corrected: Figure
    tuned: Figure
    power: float | None
    differing: int
    sampled: Figure
    unsampled: Figure
    p_random: float | None

    @property
    def few(self) -> bool:
        """Whether the corrected intervals rest on too few differences to be believed."""
        return self.corrected.value is not None and self.differing < FEW


def accuracy(judged: Sequence[Judged]) -> Accuracy:
    """Return how often the answers are correct. Answers without a verdict are left out."""
    with_verdict = [each for each in judged if each.judge is not None]
    rated = [each for each in with_verdict if each.people is not None]
    rest = [each for each in with_verdict if each.people is None]
    verdicts, ratings = (
        _numbers([each.judge for each in rated]),
        _numbers([each.people for each in rated]),
    )
    others = _numbers([each.judge for each in rest])
    power = best_power(verdicts, ratings, others)
    return Accuracy(
        naive=_share("naive", with_verdict),
        people=share_figure("people", int(ratings.sum()), len(ratings)),
        corrected=predicted("corrected", verdicts, ratings, others, 1.0),
        tuned=predicted("tuned", verdicts, ratings, others, power),
        power=power,
        differing=int((verdicts != ratings).sum()),
        sampled=_share("sampled", rated),
        unsampled=_share("unsampled", rest),
        p_random=_same_share(verdicts, others),
    )


def predicted(
    name: str, verdicts: Array, ratings: Array, others: Array, power: float | None
) -> Figure:
    """Return the prediction-powered mean; its n is that of the human sample.

    `verdicts` and `ratings` are of the sample, `others` the verdicts on the rest, each 0 or 1.
    Without a value where either has fewer than two, since then no variance is known. The interval
    is the normal one of the paper, cut off at 0 and 1; there is none where no answer differs from
    another.
    """
    n, rest = len(ratings), len(others)
    if n < 2 or rest < 2 or power is None:
        return Figure(name, None, n)
    wrong = power * verdicts - ratings
    value = float(power * others.mean() - wrong.mean())
    error = sqrt(power**2 * float(others.var()) / rest + float(wrong.var()) / n)
    if error == 0:  # nothing varies in the sample, so nothing tells how far the estimate may err
        return Figure(name, _inside(value), n)
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return Figure(name, _inside(value), n, _inside(value - half), _inside(value + half))


def best_power(verdicts: Array, ratings: Array, others: Array) -> float | None:
    """Return the λ between 0 and 1 with the least variance; None where there is no estimate."""
    n, rest = len(ratings), len(others)
    if n < 2 or rest < 2:
        return None
    spread = float(np.concatenate([verdicts, others]).var())
    if spread == 0:
        return 0.0
    together = float(((verdicts - verdicts.mean()) * (ratings - ratings.mean())).mean())
    return _inside(together / ((1 + n / rest) * spread))


def _numbers(values: Sequence[bool | None]) -> Array:
    return np.array([bool(value) for value in values], dtype=np.float64)


def _share(name: str, judged: Sequence[Judged]) -> Figure:
    return share_figure(name, sum(bool(each.judge) for each in judged), len(judged))


def _same_share(verdicts: Array, others: Array) -> float | None:
    """Return the p-value of Fisher's exact test that both have the same share."""
    if not len(verdicts) or not len(others):
        return None
    from scipy.stats import fisher_exact

    table = [[int(each.sum()), int(len(each) - each.sum())] for each in (verdicts, others)]
    return float(fisher_exact(table).pvalue)


def _inside(value: float) -> float:
    return min(1.0, max(0.0, value))


Case = TypeVar("Case", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Waiting(Generic[Case]):
    """A case to be reviewed: the judge's verdict and what each rater said."""

    case: Case
    judge: bool
    ratings: tuple[bool, ...]

    @property
    def agreed(self) -> bool | None:
        """What all raters say; None where they differ or nobody has rated."""
        return self.ratings[0] if len(set(self.ratings)) == 1 else None

    @property
    def likely(self) -> float:
        """How likely the review finds the answer correct."""
        votes = (*self.ratings, self.judge)
        return (sum(votes) + 1) / (len(votes) + 2)


@dataclass(frozen=True, slots=True)
class Movement(Generic[Case]):
    """How far the review of a case is expected to move the accuracy, as a share."""

    case: Case
    expected: float


def by_movement(
    waiting: Sequence[Waiting[Case]], decided: Sequence[tuple[bool, bool]] = ()
) -> list[Movement[Case]]:
    """Return the cases, those expected to move the accuracy most first; equal ones as they come.

    `decided` are the verdict and the consensus of cases that are reviewed already: they count in
    the sample, and are not reviewed again. Cases that nobody has rated are left out.
    """
    rated = [each for each in waiting if each.ratings]
    gaps = [found - verdict for verdict, found in decided]
    gaps += [each.agreed - each.judge for each in rated if each.agreed is not None]
    middle = sum(gaps) / len(gaps) if gaps else 0.0
    found = [Movement(each.case, _expected(each, len(gaps), middle)) for each in rated]
    return sorted(found, key=lambda movement: -movement.expected)


def _expected(case: Waiting[Case], n: int, middle: float) -> float:
    agreed, likely = case.agreed, case.likely
    if agreed is not None:
        return (1 - likely if agreed else likely) / n
    moves = {found: abs(found - case.judge - middle) / (n + 1) for found in (True, False)}
    return likely * moves[True] + (1 - likely) * moves[False]
