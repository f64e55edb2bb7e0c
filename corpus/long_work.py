"""Long work: its progress, its cancellation, and a pause of the garbage collector.

Cancellation of long work: checked in long loops and before saving.

The caller of stoppable work wraps it in `stoppable`; loops far below call :func:`check_stop`, which
costs next to nothing and does nothing outside such a block.

A pause of the garbage collector while very many plain objects are created.

Python searches for cycles among all objects whenever their number has grown by a quarter. Units,
edges and references of the law have none, but there are hundreds of thousands of them: two fifths
of the time of reading units went into the search, and every thread of the server waited meanwhile.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol

Progress = Callable[[int, int], None]
"""Called with (done, total) during the work, and once at its end."""


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


@contextmanager
def in_bulk() -> Iterator[None]:
    """Pause garbage collection of cycles in the block; for work that creates few of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:  # else an outer block will turn it on
            gc.enable()
