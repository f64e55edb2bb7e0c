"""Agreement beyond chance, between people and between a judge and people: kappa beside AC1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.gwet import GwetAC
from evaluation.agreement.kappa import CohenKappa, FleissKappa
from evaluation.agreement.ratings import Rating, Ratings, Scale
from evaluation.agreement.raw import RawAgreement
from evaluation.agreement.statistic import Finding, Statistic
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
    theirs = [each for each in triples if each[1] in (first, second)]
    by_case: dict[Hashable, int] = {}
    for case, _, _ in theirs:
        by_case[case] = by_case.get(case, 0) + 1
    both = [each for each in theirs if by_case[each[0]] == 2]
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
