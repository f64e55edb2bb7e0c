"""How far people agree on one sub-factor, and how often each option is chosen.

Raw agreement, kappa and AC1 take the answers as they are, "not stated" among them. Alpha takes the
order where there is one, over the answers that state something, since "not stated" stands in no
order; where several options can be chosen it compares sets (MASI). Kappa and AC1 are not for sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.gwet import GwetAC
from evaluation.agreement.interpretation import Reading, paradox
from evaluation.agreement.kappa import CohenKappa, FleissKappa
from evaluation.agreement.ratings import MISSING, Ratings, Scale
from evaluation.agreement.raw import MeanJaccard, RawAgreement
from evaluation.agreement.statistic import Finding, Statistic, measure
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, mean_figure
from evaluation.tagging.ratings import Gathered, Question, Said


@dataclass(frozen=True, slots=True)
class FactorAgreement:
    """Everything about one sub-factor that people's answers tell.

    `cases` have an answer, `paired` of them two or more, and on `differing` of these people differ.
    `asked_of_some` cases it was asked of some people only, since a condition held for them alone.
    `stale` answers name an option that the codebook has no more, and count nowhere. `likeness` is
    the mean Jaccard of sets, None where one option is chosen. `unstated` and `prevalence` are mean
    shares of a case's answers. `paradox` says why AC1 and alpha differ strongly, where they do.
    """

    key: str
    cases: int
    paired: int
    differing: int
    asked_of_some: int
    stale: int
    raw: Finding
    kappa: Finding
    alpha: Finding
    ac1: Finding
    likeness: Finding | None
    unstated: Figure
    prevalence: tuple[tuple[str, Figure], ...]
    paradox: Reading | None

    @property
    def open_share(self) -> float:
        """The share of the cases with two answers on which people differ; 0 without any."""
        return self.differing / self.paired if self.paired else 0.0


def agreement(
    question: Question, said: Sequence[Said], resamples: int = RESAMPLES, seed: int = 0
) -> FactorAgreement:
    """Return what the answers tell. Equal arguments give equal figures.

    Raises ValueError when a person answers a case twice.
    """
    gathered = Gathered(question, tuple(said))
    ratings = gathered.ratings()
    paired = _paired(ratings)

    def found(statistic: Statistic, of: Ratings = ratings) -> Finding:
        return measure(of, statistic, resamples, seed)

    ac1 = found(GwetAC())
    kappa = found(_kappa(paired), paired)
    sets = question.scale is Scale.SETS
    shares = _shares(gathered, resamples, seed)
    return FactorAgreement(
        key=question.key,
        cases=len(gathered.by_case),
        paired=ratings.pairable,
        differing=gathered.differing,
        asked_of_some=gathered.asked_of_some,
        stale=gathered.stale,
        raw=found(RawAgreement()),
        kappa=kappa,
        alpha=_alpha(gathered, ratings, resamples, seed),
        ac1=ac1,
        likeness=found(MeanJaccard()) if sets else None,
        unstated=shares[-1] if question.silent else Figure("unstated", None, 0),
        prevalence=tuple(zip(question.options, shares[:-1], strict=True)),
        paradox=None if sets or not paired.items else paradox(paired, [kappa, ac1]),
    )


def _paired(ratings: Ratings) -> Ratings:
    """Return the cases with two answers or more, and the people who gave them."""
    rows = ratings.at(np.flatnonzero(ratings.per_item >= 2))
    answered = (rows.codes != MISSING).any(axis=0)
    return rows.of_raters(*(p for p, any_ in zip(rows.raters, answered, strict=True) if any_))


def _kappa(paired: Ratings) -> Statistic:
    """Return Cohen's kappa of two people, and Fleiss' of more."""
    return CohenKappa() if len(paired.raters) == 2 else FleissKappa()


def _alpha(gathered: Gathered, ratings: Ratings, resamples: int, seed: int) -> Finding:
    question = gathered.question
    if question.scale is Scale.SETS:
        return measure(ratings, KrippendorffAlpha("masi"), resamples, seed)
    if question.ordered:
        return measure(gathered.ordinal(), KrippendorffAlpha("ordinal"), resamples, seed)
    return measure(ratings, KrippendorffAlpha(), resamples, seed)


def _shares(gathered: Gathered, resamples: int, seed: int) -> list[Figure]:
    """Return how often each option is chosen, and last that nothing is stated."""
    options = (*gathered.question.options, gathered.question.silent)
    names = [*("prevalence" for _ in options[1:]), "unstated"]
    return [
        mean_figure(
            name,
            [
                sum(option in answer for answer in answers) / len(answers)
                for answers in gathered.by_case.values()
            ],
            resamples,
            seed,
        )
        for name, option in zip(names, options, strict=True)
    ]
