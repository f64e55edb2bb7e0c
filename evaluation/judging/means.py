"""Mean scores between 0 and 1 given by a judge, corrected by a human sample.

The prediction-powered mean of `evaluation.judging.accuracy`, which holds for any bounded score:
with a judge's scores f on all answers and people's scores Y on a random sample of them. Only
the tests of assumptions differ: scores are compared by ranks (Mann and
Whitney's U), verdicts by shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure, mean_figure
from evaluation.judging.accuracy import (
    FEW,
    LEAST_RATED,
    UNLIKELY,
    Sample,
    Scored,
    Withheld,
    best_power,
    corrected_figure,
    normal_figure,
    spread,
    two_phase,
)

Array = NDArray[np.float64]
_ALIKE = 1e-9  # scores that differ by less are equal


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """Four estimates of a mean score, as in `evaluation.judging.accuracy.Accuracy`.

    `judged`: the judge's scores. `people`: the human sample alone. `corrected` and
    `tuned`: prediction-powered, the second with the power that minimises its variance; without
    a value if `withheld` has a reason. `sure` counts items that score 0 by definition: they are
    in all four means, and in the n of the first alone. `differing` counts the scores in the sample
    that people changed, `waiting` the open disputed ones, `unscored` those without a
    judge's score.
    """

    judged: Figure
    people: Figure
    corrected: Figure
    tuned: Figure
    withheld: Withheld | None
    power: float | None
    differing: int
    waiting: int
    unscored: int
    sure: int

    @property
    def few(self) -> bool:
        """Whether the corrected figure has no interval: too few scores were changed."""
        return self.corrected.value is not None and self.differing < FEW


def corrected_mean(scored: Sequence[Scored], sure: int = 0) -> CorrectedMean:
    """Return the mean score and its corrections, with `sure` additional items of score 0.

    Items without a judge's score are left out. The sample represents the others alone, so its mean
    counts by their share. If the judge scored nothing, the human sample is used alone.
    """
    said = [each for each in scored if each.judge is not None]
    if not said:
        return _by_people_alone(scored, sure)
    sample = Sample.of(said)
    withheld = sample.withheld(_distributions_differ)
    if withheld is Withheld.NO_BETTER and not spread(sample.verdicts):
        withheld = None  # equal scores of all items neither help nor harm
    power = None if withheld else best_power(sample)
    differing = int((np.abs(sample.verdicts - sample.ratings) > _ALIKE).sum())
    share = len(said) / (len(said) + sure)
    plain = None if withheld else 1.0
    return CorrectedMean(
        judged=mean_figure("judged", [*(each.judge for each in said), *([0.0] * sure)]),
        people=_scaled_figure(_human_mean(sample, withheld), share),
        corrected=_scaled_figure(corrected_figure("corrected", sample, plain, differing), share),
        tuned=_scaled_figure(corrected_figure("tuned", sample, power, differing), share),
        withheld=withheld,
        power=power,
        differing=differing,
        waiting=len(sample.waiting),
        unscored=len(scored) - len(said),
        sure=sure,
    )


def _by_people_alone(scored: Sequence[Scored], sure: int) -> CorrectedMean:
    """Return the means from people's scores alone, where the judge scored nothing."""
    sample = Sample.of([replace(each, judge=0.0) for each in scored])
    share = len(scored) / (len(scored) + sure) if scored else 1.0
    nothing = Figure("judged", None, 0)
    people = _human_mean(sample, sample.unrepresented(_distributions_differ))
    return CorrectedMean(
        judged=mean_figure("judged", [0.0] * sure),
        people=_scaled_figure(people, share),
        corrected=replace(nothing, name="corrected", n=len(sample.ratings)),
        tuned=replace(nothing, name="tuned", n=len(sample.ratings)),
        withheld=Withheld.TOO_FEW if sure else None,
        power=None,
        differing=0,
        waiting=len(sample.waiting),
        unscored=len(scored),
        sure=sure,
    )


def _scaled_figure(figure: Figure, share: float) -> Figure:
    """Return a figure with value and interval multiplied by `share`."""
    value, low, high = (
        None if each is None else each * share for each in (figure.value, figure.low, figure.high)
    )
    return Figure(figure.name, value, figure.n, low, high)


def _human_mean(sample: Sample, withheld: Withheld | None) -> Figure:
    """Return the mean of the human sample with the normal interval, clipped to 0 … 1.

    Below the minimum for a corrected figure there is none: it would be too narrow.
    """
    n = len(sample.ratings)
    if not n or withheld in (Withheld.UNSETTLED, Withheld.SETTLED_BY_CHOICE):
        return Figure("people", None, n)
    value, variance = two_phase(sample.ratings, sample.disputed, len(sample.waiting))
    if n < LEAST_RATED or variance == 0:
        return Figure("people", value, n)
    return normal_figure("people", value, sqrt(variance), n)


def _distributions_differ(first: Array, second: Array) -> bool:
    """Return whether Mann and Whitney's U rejects that two groups of scores are alike."""
    if spread(np.concatenate([first, second])) == 0:
        return False
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(first, second, method="asymptotic").pvalue) < UNLIKELY
