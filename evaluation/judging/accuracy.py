"""Accuracy of answers estimated from a judge's verdicts and a human sample.

A. Angelopoulos, S. Bates, C. Fannjiang, M. Jordan & T. Zrnic, Prediction-powered inference,
Science 382:669 (2023), for a mean: with verdicts f on N answers that nobody rated, and verdicts f
and ratings Y on n others,

  estimate = mean_N(f) − mean_n(f − Y),    variance = var_N(f) ÷ N + var_n(f − Y) ÷ n.

With `power` λ (A. Angelopoulos, J. Duchi & T. Zrnic, PPI++, arXiv:2311.01453) f becomes λ·f: 1 is
the formula above, 0 the human sample alone, and the λ that minimises the variance is
cov_n(f, Y) ÷ ((1 + n ÷ N) · var(f)), clipped to 0 … 1.

Disputed answers, on which people differ, are rated too: they are drawn like the others, and only
the final judgement is missing. They are a stratum of their own (W. G. Cochran, Sampling
Techniques, 3rd ed., 1977, ch. 12, two-phase sampling for stratification): of n rated answers d are
disputed, w = d ÷ n, and of these k are settled. A mean over the rated answers then is

  (1 − w) · mean_agreed + w · mean_settled,
  variance = s² ÷ n + w² · (1 ÷ k − 1 ÷ d) · s²_settled,

with s² the variance within and between both strata. If all are settled it is the plain mean.

All of this assumes that the rated answers are a random sample of the judged ones, and the settled
ones of the disputed. If that or another assumption fails, a reason replaces the figure
(`Withheld`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import CONFIDENCE, Figure, share_figure, wilson
from evaluation.judging.judged import Judged

FEW = 10  # differences in the sample below which the normal interval is too narrow (tests)
LEAST_RATED = 10  # answers: fewer hardly show how often the judge errs
LEAST_OTHERS = 2  # unrated answers needed for a variance
LEAST_SETTLED = 10  # settled disputed answers needed, unless all are settled (tests)
UNLIKELY = 0.01  # p-value below which a sample is not taken as random
Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Differ = Callable[[Array, Array], bool]


class Withheld(StrEnum):
    """The reason for a withheld corrected figure: the assumption that fails."""

    UNSETTLED = "unsettled"  # too few of the disputed answers are settled
    SETTLED_BY_CHOICE = "settled_by_choice"  # the settled ones are no random sample of them
    ALL_RATED = "all_rated"  # nothing to correct
    TOO_FEW = "none_rated"  # too few rated answers, or too few others
    NOT_RANDOM = "not_random"  # the rated answers are no random sample of the judged ones
    ONE_VERDICT = "one_verdict"  # no rated answer has a verdict that others have
    NO_BETTER = "no_better"  # sensitivity + specificity ≤ 1: the verdicts carry no information


@dataclass(frozen=True, slots=True)
class HumanSample:
    """Accuracy of a system by human judgements alone, without any judge.

    `people` is the share of correct ones; its n counts the rated answers with a final
    judgement. `disputed` is the share of the rated answers on which people differed, `found` the
    share of correct ones among the settled ones of them, and `waiting` the number of open ones;
    `bounds` is the share of correct answers if all of these were incorrect, and correct. `withheld`
    is the reason if `people` has no value.
    """

    people: Figure
    disputed: Figure
    found: Figure
    waiting: int
    bounds: tuple[float, float] | None
    withheld: Withheld | None


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Estimates of a system's accuracy by a judge: naive, human, and corrected ones.

    `naive`: the judge's verdicts, taken for the truth. `corrected` and `tuned`: prediction-powered,
    the second with the power that minimises its variance; without a value if `withheld` has a
    reason. Shares of answers, 0 to 1; the n of the last two counts the rated answers with a
    final human judgement. `human` is the sample used for the correction: the judged answers that
    people rated.
    `sampled` and `unsampled`: the judge's share inside and outside the sample, which
    differ by no more than chance if the sample is random; `p_random` is the p-value of
    that. `differing` counts the answers in the sample on which judge and people differ.
    """

    naive: Figure
    human: HumanSample
    corrected: Figure
    tuned: Figure
    withheld: Withheld | None
    power: float | None
    differing: int
    sampled: Figure
    unsampled: Figure
    p_random: float | None

    @property
    def few(self) -> bool:
        """Whether judge and people differ on too few answers for an interval."""
        return self.corrected.value is not None and self.differing < FEW

    def why(self, name: str) -> Withheld | None:
        """Return why a figure is withheld, else None."""
        return self.withheld if name in ("corrected", "tuned") else None


