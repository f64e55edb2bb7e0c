"""Recommended statistics per task, and interpretation of findings in words of the catalogue.

One scale for all statistics that are corrected for chance: Krippendorff's bounds (Content Analysis,
2nd ed. 2004, p. 241), so that kappa, alpha and AC1 of the same answers are not read differently.
A verdict needs the whole interval on one side of a bound.
"""

from __future__ import annotations

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
    """Return which statistics to report, and why."""
    others = tuple(STATISTICS[key] for key in (*further, "raw"))
    return Advice(STATISTICS[main], others, f"statistics.advice.{why}")


TENTATIVE, RELIABLE = 0.667, 0.8  # Krippendorff's bounds
_SHARES = (  # not corrected for chance
    *("raw", "mean_jaccard", "specific", "together", "calibration"),
    *("cer", "wer", "perfect_pages", "character_f1"),
)
_ERRORS = ("cer", "wer")


class Kind(StrEnum):
    """The kind of a statistic's values; different kinds never share a column."""

    CHANCE = "chance"  # agreement beyond chance: 0 is chance, 1 full agreement
    SHARE = "share"  # share of equal, right or unchanged items: 1 is all
    ERROR = "error"  # error rate: 0 is perfect


def kind_of(statistic: str) -> Kind:
    """Return whether a statistic's values are errors, agreement beyond chance, or shares."""
    if statistic in _ERRORS:
        return Kind.ERROR
    return Kind.CHANCE if statistic.startswith(("alpha", "cohen", "fleiss", "ac")) else Kind.SHARE


class Verdict(StrEnum):
    """What the interval of an agreement beyond chance allows to conclude."""

    HIGH = "high"  # reliable
    MIDDLE = "middle"  # for tentative conclusions at least
    LOW = "low"  # not enough
    UNCLEAR = "unclear"  # the interval contains the lower bound: n is too small
    UNKNOWN = "unknown"  # there is no interval


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
    found = [_reading(figure), *_certainty(figure)]
    told = figure.name not in _SHARES and verdict(figure) is Verdict.UNCLEAR  # of n already
    if figure.low is not None and few(finding) and finding.statistic != "calibration" and not told:
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
    return Reading(f"statistics.next.{verdict(figure)}")


def paradox(ratings: Ratings, findings: Iterable[Finding]) -> Reading | None:
    """Return why AC1 is far above kappa (or nominal alpha) if one category prevails; else None.

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


def verdict(figure: Figure) -> Verdict:
    """Classify agreement beyond chance by both interval ends; unknown without an interval."""
    if figure.low is None or figure.high is None:
        return Verdict.UNKNOWN
    if figure.low >= RELIABLE:
        return Verdict.HIGH
    if figure.low >= TENTATIVE:
        return Verdict.MIDDLE
    return Verdict.LOW if figure.high < TENTATIVE else Verdict.UNCLEAR


def _reading(figure: Figure) -> Reading:
    """Return what a share, or the interval of agreement beyond chance, means in words."""
    if figure.name in _SHARES:
        return Reading(f"statistics.reading.{figure.name}", _params(figure))
    bounds = {"tentative": f"{TENTATIVE}", "reliable": f"{RELIABLE:.2f}"}
    key = f"statistics.reading.beyond_chance.{verdict(figure)}"
    return Reading(key, _params(figure) | _ends(figure) | bounds)


def _params(figure: Figure) -> dict[str, object]:
    """Return the numbers that a message names."""
    value = figure.value or 0.0
    return {"value": f"{value:.2f}", "percent": _percent(value), "n": figure.n}


def _certainty(figure: Figure) -> tuple[Reading, ...]:
    """Return the certainty of a figure, unless its reading states it."""
    if figure.name not in _SHARES and verdict(figure) in (Verdict.UNCLEAR, Verdict.UNKNOWN):
        return ()
    key = "unknown" if figure.low is None else "settled"
    return (Reading(f"statistics.certainty.{key}", {**_ends(figure), "n": figure.n}),)


def _ends(figure: Figure) -> dict[str, object]:
    """Return the ends of an interval as text; empty without an interval."""
    if figure.low is None:
        return {}
    return {"low": f"{figure.low:.2f}", "high": f"{figure.high:.2f}"}


def _percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.0f} %"
