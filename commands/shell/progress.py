"""Progress of long work on standard error: a bar on a terminal, else a line now and then.

Every long command reports progress this way. Standard output is for the result alone.
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
    """Progress callback; `part` names the current part of the work, if it has several."""

    def __call__(self, done: int, total: int, part: str = "") -> None:
        """Report that `done` of `total` are done."""
        ...


@contextmanager
def bar(label: str) -> Iterator[Report]:
    """Yield a callback that draws a bar on standard error, which is a terminal."""
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
            """Draw the progress."""
            said = escape(_joined(label, part))
            drawn.update(task, completed=done, total=total, description=said)

        yield report


@contextmanager
def lines(label: str) -> Iterator[Report]:
    """Yield a callback; a line is written every ten seconds, whether it is called or not."""
    told = _Lines(label)
    over = Event()

    def keep_telling() -> None:
        """Print the progress at intervals."""
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
    """Progress callback that writes lines to standard error, some seconds apart."""

    def __init__(self, label: str) -> None:
        self._label, self._said = label, label
        self._began = self._told = time.monotonic()
        self._lock = Lock()

    def __call__(self, done: int, total: int, part: str = "") -> None:
        """Record the progress, and write a line if it is time."""
        self._said = f"{_joined(self._label, part)}: {done:,} of {total:,}"
        self.tell()

    def tell(self) -> None:
        """Write a line if the last one is long ago."""
        with self._lock:
            now = time.monotonic()
            if now - self._told >= SECONDS_BETWEEN_LINES:
                self._told = now
                said = f"{self._said} ({now - self._began:,.0f} s)"
                print(said, file=sys.stderr, flush=True)  # noqa: T201


def _joined(label: str, part: str) -> str:
    """Join label and part."""
    return f"{label} {part}" if part else label
