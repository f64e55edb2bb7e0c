"""Cancellation of long work: checked in long loops and before saving.

The caller of stoppable work wraps it in `stoppable`; loops far below call :func:`check_stop`, which
costs next to nothing and does nothing outside such a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol


class Stopper(Protocol):
    """The source of cancellation."""

    def check(self) -> None:
        """Raise the error that ends the work, if it was cancelled."""

    def keeping(self) -> AbstractContextManager[None]:
        """Check, and return the context of saving the results, in which no cancellation occurs."""


_STOPPER: ContextVar[Stopper | None] = ContextVar("stopper", default=None)


@contextmanager
def stoppable(stopper: Stopper) -> Iterator[None]:
    """Let `stopper` be checked by the work in the block, in this thread."""
    before = _STOPPER.set(stopper)
    try:
        yield
    finally:
        _STOPPER.reset(before)


def check_stop() -> None:
    """Raise the error that ends the work, if it was cancelled."""
    stopper = _STOPPER.get()
    if stopper is not None:
        stopper.check()


def keeping() -> AbstractContextManager[None]:
    """Return the context of saving work: cancelled work is not saved."""
    stopper = _STOPPER.get()
    return nullcontext() if stopper is None else stopper.keeping()
