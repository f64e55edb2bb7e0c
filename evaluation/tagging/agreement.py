"""Agreement on one sub-factor, prevalence of options, and which definitions need work.

All statistics of a sub-factor are of the same answers: those to the cases with two or more, with
"not stated" an answer like any other. It has no order, so the order of options counts in
`ordered` alone, a figure of its own over the other answers. If several options
can be chosen alpha compares sets (MASI). Kappa and AC1 do not apply to sets.

Sub-factors whose definitions need work are ranked. First come those whose agreement may be
low: by the lower end of its interval, lowest first. Then the others with a reason, by the share
of cases on which people differ, then by comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from evaluation.agreement.interpretation import TENTATIVE, Reading, paradox
from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
)
from evaluation.agreement.ratings import MISSING, Finding, Ratings, Scale, Statistic, measure
from evaluation.figure import RESAMPLES, Figure, share_of
from evaluation.tagging.accuracy import Gathered, Question, Said

Options = tuple[str, ...]  # of an answer, in their order


@dataclass(frozen=True, slots=True)
class FactorAgreement:
    """The agreement figures of one sub-factor.

    `cases` have an answer, `paired` of them two or more, and on `differing` of these people differ.
    `asked_of_some` cases were asked of some people only, since a condition held for them alone.
    `stale` answers name an option removed from the codebook, and count nowhere. `likeness` is
    the mean Jaccard of sets, None where one option is chosen. `unstated` and `prevalence` are mean
    shares of a case's answers. `ordered` is ordinal alpha without "not stated", None
    if options have no order. `paradox` explains a large difference of AC1 and kappa. `pairs` counts
    each two answers that two people gave to one case: equal ones first, in the order of options.
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
    ordered: Finding | None
    likeness: Finding | None
    unstated: Figure
    prevalence: tuple[tuple[str, Figure], ...]
    paradox: Reading | None
    pairs: tuple[tuple[Options, Options, int], ...]

    @property
    def open_share(self) -> float:
        """The share of the cases with two answers on which people differ; 0 without any."""
        return self.differing / self.paired if self.paired else 0.0


def agreement(
    question: Question, answers: Sequence[Said], resamples: int = RESAMPLES, seed: int = 0
) -> FactorAgreement:
    """Compute the agreement figures of a sub-factor. Equal arguments give equal figures.

    Raises ValueError when a person answers a case twice.
    """
    gathered = Gathered(question, tuple(answers))
    ratings = gathered.ratings()
    paired = _paired_ratings(ratings)

    def found(statistic: Statistic, of: Ratings = paired) -> Finding:
        """Compute one statistic."""
        return measure(of, statistic, resamples, seed)

    ac1 = found(GwetAC())
    kappa = found(CohenKappa() if len(paired.raters) == 2 else FleissKappa())
    sets = question.scale is Scale.SETS
    shares = _prevalences(gathered)
    return FactorAgreement(
        key=question.key,
        cases=len(gathered.by_case),
        paired=ratings.pairable,
        differing=gathered.differing,
        asked_of_some=gathered.asked_of_some,
        stale=gathered.stale,
        raw=found(RawAgreement()),
        kappa=kappa,
        alpha=found(KrippendorffAlpha("masi" if sets else "nominal")),
        ac1=ac1,
        ordered=found(KrippendorffAlpha("ordinal"), gathered.ordinal())
        if question.ordered
        else None,
        likeness=found(MeanJaccard()) if sets else None,
        unstated=shares[-1] if question.silent else Figure("unstated", None, 0),
        prevalence=tuple(zip(question.options, shares[:-1], strict=True)),
        paradox=paradox(paired, [kappa, ac1]),
        pairs=_answer_pairs(gathered),
    )


def _answer_pairs(gathered: Gathered) -> tuple[tuple[Options, Options, int], ...]:
    """Count each pair of answers that two people gave to one case; equal ones first, even if 0."""
    place = {option: at for at, option in enumerate(gathered.question.choices)}
    counts: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for answers in gathered.by_case.values():
        places = sorted(tuple(sorted(map(place.__getitem__, answer))) for answer in answers)
        counts.update(combinations(places, 2))
    counts.update({(each, each): 0 for pair in counts for each in pair})
    named = gathered.question.choices
    return tuple(
        (tuple(named[at] for at in one), tuple(named[at] for at in other), count)
        for (one, other), count in sorted(counts.items(), key=lambda e: (e[0][0] != e[0][1], e[0]))
    )


