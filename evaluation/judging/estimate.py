"""Agreement of a judge with people, and the order of cases for review.

Cases come first whose review is likely to change the reported accuracy most. The
figure is the corrected accuracy (`evaluation.judging.accuracy`). A case on which raters agreed
counts in its human sample already, and changes it by 1 ÷ n if the review reverses it; a
disputed one is missing, and changes it by its distance from the others when added. The probability
of each outcome follows from the votes of the raters and the judge, by the rule of succession:
(votes for it + 1) ÷ (votes + 2).

The order is for cases that people have rated. Which answers people rate has to be random,
or the sample is not random and no estimate from it holds.

Position bias of a pairwise judge: whether the order of the answers decides.

Each pair is asked in both orders, and an answer wins it only in both; else it is a tie (L. Zheng et
al., Judging LLM-as-a-judge with MT-Bench and Chatbot Arena, NeurIPS 2023, section 3.4). All figures
are shares of pairs, 0 to 1. The win rate of a single order is included, as SearchFireSafety
publishes it (appendix B.1): the share of pairs whose first answer the judge prefers, a tie not won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any, Generic, TypeVar

from scipy.stats import binomtest

from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.kappa import CohenKappa, FleissKappa, GwetAC, RawAgreement
from evaluation.agreement.ratings import Finding, Rating, Ratings, Scale, Statistic
from evaluation.figure import Figure, share_figure, share_of
from evaluation.judging.judged import Judged, judged_and_rated

JUDGE, PEOPLE = "judge", "people"
_CATEGORIES = (True, False)
_TIE = "tie"  # the category of a tied vote of several judges, which people never use


@dataclass(frozen=True, slots=True)
class Between:
    """Agreement of two sides, or of all people (`second` is None). The n is in the findings."""

    first: Hashable
    second: Hashable | None
    raw: Finding
    kappa: Finding
    ac1: Finding


def judge_and_people(judged: Sequence[Judged], seed: int = 0) -> Between:
    """Measure the agreement of judge and people on answers that both judged; Cohen's kappa."""
    said = judged_and_rated(judged)
    triples: list[Rating] = [(each.case, JUDGE, _TIE if each.tied else each.judge) for each in said]
    triples += [(each.case, PEOPLE, each.people) for each in said]
    questions = {each.case: each.question for each in said}
    return _agreement_between(triples, questions, JUDGE, PEOPLE, seed)


def all_people(
    ratings: Iterable[Rating], questions: Mapping[Any, Hashable], seed: int = 0
) -> Between:
    """Measure the agreement of all raters; Fleiss' kappa.

    `ratings` are (case, rater, correct or not); `questions` maps cases to their questions.
    """
    table = Ratings.of(ratings, Scale.NOMINAL, _CATEGORIES)
    groups = [questions[item] for item in table.items]
    return Between(PEOPLE, None, *_measure_all(table, FleissKappa(), groups, seed))


def pairs_of_people(
    ratings: Iterable[Rating], questions: Mapping[Any, Hashable], seed: int = 0
) -> list[Between]:
    """Measure the agreement of every two raters with common cases; Cohen's kappa."""
    triples = list(ratings)
    raters = list(dict.fromkeys(rater for _, rater, _ in triples))
    found = [_agreement_between(triples, questions, a, b, seed) for a, b in combinations(raters, 2)]
    return [each for each in found if each.raw.figure.n]


def _agreement_between(
    triples: Sequence[Rating],
    questions: Mapping[Any, Hashable],
    first: Hashable,
    second: Hashable,
    seed: int,
) -> Between:
    """Return the agreement of two raters, over the cases that both rated."""
    theirs = [triple for triple in triples if triple[1] in (first, second)]
    raters = Counter(case for case, _, _ in theirs)
    both = [each for each in theirs if raters[each[0]] == 2]
    tied = (_TIE,) if any(value == _TIE for *_, value in both) else ()
    table = Ratings.of(both, Scale.NOMINAL, (*_CATEGORIES, *tied))
    if table.raters:
        table = table.of_raters(first, second)
    groups = [questions[item] for item in table.items]
    return Between(first, second, *_measure_all(table, CohenKappa(), groups, seed))


def _measure_all(
    table: Ratings, kappa: Statistic, groups: Sequence[Hashable], seed: int
) -> tuple[Finding, Finding, Finding]:
    """Return raw agreement, kappa and AC1."""
    raw, kappa_found, ac1 = (
        measure_in_groups(table, each, groups, seed=seed)
        for each in (RawAgreement(), kappa, GwetAC())
    )
    return raw, kappa_found, ac1


