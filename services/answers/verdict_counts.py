"""Counts of one or more judges' verdicts on a system's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.judging.state import CaseState
from evaluation.figure import Figure, share_of
from evaluation.judging.judged import MAJORITY


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Share of answers found `correct`, with n and interval, and counts of the others.

    `unread` answers were judged without a readable verdict; `ties` have as many correct as
    incorrect verdicts; `not_judged` were not judged. `judges` are the fewest and the most readable
    verdicts behind one of the n answers; None without any.
    """

    correct: Figure
    unread: int
    ties: int
    not_judged: int
    judges: tuple[int, int] | None

    @property
    def answers(self) -> int:
        """Number of answers."""
        return self.correct.n + self.unread + self.ties + self.not_judged

    @property
    def uneven(self) -> bool:
        """Whether answers rest on different numbers of judges."""
        return self.judges is not None and self.judges[0] != self.judges[1]


def verdict_counts(own: Sequence[CaseState], judge: str) -> VerdictCounts:
    """Count the verdicts of a judge, or the majority, on these answers."""
    verdicts = [each.verdict(judge) for each in own]
    values = [None if each is None else float(each) for each in verdicts]
    said = [_readable_verdicts(each, judge) for each in own]
    asked = [judge in each.verdicts or bool(judge == MAJORITY and each.verdicts) for each in own]
    counted = [n for n, verdict in zip(said, verdicts, strict=True) if verdict is not None]
    return VerdictCounts(
        correct=share_of("judge", values),
        unread=sum(there and not n for there, n in zip(asked, said, strict=True)),
        ties=sum(bool(n) and one is None for n, one in zip(said, verdicts, strict=True)),
        not_judged=sum(not there for there in asked),
        judges=(min(counted), max(counted)) if counted else None,
    )


def _readable_verdicts(case: CaseState, judge: str) -> int:
    """Return the number of readable verdicts on an answer."""
    names = case.verdicts if judge == MAJORITY else [judge]
    return sum(case.verdicts.get(name) is not None for name in names)