@dataclass(frozen=True, slots=True)
class Scored:
    """An item with a judge's score, None if it has none, and people's.

    `people` is None if nobody has scored it, or people still differ; `disputed`: people
    differed, whether or not it is settled.
    """

    judge: float | None
    people: float | None = None
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """Judged answers by human status, with verdicts and ratings as 0 and 1.

    `verdicts` and `ratings` are of the answers with a final human judgement, `disputed`
    marks those that were disputed. `waiting` are the verdicts on open disputed
    answers, `others` those on answers that nobody rated.
    """

    verdicts: Array
    ratings: Array
    disputed: Mask
    waiting: Array
    others: Array

    @classmethod
    def of(cls, judged: Sequence[Judged | Scored]) -> Sample:
        """Build the sample from the answers with a verdict or a score."""
        said = [each for each in judged if each.judge is not None]
        decided = [each for each in said if each.people is not None]
        open_ = [each for each in said if each.people is None]
        return cls(
            _as_array([each.judge for each in decided]),
            _as_array([each.people for each in decided]),
            np.array([each.disputed for each in decided], dtype=np.bool_),
            _as_array([each.judge for each in open_ if each.disputed]),
            _as_array([each.judge for each in open_ if not each.disputed]),
        )

    @property
    def rated(self) -> Array:
        """The verdicts on all rated answers, including open ones."""
        return np.concatenate([self.verdicts, self.waiting])

    @property
    def weights(self) -> Array:
        """The number of rated answers that each answer with a final judgement represents."""
        settled = int(self.disputed.sum())
        each = (settled + len(self.waiting)) / settled if settled else 1.0
        return np.where(self.disputed, each, 1.0)

    def unsettled(self) -> bool:
        """Return whether too few disputed answers are finally judged to represent the open ones."""
        return bool(len(self.waiting)) and int(self.disputed.sum()) < LEAST_SETTLED

    def unrepresented(self, differ: Differ) -> Withheld | None:
        """Return why finally judged disputed answers do not represent the open ones, else None."""
        if self.unsettled():
            return Withheld.UNSETTLED
        chosen = len(self.waiting) and differ(self.verdicts[self.disputed], self.waiting)
        return Withheld.SETTLED_BY_CHOICE if chosen else None

    def withheld(self, differ: Differ) -> Withheld | None:
        """Return why the corrected figure is withheld, the gravest reason first; else None.

        `differ` tells whether two groups of verdicts or scores differ significantly.
        """
        others = self.others
        if (why := self.unrepresented(differ)) is not None:
            return why
        if len(self.ratings) > 1 and not len(others):
            return Withheld.ALL_RATED
        if len(self.ratings) < LEAST_RATED or len(others) < LEAST_OTHERS:
            return Withheld.TOO_FEW
        if differ(self.rated, others):
            return Withheld.NOT_RANDOM
        if not spread(self.verdicts) and spread(np.concatenate([self.verdicts, others])):
            return Withheld.ONE_VERDICT
        together = _covariance(self.verdicts, self.ratings, self.weights)
        return Withheld.NO_BETTER if spread(self.ratings) and together <= _ROUNDING else None


_ROUNDING = 1e-12


def accuracy(judged: Sequence[Judged]) -> Accuracy:
    """Estimate the accuracy of the answers. Answers without a verdict are left out."""
    sample = Sample.of(judged)
    withheld = sample.withheld(_shares_differ)
    power = None if withheld else best_power(sample)
    plain = None if withheld else 1.0
    differing = int((sample.verdicts != sample.ratings).sum())
    return Accuracy(
        naive=_share("naive", np.concatenate([sample.rated, sample.others])),
        human=human_sample([each for each in judged if each.judge is not None]),
        corrected=corrected_figure("corrected", sample, plain, differing),
        tuned=corrected_figure("tuned", sample, power, differing),
        withheld=withheld,
        power=power,
        differing=differing,
        sampled=_share("sampled", sample.rated),
        unsampled=_share("unsampled", sample.others),
        p_random=_equal_shares_p(sample.rated, sample.others),
    )


def human_sample(judged: Sequence[Judged], settled_by_choice: bool = False) -> HumanSample:
    """Estimate the accuracy from people's judgements alone, ignoring the verdicts in `judged`.

    `settled_by_choice`: by a judge's verdicts the settled disputes do not represent the others.
    """
    sample = Sample.of([replace(each, judge=False) for each in judged])
    settled = sample.ratings[sample.disputed]
    withheld = Withheld.SETTLED_BY_CHOICE if settled_by_choice else None
    withheld = Withheld.UNSETTLED if sample.unsettled() else withheld
    return HumanSample(
        people=Figure("people", None, len(sample.ratings)) if withheld else _people(sample),
        disputed=share_figure("disputed", len(settled) + len(sample.waiting), len(sample.rated)),
        found=_share("found", settled),
        waiting=len(sample.waiting),
        bounds=_bounds(sample),
        withheld=withheld,
    )


def predicted(name: str, sample: Sample, power: float) -> Figure:
    """Return the prediction-powered mean of ratings, verdicts weighed by `power`; n counts ratings.

    Raises ValueError if there are no rated or no other answers. The interval is the normal one
    of the paper, clipped to 0 … 1; there is none if all answers are equal.
    """
    n, others = len(sample.ratings), sample.others
    if not n or not len(others):
        raise ValueError("a correction takes answers that people rated, and others")
    gap, variance = two_phase(
        sample.ratings - power * sample.verdicts, sample.disputed, len(sample.waiting)
    )
    value = power * float(others.mean()) + gap
    error = sqrt(power**2 * float(others.var()) / len(others) + variance)
    if error == 0:  # no variation in the sample, so the error is unknown
        return Figure(name, _clip_to_share(value), n)
    return normal_figure(name, value, error, n)


