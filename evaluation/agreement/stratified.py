"""Ratios estimated from a stratified random sample, with 95 % intervals that respect the design.

Of each stratum's N questions some n were drawn and m judged, so each of these stands for N ÷ m. A
ratio of totals, as labels that are right to all labels, is the ratio of weighted sums. Its variance
is that of the residuals y − R·x between the questions of a stratum, by linearization and with the
correction for finite populations (W. Cochran, Sampling Techniques, 3rd ed. 1977, sections 6.11 and
5.4): the labels of a question are no independent observations.

A share has Wilson's interval over the effective number of trials, with Student's t for the degrees
of freedom of the design (E. Korn & B. Graubard, Survey Methodology 24:193, 1998); another mean has
Student's interval. Where all is known, there is no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from evaluation.figure import Figure, wilson

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Stratum:
    """A stratum of `size` questions, with (y, x) of each that was judged."""

    size: int
    pairs: Sequence[tuple[float, float]]


def ratio(name: str, strata: Sequence[Stratum], *, share: bool = True) -> Figure:
    """Estimate the ratio of the total of y to the total of x, with n the sum of the x observed.

    `share`: each y is a part of its x. Strata without a judged question are not represented.
    """
    known = [(each.size, np.asarray(each.pairs, dtype=np.float64)) for each in strata if each.pairs]
    observed = int(sum(pairs[:, 1].sum() for _, pairs in known))
    whole = sum(size * pairs[:, 1].mean() for size, pairs in known)
    if not observed:
        return Figure(name, None, 0)
    value = float(sum(size * pairs[:, 0].mean() for size, pairs in known) / whole)
    questions = sum(len(pairs) for _, pairs in known)
    free = max(questions - len(known), 1)
    if questions < 2 or all(len(pairs) >= size for size, pairs in known):
        return Figure(name, value, observed)
    all_, finite = (_variance(known, value, of_finite) / whole**2 for of_finite in (False, True))
    if not share:
        half = _student(free) * float(np.sqrt(finite))
        return Figure(name, value, observed, max(value - half, 0.0), value + half)
    if finite > 0 and 0 < value < 1:
        trials = min(value * (1 - value) / all_, observed) * all_ / finite
    else:  # nothing varies, which tells nothing: as many trials as questions
        trials = questions / (1 - questions / sum(size for size, _ in known))
    trials *= (_Z / _student(free)) ** 2
    return Figure(name, value, observed, *wilson(min(value, 1.0) * trials, trials))


def _variance(known: Sequence[tuple[int, np.ndarray]], value: float, finite: bool) -> float:
    """Return the variance of the residuals' estimated total; `finite`: of finite strata."""
    total = 0.0
    for size, pairs in known:
        residuals, count = pairs[:, 0] - value * pairs[:, 1], len(pairs)
        # A single question shows no variance within its stratum: that around 0 is no smaller.
        spread = residuals.var(ddof=1) if count > 1 else residuals[0] ** 2
        rest = max(1 - count / size, 0.0) if finite else 1.0
        total += size**2 * rest * float(spread) / count
    return total


def _student(free: int) -> float:
    """Return the 97.5 % quantile of Student's t with `free` degrees of freedom."""
    from scipy.stats import t

    return float(t.ppf(0.975, free))
