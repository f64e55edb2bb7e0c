"""From what was asked for to what is kept: how many are left after each reason to take one out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A reason, how many it took out, and how many were left then."""

    reason: str
    out: int
    left: int


def funnel(start: int, taken: Iterable[tuple[str, int]]) -> tuple[Step, ...]:
    """Return the steps in the order given. Raises ValueError where more go out than there are."""
    left, steps = start, []
    for reason, out in taken:
        if not 0 <= out <= left:
            raise ValueError(f"{out} cannot go out of {left} for {reason}")
        left -= out
        steps.append(Step(reason, out, left))
    return tuple(steps)
