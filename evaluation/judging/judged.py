"""Judged answers: the 2×2 matrix of a judge and people, and whether the judge errs more on some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evaluation.figure import Figure, share_figure, wilson


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
    `length` is that of the answer, in characters. `disputed` says that people differed on it or
    took it up again, whether or not it is settled since: it is rated even where `people` is None.
    """

    case: Hashable
    question: Hashable
    judge: bool | None
    people: bool | None
    kind: str = ""
    length: int = 0
    disputed: bool = False

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


MAJORITY = "majority"
"""The name under which several judges count as one; no judge of its own has it."""


def majority(votes: Iterable[bool | None]) -> bool | None:
    """Return what more than half of the judges say that said anything; None where none does.

    A tie decides nothing: it is missing, and not broken in anybody's favour.
    """
    said = [vote for vote in votes if vote is not None]
    right = sum(said)
    if 2 * right == len(said):
        return None
    return 2 * right > len(said)


def grouped_share(name: str, hits: Sequence[bool], groups: Sequence[Hashable]) -> Figure:
    """Return the share of `hits`; `groups` names the group of each.

    The interval is Wilson's over the effective number of trials: as many independent ones as have
    the variance that there is between groups (E. Korn & B. Graubard, Survey Methodology 24:193,
    1998). Where each group has one observation, that is their number. Without observations there
    is no value; of a single group there is no interval, as there is none of a single observation.
    """
    if not hits:
        return Figure(name, None, 0)
    if len(set(groups)) == 1:
        return Figure(name, sum(hits) / len(hits), len(hits))
    value, trials = sum(hits) / len(hits), effective(hits, groups)
    return Figure(name, value, len(hits), *wilson(value * trials, trials))


def effective(hits: Sequence[bool], groups: Sequence[Hashable]) -> float:
    """Return how many independent trials tell as much: at most as many as there are.

    Where everything or nothing is a hit, the variance tells nothing: as many as there are groups.
    """
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    count, share = len(number), sum(hits) / len(hits)
    if count == len(hits):
        return float(count)
    if count == 1 or share in (0, 1):
        return float(count)
    at = [number[group] for group in groups]
    apart = np.bincount(at, weights=np.asarray(hits, dtype=np.float64) - share)
    variance = count / (count - 1) * float((apart**2).sum()) / len(hits) ** 2
    if variance == 0:  # every group has the same share: they tell no less than all trials
        return float(len(hits))
    return min(share * (1 - share) / variance, float(len(hits)))


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


BANDS = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that have something in common, and how the judge does on them.

    `name` is the kind of question; for a band of lengths it is empty, and `shortest` and `longest`
    are what there is in the band, in characters.
    """

    name: str
    matrix: Matrix
    shares: Shares
    shortest: int = 0
    longest: int = 0


def by_kind(judged: Sequence[Judged]) -> list[Group]:
    """Return the kinds of questions in the order of their names; answers without one come last."""
    said = both_said(judged)
    kinds = sorted({each.kind for each in said}, key=lambda kind: (not kind, kind))
    return [_group([each for each in said if each.kind == kind], kind) for kind in kinds]


def by_length(judged: Sequence[Judged], bands: int = BANDS) -> list[Group]:
    """Return up to so many bands of about as many answers each, shortest first.

    Answers of one length are never parted, so there may be fewer bands, and uneven ones.
    """
    said = sorted(both_said(judged), key=lambda each: each.length)
    members: dict[int, list[Judged]] = {}
    first: dict[int, int] = {}
    for place, each in enumerate(said):
        band = first.setdefault(each.length, place * bands // len(said))
        members.setdefault(band, []).append(each)
    return [_group(band, "") for band in members.values()]


def _group(members: list[Judged], name: str) -> Group:
    lengths = [member.length for member in members]
    found = shares(members)
    return Group(name, Matrix.of(members), found, min(lengths), max(lengths))
