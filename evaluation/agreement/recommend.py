"""Which statistic for which task, and every statistic by its key."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.gwet import GwetAC
from evaluation.agreement.kappa import CohenKappa, FleissKappa
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.raw import MeanJaccard, RawAgreement
from evaluation.agreement.statistic import Statistic

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
    """The statistic to report first, those to show beside it, and the key of the words why."""

    main: Statistic
    beside: tuple[Statistic, ...]
    why: str

    @property
    def all(self) -> tuple[Statistic, ...]:
        """The main one, then the others."""
        return (self.main, *self.beside)


def recommended(scale: Scale, raters: int, missing: bool) -> Advice:
    """Return which statistics to report for a scale, so many raters, and with or without gaps.

    `missing`: whether some rater left out some item. Raw agreement is always beside: it is what
    people saw, before anything is taken off for chance.
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
    """Return which statistics to report for these ratings."""
    return recommended(ratings.scale, len(ratings.raters), ratings.missing)


def _advice(why: str, main: str, *beside: str) -> Advice:
    others = tuple(STATISTICS[key] for key in (*beside, "raw"))
    return Advice(STATISTICS[main], others, f"statistics.advice.{why}")
