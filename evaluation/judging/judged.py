"""Judged answers: confusion matrix of judge and people, and its figures by groups of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.figure import Figure, share_figure, share_of
from normalization.grouping import grouped


class Cell(StrEnum):
    """A cell of the confusion matrix; positive: the judge finds the answer correct."""

    TRUE_POSITIVE = "tp"  # both find it correct
    FALSE_POSITIVE = "fp"  # only the judge does: overestimated
    FALSE_NEGATIVE = "fn"  # only people do: underestimated
    TRUE_NEGATIVE = "tn"  # neither does


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer. `judge` and `people` are the verdicts whether it is correct, None if missing.

    `question` is the answered question: answers to one question are no independent observations.
    `length` is that of the answer, in characters. `disputed`: people differed on it or
    reopened it, whether or not it is settled since: it counts as rated even if `people` is None.
    `tied`: as many of several judges find it correct as incorrect: it counts as judged even
    though `judge` is None, and as agreement with nobody.
    """

    case: Hashable
    question: Hashable
    judge: bool | None
    people: bool | None
    kind: str = ""
    length: int = 0
    disputed: bool = False
    tied: bool = False

    @property
    def cell(self) -> Cell | None:
        """The cell of the matrix; None unless both verdicts exist."""
        if self.judge is None or self.people is None:
            return None
        if self.judge:
            return Cell.TRUE_POSITIVE if self.people else Cell.FALSE_POSITIVE
        return Cell.FALSE_NEGATIVE if self.people else Cell.TRUE_NEGATIVE


def judged_and_rated(judged: Iterable[Judged]) -> list[Judged]:
    """Return the answers with verdicts of judge and people; a tie counts as one."""
    return [
        each for each in judged if each.people is not None and (each.judge is not None or each.tied)
    ]


MAJORITY = "majority"
"""The reserved name under which several judges count as one."""


def majority(votes: Iterable[bool | None]) -> bool | None:
    """Return the majority of the votes that are not None; None for a tie or without any.

    A tie is missing, and not broken in anybody's favour.
    """
    said = [vote for vote in votes if vote is not None]
    right = sum(said)
    return None if 2 * right == len(said) else 2 * right > len(said)


def is_tie(votes: Iterable[bool | None]) -> bool:
    """Return whether the judges with a verdict are split evenly."""
    said = [vote for vote in votes if vote is not None]
    return bool(said) and 2 * sum(said) == len(said)


@dataclass(frozen=True, slots=True)
class Matrix:
    """The number of answers in each cell, and of ties between several judges."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    tied: int = 0

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> Matrix:
        """Count the answers with verdicts of both sides."""
        counts = Counter(each.cell for each in judged_and_rated(judged))
        return cls(**{cell.value: counts[cell] for cell in Cell}, tied=counts[None])

    @property
    def n(self) -> int:
        """The number of answers counted: those with verdicts of both sides, ties among them."""
        return self.tp + self.fp + self.fn + self.tn + self.tied

    def count(self, cell: Cell) -> int:
        """Return the number of answers in a cell."""
        found: int = getattr(self, cell.value)
        return found

    def share(self, cell: Cell) -> Figure:
        """Return the share of all answers in a cell."""
        return share_figure(cell.value, self.count(cell), self.n)


@dataclass(frozen=True, slots=True)
class Shares:
    """The figures of a confusion matrix, with intervals clustered by question.

    `over` and `under` are shares of all answers: only the judge, or only people find them correct.
    """

    agreement: Figure
    sensitivity: Figure
    specificity: Figure
    over: Figure
    under: Figure


def shares(judged: Sequence[Judged]) -> Shares:
    """Return the figures of the answers with verdicts of both sides."""
    said = judged_and_rated(judged)

    def share(name: str, of: Sequence[Judged], *cells: Cell) -> Figure:
        """Return the share of answers in these cells."""
        return share_of(name, [each.cell in cells for each in of], [e.question for e in of])

    correct = [each for each in said if each.people]
    incorrect = [each for each in said if not each.people]
    return Shares(
        agreement=share("agreement", said, Cell.TRUE_POSITIVE, Cell.TRUE_NEGATIVE),
        sensitivity=share("sensitivity", correct, Cell.TRUE_POSITIVE),
        specificity=share("specificity", incorrect, Cell.TRUE_NEGATIVE),
        over=share("over", said, Cell.FALSE_POSITIVE),
        under=share("under", said, Cell.FALSE_NEGATIVE),
    )


BANDS = 4


@dataclass(frozen=True, slots=True)
class Group:
    """A group of answers, with the judge's figures on it.

    `name` is the kind of question; for a length band it is empty, and `shortest` and `longest`
    are the actual lengths in the band, in characters.
    """

    name: str
    matrix: Matrix
    shares: Shares
    shortest: int
    longest: int


def by_kind(judged: Sequence[Judged]) -> list[Group]:
    """Group answers by kind of question, sorted by name; answers without one come last."""
    said = judged_and_rated(judged)
    kinds = sorted({each.kind for each in said}, key=lambda kind: (not kind, kind))
    return [_group([each for each in said if each.kind == kind], kind) for kind in kinds]


def by_length(judged: Sequence[Judged], bands: int = BANDS) -> list[Group]:
    """Group answers into up to `bands` bands of about equal size by length, shortest first.

    Answers of equal length stay together, so there may be fewer bands, and uneven ones.
    """
    said = sorted(judged_and_rated(judged), key=lambda each: each.length)
    first: dict[int, int] = {}
    members = grouped(
        (first.setdefault(each.length, place * bands // len(said)), each)
        for place, each in enumerate(said)
    )
    return [_group(band, "") for band in members.values()]


def _group(members: list[Judged], name: str) -> Group:
    """Return the figures of a group of answers."""
    lengths = [member.length for member in members]
    found = shares(members)
    return Group(name, Matrix.of(members), found, min(lengths), max(lengths))
