"""Recommended statistics per task, and interpretation of findings in words of the catalogue.

Sources of the bounds: alpha by Krippendorff (Content Analysis, 2nd ed. 2004, p. 241),
kappa and AC1/AC2 by Landis & Koch (1977), who call their own bounds arbitrary.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
)
from evaluation.agreement.ratings import MISSING, Finding, Ratings, Scale, Statistic
from evaluation.figure import Figure
from messages import say

STATISTICS: dict[str, Statistic] = {
    each.key: each
    for each in (
        RawAgreement(),
        MeanJaccard(),
        CohenKappa(),
        CohenKappa("linear"),
        CohenKappa("quadratic"),
        FleissKappa(),
        KrippendorffAlpha("nominal"),
        KrippendorffAlpha("ordinal"),
        KrippendorffAlpha("interval"),
        KrippendorffAlpha("jaccard"),
        KrippendorffAlpha("masi"),
        GwetAC(),
        GwetAC("linear"),
        GwetAC("quadratic"),
        GwetAC("ordinal"),
    )
}


@dataclass(frozen=True, slots=True)
class Advice:
    """The statistic to report first, those to show beside it, and the message key of the reason."""

    main: Statistic
    beside: tuple[Statistic, ...]
    why: str

    @property
    def all(self) -> tuple[Statistic, ...]:
        """The main statistic, then the others."""
        return (self.main, *self.beside)


def recommended(scale: Scale, raters: int, missing: bool) -> Advice:
    """Return the statistics to report for a scale, number of raters, and with or without gaps.

    `missing`: whether some rater left out some item. Raw agreement is always included: it is
    the agreement before correction for chance.
    """
    if scale is Scale.SETS:
        return _advice("sets", "alpha_masi", "alpha_jaccard", "mean_jaccard")
    if scale is Scale.INTERVAL:
        return _advice("interval", "alpha_interval")
    if scale is Scale.ORDINAL:
        others = ("ac2_quadratic", "alpha_nominal")
        if raters == 2 and not missing:
            kappas = ("cohen_kappa_quadratic", "cohen_kappa_linear")
            return _advice("ordinal_two", *kappas, "alpha_ordinal", *others)
        return _advice("ordinal", "alpha_ordinal", *others)
    if missing:
        return _advice("nominal_gaps", "alpha_nominal", "ac1")
    if raters == 2:
        return _advice("nominal_two", "cohen_kappa", "ac1", "alpha_nominal")
    return _advice("nominal_many", "fleiss_kappa", "ac1", "alpha_nominal")


def recommended_for(ratings: Ratings) -> Advice:
    """Return the statistics to report for these ratings."""
    return recommended(ratings.scale, len(ratings.raters), ratings.missing)


def _advice(why: str, main: str, *further: str) -> Advice:
    others = tuple(STATISTICS[key] for key in (*further, "raw"))
    return Advice(STATISTICS[main], others, f"statistics.advice.{why}")


_ALPHA = ((0.0, 0.667, 0.8), ("none", "low", "middle", "high"))
_KAPPA = (
    (0.0, 0.2, 0.4, 0.6, 0.8),
    ("none", "slight", "fair", "moderate", "substantial", "almost_full"),
)
_SHARES = (  # not corrected for chance
    *("raw", "mean_jaccard", "specific", "together", "calibration"),
    *("cer", "wer", "perfect_pages"),
)
_ERRORS = ("cer", "wer")


class Kind(StrEnum):
    """The kind of a statistic's values; different kinds never share a column."""

    CHANCE = "chance"  # agreement beyond chance: 0 is chance, 1 full agreement
    SHARE = "share"  # share of equal, right or unchanged items: 1 is all
    ERROR = "error"  # error rate: 0 is perfect


def kind_of(statistic: str) -> Kind:
    """Return the kind of a statistic's values."""
    if statistic in _ERRORS:
        return Kind.ERROR
    return Kind.CHANCE if statistic.startswith(("alpha", "cohen", "fleiss", "ac")) else Kind.SHARE


