"""An answer that was judged, and in which cell of the matrix it stands."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Cell(StrEnum):
    """Where judge and people meet; positive is what the judge finds correct."""

    TRUE_POSITIVE = "tp"  # both find it correct
    FALSE_POSITIVE = "fp"  # the judge alone does: overestimated
    FALSE_NEGATIVE = "fn"  # people alone do: underestimated
    TRUE_NEGATIVE = "tn"  # neither does


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer. `judge` and `people` say whether it is correct, None where nobody has said.

    `question` is what it answers: answers to one question are no independent observations.
    `length` is that of the answer, in characters.
    """

    case: Hashable
    question: Hashable
    judge: bool | None
    people: bool | None
    kind: str = ""
    length: int = 0

    @property
    def cell(self) -> Cell | None:
        """The cell of the matrix; None unless both sides have said."""
        if self.judge is None or self.people is None:
            return None
        return cell_of(self.judge, self.people)


def cell_of(judge: bool, people: bool) -> Cell:
    """Return the cell of a verdict and what people found."""
    if judge:
        return Cell.TRUE_POSITIVE if people else Cell.FALSE_POSITIVE
    return Cell.FALSE_NEGATIVE if people else Cell.TRUE_NEGATIVE


def both_said(judged: Iterable[Judged]) -> list[Judged]:
    """Return the answers on which judge and people have said something."""
    return [each for each in judged if each.cell is not None]
