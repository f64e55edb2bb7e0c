"""Which cases to review first: those whose review is likely to move the reported accuracy most.

The figure is the corrected accuracy (`evaluation.judging.estimate`). A case that raters agreed on
counts in its human sample already, and moves it by 1 ÷ n if the review turns it; one that they
differ on is missing, and moves it by how far it lies from the others when it comes in. How likely
each outcome is follows from the votes of the raters and the judge, by the rule of succession:
(votes for it + 1) ÷ (votes + 2).

The order is for cases that people have rated. Which answers people rate has to be left to chance,
or the sample is no longer a random one and no estimate from it holds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Case = TypeVar("Case", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Waiting(Generic[Case]):
    """A case to be reviewed: the judge's verdict and what each rater said."""

    case: Case
    judge: bool
    ratings: tuple[bool, ...]

    @property
    def agreed(self) -> bool | None:
        """What all raters say; None where they differ or nobody has rated."""
        return self.ratings[0] if len(set(self.ratings)) == 1 else None

    @property
    def likely(self) -> float:
        """How likely the review finds the answer correct."""
        votes = (*self.ratings, self.judge)
        return (sum(votes) + 1) / (len(votes) + 2)


@dataclass(frozen=True, slots=True)
class Movement(Generic[Case]):
    """How far the review of a case is expected to move the accuracy, as a share."""

    case: Case
    expected: float


def by_movement(
    waiting: Sequence[Waiting[Case]], decided: Sequence[tuple[bool, bool]] = ()
) -> list[Movement[Case]]:
    """Return the cases, those expected to move the accuracy most first; equal ones as they come.

    `decided` are the verdict and the consensus of cases that are reviewed already: they count in
    the sample, and are not reviewed again. Cases that nobody has rated are left out.
    """
    rated = [each for each in waiting if each.ratings]
    gaps = [found - verdict for verdict, found in decided]
    gaps += [each.agreed - each.judge for each in rated if each.agreed is not None]
    middle = sum(gaps) / len(gaps) if gaps else 0.0
    found = [Movement(each.case, _expected(each, len(gaps), middle)) for each in rated]
    return sorted(found, key=lambda movement: -movement.expected)


def _expected(case: Waiting[Case], n: int, middle: float) -> float:
    agreed, likely = case.agreed, case.likely
    if agreed is not None:
        return (1 - likely if agreed else likely) / n
    moves = {found: abs(found - case.judge - middle) / (n + 1) for found in (True, False)}
    return likely * moves[True] + (1 - likely) * moves[False]