def normal_figure(name: str, value: float, error: float, n: int) -> Figure:
    """Return a figure with the normal interval of its standard error, clipped to 0 … 1."""
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    low, middle, high = map(_clip_to_share, (value - half, value, value + half))
    return Figure(name, middle, n, low, high)


def two_phase(values: Array, disputed: Mask, waiting: int) -> tuple[float, float]:
    """Return the mean over all rated answers and its variance, by two-phase sampling.

    `values` are of the answers with a final human judgement, `waiting` is the number of
    disputed ones without it. See the formula above. Raises ValueError without values, and
    for waiting answers if none of the disputed ones has a value.
    """
    settled, agreed = values[disputed], values[~disputed]
    if not len(values) or (waiting and not len(settled)):
        raise ValueError("no value tells of these answers")
    if not waiting:
        return float(values.mean()), float(values.var()) / len(values)
    count = len(settled) + waiting
    n = len(agreed) + count
    share, middle = count / n, float(settled.mean())
    inner = float(settled.var(ddof=1)) if len(settled) > 1 else 0.0
    apart = float(agreed.mean()) - middle if len(agreed) else 0.0
    within = (1 - share) * float(agreed.var()) if len(agreed) else 0.0
    spread = within + share * inner + share * (1 - share) * apart**2
    variance = spread / n + share**2 * (1 / len(settled) - 1 / count) * inner
    return middle + (1 - share) * apart, variance


def best_power(sample: Sample) -> float:
    """Return the λ between 0 and 1 that minimises the variance of the corrected figure."""
    if not len(sample.others):
        return 0.0
    spread = float(np.concatenate([sample.rated, sample.others]).var())
    if spread == 0:
        return 0.0
    together = _covariance(sample.verdicts, sample.ratings, sample.weights)
    return _clip_to_share(together / ((1 + len(sample.rated) / len(sample.others)) * spread))


def corrected_figure(name: str, sample: Sample, power: float | None, differing: int) -> Figure:
    """Return the corrected figure, without a value if it is withheld (no power).

    It has no interval if judge and people hardly ever differ.
    """
    n = len(sample.ratings)
    if power is None:
        return Figure(name, None, n)
    found = predicted(name, sample, power)
    return Figure(name, found.value, n) if differing < FEW else found


def _people(sample: Sample) -> Figure:
    """Return the share of correct answers in the human sample.

    The interval is Wilson's, over the effective number of independent answers.
    """
    right, n = int(sample.ratings.sum()), len(sample.ratings)
    if not len(sample.waiting):
        return share_figure("people", right, n)
    value, variance = two_phase(sample.ratings, sample.disputed, len(sample.waiting))
    alike = value * (1 - value) / variance if variance else n
    trials = min(alike, len(sample.rated))
    return Figure("people", value, n, *wilson(value * trials, trials))


def _bounds(sample: Sample) -> tuple[float, float] | None:
    """Return people's accuracy if all open disputes were wrong, and if all were right."""
    right, n, open_ = float(sample.ratings.sum()), len(sample.rated), len(sample.waiting)
    return (right / n, (right + open_) / n) if n else None


def _covariance(verdicts: Array, ratings: Array, weights: Array) -> float:
    """Return the weighted covariance of verdicts and ratings."""
    if not len(verdicts):
        return 0.0
    middles = (float(np.average(each, weights=weights)) for each in (verdicts, ratings))
    f, y = (each - middle for each, middle in zip((verdicts, ratings), middles, strict=True))
    return float(np.average(f * y, weights=weights))


def _as_array(values: Sequence[float | None]) -> Array:
    return np.array([value or 0.0 for value in values], dtype=np.float64)


def _share(name: str, verdicts: Array) -> Figure:
    """Return the share of yes."""
    return share_figure(name, int(verdicts.sum()), len(verdicts))


def spread(values: Array) -> float:
    """Return the highest of values less the lowest, 0 without any."""
    return float(values.max() - values.min()) if len(values) else 0.0


def _shares_differ(first: Array, second: Array) -> bool:
    """Return True if the two shares differ significantly."""
    p = _equal_shares_p(first, second)
    return p is not None and p < UNLIKELY


def _equal_shares_p(verdicts: Array, others: Array) -> float | None:
    """Return the p-value of Fisher's exact test of equal shares; None if either side is empty."""
    if not len(verdicts) or not len(others):
        return None
    from scipy.stats import fisher_exact

    table = [[int(each.sum()), int(len(each) - each.sum())] for each in (verdicts, others)]
    return float(fisher_exact(table).pvalue)


def _clip_to_share(value: float) -> float:
    return min(1.0, max(0.0, value))
