"""The 2×2 matrix of a judge and people, in counts and shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.judging.judged import Cell, Judged, both_said
from evaluation.judging.shares import grouped_share
from evaluation.proportion import share_figure


@dataclass(frozen=True, slots=True)
class Matrix:
    """How many answers stand in each cell."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> Matrix:
        """Return the matrix of the answers on which both sides have said something."""
        counts = Counter(each.cell for each in both_said(judged))
        return cls(*(counts[cell] for cell in Cell))

    @property
    def n(self) -> int:
        """How many answers there are in all."""
        return self.tp + self.fp + self.fn + self.tn

    def count(self, cell: Cell) -> int:
        """Return how many answers stand in a cell."""
        found: int = getattr(self, cell.value)
        return found

    def share(self, cell: Cell) -> Figure:
        """Return the share of all answers that stand in a cell."""
        return share_figure(cell.value, self.count(cell), self.n)

    @property
    def agreement(self) -> Figure:
        """The share of answers on which judge and people say the same."""
        return share_figure("agreement", self.tp + self.tn, self.n)

    @property
    def sensitivity(self) -> Figure:
        """Of what people find correct, the share that the judge finds correct."""
        return share_figure("sensitivity", self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> Figure:
        """Of what people find incorrect, the share that the judge finds incorrect."""
        return share_figure("specificity", self.tn, self.tn + self.fp)


@dataclass(frozen=True, slots=True)
class Shares:
    """The figures of a matrix, with intervals that mind answers to the same question.

    `over` and `under` are shares of all answers: judged correct against people, and incorrect.
    """

    agreement: Figure
    sensitivity: Figure
    specificity: Figure
    over: Figure
    under: Figure


def shares(judged: Sequence[Judged]) -> Shares:
    """Return the figures of the answers on which both sides have said something."""
    said = both_said(judged)

    def share(name: str, of: Sequence[Judged], *cells: Cell) -> Figure:
        groups: list[Hashable] = [each.question for each in of]
        return grouped_share(name, [each.cell in cells for each in of], groups)

    correct = [each for each in said if each.people]
    incorrect = [each for each in said if not each.people]
    return Shares(
        agreement=share("agreement", said, Cell.TRUE_POSITIVE, Cell.TRUE_NEGATIVE),
        sensitivity=share("sensitivity", correct, Cell.TRUE_POSITIVE),
        specificity=share("specificity", incorrect, Cell.TRUE_NEGATIVE),
        over=share("over", said, Cell.FALSE_POSITIVE),
        under=share("under", said, Cell.FALSE_NEGATIVE),
    )
