"""Number of final and pending questions, as shown on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.gold.derivation import GoldItem, Pending
from annotation.gold.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """Numbers of questions by gold outcome.

    `outcomes` counts them by how they became final, or as ``pending``; together they are `total`.
    `no_provision` counts final ones without a provision in the corpus. `reasons` counts why
    questions are pending: one may have several. `inheriting` counts the questions made of options
    of others, which nobody decides on separately, `inheriting_final` those of them with final gold;
    neither is in any other count.
    """

    outcomes: Mapping[Outcome, int]
    no_provision: int
    reasons: Mapping[Pending, int]
    inheriting: int
    inheriting_final: int

    @property
    def total(self) -> int:
        """All questions that people decide on."""
        return sum(self.outcomes.values())

    @property
    def pending(self) -> int:
        """Questions that are not final."""
        return self.outcomes.get("pending", 0)

    @property
    def final(self) -> int:
        """Questions with gold, including "no provision"."""
        return self.total - self.pending


def count_gold(items: Iterable[GoldItem]) -> GoldCounts:
    """Count the items that `annotation.gold.derivation.derive` returns."""
    every = list(items)
    own = [item for item in every if item.inherited is None]
    made = [item for item in every if item.inherited is not None]
    return GoldCounts(
        outcomes=Counter(item.outcome for item in own),
        no_provision=sum(item.settled and item.no_provision for item in own),
        reasons=Counter(reason for item in own for reason in item.pending),
        inheriting=len(made),
        inheriting_final=sum(item.settled for item in made),
    )