def _paired_ratings(ratings: Ratings) -> Ratings:
    """Return the cases with two answers or more, and the people who gave them."""
    rows = ratings.at(np.flatnonzero(ratings.per_item >= 2))
    answered = (rows.codes != MISSING).any(axis=0)
    return rows.of_raters(*(p for p, any_ in zip(rows.raters, answered, strict=True) if any_))


def _prevalences(gathered: Gathered) -> list[Figure]:
    """Return the prevalence of each option over cases, and last of "not stated"."""
    options = (*gathered.question.options, gathered.question.silent)
    names = [*("prevalence" for _ in options[1:]), "unstated"]
    return [
        share_of(
            name,
            [
                sum(option in answer for answer in answers) / len(answers)
                for answers in gathered.by_case.values()
            ],
        )
        for name, option in zip(names, options, strict=True)
    ]


FLOOR = TENTATIVE  # minimum agreement beyond chance
OFTEN = 0.2  # share of the cases with two answers on which people differ
_TWICE = 2  # cases: a single difference does not discredit a definition
HARDLY = 0.9  # share of "not stated" from which a sub-factor hardly discriminates
_ENOUGH = 10  # minimum cases for that reason


class Why(StrEnum):
    """A reason to work on a definition."""

    LOW = "low"  # the lower end of agreement is below the floor
    DIFFER = "differ"  # people differ often
    CONDITION = "condition"  # asked of some people and not of others
    COMMENTS = "comments"  # people commented on or flagged cases on which they differ
    STALE = "stale"  # answers name removed options
    UNSTATED = "unstated"  # hardly ever stated


@dataclass(frozen=True, slots=True)
class Need:
    """A sub-factor whose definition needs work; `bound` is compared with `FLOOR`."""

    key: str
    reasons: tuple[Why, ...]
    bound: Finding
    comments: int


def needs(agreements: Sequence[FactorAgreement], comments: Mapping[str, int]) -> tuple[Need, ...]:
    """Return the sub-factors with a reason, most urgent first; ties in the order given.

    `comments` counts, by sub-factor, the comments and flags on cases on which people differ on it.
    """
    ranked = []
    for place, each in enumerate(agreements):
        need = _need(each, comments.get(each.key, 0))
        if need.reasons:
            ranked.append((_urgency(need, each, place), need))
    return tuple(need for _, need in sorted(ranked, key=lambda entry: entry[0]))


def _need(each: FactorAgreement, comments: int) -> Need:
    """Return a sub-factor with the reasons to work on its definition; it may have none."""
    bound = _bound(each)
    low = bound.figure.low
    holds = {
        Why.LOW: low is not None and low < FLOOR,
        Why.DIFFER: each.differing >= _TWICE and each.open_share >= OFTEN,
        Why.CONDITION: each.asked_of_some > 0,
        Why.COMMENTS: comments > 0,
        Why.STALE: each.stale > 0,
        Why.UNSTATED: each.cases >= _ENOUGH and (each.unstated.value or 0.0) >= HARDLY,
    }
    reasons = tuple(why for why, is_so in holds.items() if is_so)
    return Need(each.key, reasons, bound, comments)


def _bound(each: FactorAgreement) -> Finding:
    """Return alpha; AC1 if only that has an interval."""
    only_ac1 = each.alpha.figure.low is None and each.ac1.figure.low is not None
    return each.ac1 if only_ac1 else each.alpha


def _urgency(need: Need, each: FactorAgreement, place: int) -> tuple[float, float, int, int]:
    """Return the sort key of a sub-factor's need."""
    low = need.bound.figure.low
    first = low - FLOOR if Why.LOW in need.reasons and low is not None else 1.0
    return first, -each.open_share, -need.comments, place