_NEXT = {  # the advice for each band of values
    **dict.fromkeys(("none", "low", "slight", "fair"), "low"),
    **dict.fromkeys(("middle", "moderate", "substantial"), "middle"),
    **dict.fromkeys(("high", "almost_full"), "high"),
}
PARADOX_GAP = 0.2  # between AC1 and kappa or alpha, from which the difference should be explained
FEW = 50  # items below which bootstrap intervals were measured to miss too often (docs)
FEW_KNOWN = 20  # calibration items below which Wilson's interval is wider than 0.4 at worst
_COMMON = 0.6  # share of one category in all ratings that explains such a gap


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence: its message key and parameters, which may be sentences too."""

    key: str
    params: Mapping[str, object] = field(default_factory=dict)

    def say(self, language: str = "en") -> str:
        """Return the sentence in a language."""
        words = {
            name: each.say(language) if isinstance(each, Reading) else each
            for name, each in self.params.items()
        }
        return say(self.key, language, **words)


def read(finding: Finding) -> tuple[Reading, ...]:
    """Return the interpretation of a finding: value and certainty, or why there is none."""
    figure = finding.figure
    if figure.value is None:
        return (Reading(f"statistics.reason.{finding.reason}"),)
    found = [
        Reading(_sentence(finding.statistic, figure.value), _params(figure)),
        _certainty(figure),
    ]
    if figure.low is not None and few(finding) and finding.statistic != "calibration":
        found.append(Reading("statistics.certainty.few", {"n": figure.n}))
    if finding.undefined:
        found.append(Reading("statistics.undefined", {"count": finding.undefined}))
    return tuple(found)


def few(finding: Finding) -> bool:
    """Return whether a finding's value rests on too few items."""
    figure = finding.figure
    least = FEW_KNOWN if finding.statistic == "calibration" else FEW
    return figure.value is not None and figure.n < least


def next_step(finding: Finding) -> Reading:
    """Return the advice for a finding: by its value, for few items, or for a missing value."""
    figure = finding.figure
    if figure.value is None:
        return Reading(f"statistics.next.{finding.reason}")
    if few(finding) and finding.statistic != "calibration":
        return Reading("statistics.next.few", {"least": FEW, "n": figure.n})
    if finding.statistic in _SHARES:
        return Reading(f"statistics.next.{finding.statistic}")
    return Reading(f"statistics.next.{_NEXT[band(finding.statistic, figure.value)]}")


def paradox(ratings: Ratings, findings: Iterable[Finding]) -> Reading | None:
    """Return why AC1 and kappa (or nominal alpha) differ strongly, if they do; else None.

    With most ratings in one category, kappa expects much of the agreement by chance, and a
    few differences weigh heavily (Feinstein & Cicchetti 1990); AC1 expects little.
    """
    values = {finding.statistic: finding.figure.value for finding in findings}
    ac1 = values.get("ac1")
    kappas = (values.get(key) for key in ("cohen_kappa", "fleiss_kappa", "alpha_nominal"))
    kappa = next((value for value in kappas if value is not None), None)
    if ac1 is None or kappa is None or ac1 - kappa < PARADOX_GAP:
        return None
    counts = np.bincount(ratings.codes[ratings.codes != MISSING])
    share = float(counts.max() / counts.sum())
    if share < _COMMON:
        return None
    params = {
        "category": ratings.categories[int(counts.argmax())],
        "share": _percent(share),
        "kappa": f"{kappa:.2f}",
        "ac1": f"{ac1:.2f}",
    }
    return Reading("statistics.paradox", params)


def band(statistic: str, value: float) -> str:
    """Return the name of a value's band; a value on a bound belongs to the higher band."""
    bounds, names = _ALPHA if statistic.startswith("alpha") else _KAPPA
    return names[bisect_right(bounds, value)]


def _sentence(statistic: str, value: float) -> str:
    if statistic in _SHARES:
        return f"statistics.reading.{statistic}"
    family = "alpha" if statistic.startswith("alpha") else "kappa"
    return f"statistics.reading.{family}.{band(statistic, value)}"


def _params(figure: Figure) -> dict[str, object]:
    value = figure.value or 0.0
    return {"value": f"{value:.2f}", "percent": _percent(value), "n": figure.n}


def _certainty(figure: Figure) -> Reading:
    """Return how certain a figure's band is: both ends of its interval in one band, or not."""
    if figure.low is None or figure.high is None:
        return Reading("statistics.certainty.unknown", {"n": figure.n})
    params = {"low": f"{figure.low:.2f}", "high": f"{figure.high:.2f}", "n": figure.n}
    if figure.name in _SHARES or band(figure.name, figure.low) == band(figure.name, figure.high):
        return Reading("statistics.certainty.settled", params)
    return Reading("statistics.certainty.unsettled", params)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
