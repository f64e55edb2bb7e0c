"""Whether somebody has stopped the work that is going on: asked in long loops and before keeping.

Whoever runs work that can be stopped says so by `stoppable`; loops far below ask with
:func:`check_stop`, which costs next to nothing and does nothing where nobody can stop the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol


class Stopper(Protocol):
    """What knows whether the work was stopped."""

    def check(self) -> None:
        """Raise the error that ends the work, if it was stopped."""

    def keeping(self) -> AbstractContextManager[None]:
        """Check, and return the context in which what was done is kept: no stop comes between."""


_STOPPER: ContextVar[Stopper | None] = ContextVar("stopper", default=None)


@contextmanager
def stoppable(stopper: Stopper) -> Iterator[None]:
    """Have `stopper` asked by what is done in the block, in this thread."""
    before = _STOPPER.set(stopper)
    try:
        yield
    finally:
        _STOPPER.reset(before)


def check_stop() -> None:
    """Raise the error that ends the work, if somebody has stopped it."""
    stopper = _STOPPER.get()
    if stopper is not None:
        stopper.check()


def keeping() -> AbstractContextManager[None]:
    """Return the context in which work is kept: what was stopped before is not kept."""
    stopper = _STOPPER.get()
    return nullcontext() if stopper is None else stopper.keeping()