Case = TypeVar("Case", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Waiting(Generic[Case]):
    """A case waiting for review: the judge's verdict and the ratings."""

    case: Case
    judge: bool
    ratings: tuple[bool, ...]

    @property
    def agreed(self) -> bool | None:
        """The unanimous rating; None if raters differ or nobody has rated."""
        return self.ratings[0] if len(set(self.ratings)) == 1 else None

    @property
    def likely(self) -> float:
        """The estimated probability that the review finds the answer correct."""
        votes = (*self.ratings, self.judge)
        return (sum(votes) + 1) / (len(votes) + 2)


@dataclass(frozen=True, slots=True)
class Movement(Generic[Case]):
    """The expected change of the accuracy by a case's review, as a share."""

    case: Case
    expected: float


def by_movement(
    waiting: Sequence[Waiting[Case]], decided: Sequence[tuple[bool, bool]] = ()
) -> list[Movement[Case]]:
    """Return the cases by descending expected change of the accuracy, ties in input order.

    `decided` are the verdict and the consensus of cases that are reviewed already: they count in
    the sample, and are not reviewed again. Unrated cases are left out.
    """
    rated = [each for each in waiting if each.ratings]
    gaps = [found - verdict for verdict, found in decided]
    gaps += [each.agreed - each.judge for each in rated if each.agreed is not None]
    middle = sum(gaps) / len(gaps) if gaps else 0.0
    found = [Movement(each.case, _expected_change(each, len(gaps), middle)) for each in rated]
    return sorted(found, key=lambda movement: -movement.expected)


def _expected_change(case: Waiting[Case], n: int, middle: float) -> float:
    """Return the expected change of the accuracy by a case's review, given the known gaps.

    A gap is people less judge: `n` of them are known, `middle` is their mean.
    """
    agreed, likely = case.agreed, case.likely
    if agreed is not None:
        return (1 - likely if agreed else likely) / n
    moves = {found: abs(found - case.judge - middle) / (n + 1) for found in (True, False)}
    return likely * moves[True] + (1 - likely) * moves[False]


class Winner(StrEnum):
    """The answer of a pair that a judge prefers, whatever its position."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Pair:
    """A judge's preferences between two answers, with `first` shown first and shown second.

    None if an order was not asked, or had no verdict.
    """

    straight: Winner | None
    swapped: Winner | None

    @property
    def winner(self) -> Winner | None:
        """The answer preferred in both orders, a tie if they differ; None without both verdicts."""
        if self.straight is None or self.swapped is None:
            return None
        return self.straight if self.straight is self.swapped else Winner.TIE


def worth(pair: Pair) -> float | None:
    """Return a pair's value for its first answer: 1 win, 0 loss, ½ tie; None without verdicts."""
    return {Winner.FIRST: 1.0, Winner.SECOND: 0.0, Winner.TIE: 0.5, None: None}[pair.winner]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Position bias of a pairwise judge, over the pairs with a verdict in both orders.

    `consistent`: the share with the same winner in both orders. `shown_first`: of the verdicts
    that prefer one answer, the share that prefers the one shown first; ½ without bias, with
    its interval over pairs. `to_first` and `to_second` count the pairs in which the answer in that
    position wins both times; `p` is that of the sign test between the two (exact, two-sided).
    `wins`: the share of pairs that `first` wins, with a tie as half a win. `preferred`: the share
    in which it is preferred when shown first (if that order was not asked, when shown
    second), of all pairs with a verdict in that order. `half_asked` pairs have a verdict in one
    order only, `silent` ones were asked and have no readable verdict.
    """

    pairs: int
    half_asked: int
    silent: int
    consistent: Figure
    shown_first: Figure
    to_first: int
    to_second: int
    p: float | None
    wins: Figure
    preferred: Figure

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of a judge, as shown in reports."""
        return self.wins, self.consistent, self.shown_first, self.preferred


def position_bias(pairs: Sequence[Pair]) -> PositionBias:
    """Measure position bias over the pairs with a verdict in both orders.

    `preferred` also takes pairs with a verdict in one order; the rest are only counted.
    """
    both = [pair for pair in pairs if pair.winner is not None]
    said = [pair for pair in pairs if pair.straight is not None or pair.swapped is not None]
    to_first = sum(_position_wins(each, Winner.FIRST) for each in both)
    to_second = sum(_position_wins(each, Winner.SECOND) for each in both)
    straight = [pair.straight for pair in said if pair.straight is not None]
    once = straight or [pair.swapped for pair in said if pair.swapped is not None]
    same = sum(each.straight is each.swapped for each in both)
    return PositionBias(
        pairs=len(both),
        half_asked=len(said) - len(both),
        silent=len(pairs) - len(said),
        consistent=share_figure("consistent", same, len(both)),
        shown_first=share_of("shown_first", [_shown_first(each) for each in both]),
        to_first=to_first,
        to_second=to_second,
        p=_sign_test(to_first, to_second),
        wins=share_of("wins", [worth(each) for each in both]),
        preferred=share_figure("preferred", once.count(Winner.FIRST), len(once)),
    )


def _position_wins(pair: Pair, position: Winner) -> bool:
    """Return whether the answer in that position wins in both orders."""
    other = Winner.SECOND if position is Winner.FIRST else Winner.FIRST
    return pair.straight is position and pair.swapped is other


def _shown_first(pair: Pair) -> float | None:
    """Return the share of a pair's preferences for the answer shown first; None without any."""
    said = [
        shown
        for shown, winner in ((Winner.FIRST, pair.straight), (Winner.SECOND, pair.swapped))
        if winner is not Winner.TIE
    ]
    won = [pair.straight is Winner.FIRST, pair.swapped is Winner.SECOND]
    return sum(won) / len(said) if said else None


def _sign_test(to_first: int, to_second: int) -> float | None:
    """Return p of the exact two-sided sign test; None without observations."""
    turned = to_first + to_second
    return float(binomtest(to_first, turned).pvalue) if turned else None
