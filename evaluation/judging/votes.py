"""Several judges as one: the majority of their votes."""

from __future__ import annotations

from collections.abc import Iterable

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
