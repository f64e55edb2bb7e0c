"""Position bias of a pairwise judge: whether the order of the answers decides.

Each pair is asked in both orders, and an answer wins it only in both; else it is a tie (L. Zheng et
al., Judging LLM-as-a-judge with MT-Bench and Chatbot Arena, NeurIPS 2023, section 3.4). All figures
are shares of pairs, 0 to 1. The win rate of a single order is included, as SearchFireSafety
publishes it (appendix B.1): the share of pairs whose first answer the judge prefers, a tie not won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scipy.stats import binomtest

from evaluation.figure import Figure, share_figure, share_of


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
        """The answer preferred in both orders; a tie if the orders differ."""
        if self.straight is None or self.swapped is None:
            return None
        return self.straight if self.straight is self.swapped else Winner.TIE


def worth(pair: Pair) -> float | None:
    """Return a pair's value for its first answer: 1 win, 0 loss, ½ tie.

    None unless both orders have a verdict.
    """
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


def _position_wins(pair: Pair, shown: Winner) -> bool:
    """Return whether the answer in that position wins in both orders."""
    other = Winner.SECOND if shown is Winner.FIRST else Winner.FIRST
    return pair.straight is shown and pair.swapped is other


def _shown_first(pair: Pair) -> float | None:
    """Return the share of a pair's preferences for the answer shown first."""
    said = [
        shown
        for shown, winner in ((Winner.FIRST, pair.straight), (Winner.SECOND, pair.swapped))
        if winner is not Winner.TIE
    ]
    won = [pair.straight is Winner.FIRST, pair.swapped is Winner.SECOND]
    return sum(won) / len(said) if said else None


def _sign_test(to_first: int, to_second: int) -> float | None:
    turned = to_first + to_second
    return float(binomtest(to_first, turned).pvalue) if turned else None
