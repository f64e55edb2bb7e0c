"""How far long work has come, on standard error: a bar on a terminal, else lines now and then.

Every long command tells it by this one machine. Standard output is the result's alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Protocol

SECONDS_BETWEEN_LINES = 10.0
_POLL_SECONDS = 0.5


class Report(Protocol):
    """Hears how far work has come; `part` says at which part of it, where it has several."""

    def __call__(self, done: int, total: int, part: str = "") -> None:
        """Draw that so many of `total` are done."""
        ...


@contextmanager
def bar(label: str) -> Iterator[Report]:
    """Yield what draws a bar on standard error, which is a terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    drawn = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
    )
    with drawn:
        task = drawn.add_task(label, total=None)

        def report(done: int, total: int, part: str = "") -> None:
            said = escape(_joined(label, part))
            drawn.update(task, completed=done, total=total, description=said)

        yield report


@contextmanager
def lines(label: str) -> Iterator[Report]:
    """Yield what hears how far work is; a line is written every ten seconds, heard of or not."""
    told = _Lines(label)
    over = Event()

    def keep_telling() -> None:
        while not over.wait(_POLL_SECONDS):
            told.tell()

    teller = Thread(target=keep_telling, name="progress", daemon=True)
    teller.start()
    try:
        yield told
    finally:
        over.set()
        teller.join()


class _Lines:
    def __init__(self, label: str) -> None:
        self._label, self._said = label, label
        self._began = self._told = time.monotonic()
        self._lock = Lock()

    def __call__(self, done: int, total: int, part: str = "") -> None:
        """Remember how far work is, and say so if it is time."""
        self._said = f"{_joined(self._label, part)}: {done:,} of {total:,}"
        self.tell()

    def tell(self) -> None:
        """Write a line if the last was long ago."""
        with self._lock:
            now = time.monotonic()
            if now - self._told >= SECONDS_BETWEEN_LINES:
                self._told = now
                said = f"{self._said} ({now - self._began:,.0f} s)"
                print(said, file=sys.stderr, flush=True)  # noqa: T201


def _joined(label: str, part: str) -> str:
    return f"{label} {part}" if part else label
