"""Whose turn it is to write to a database file: writers come in the order in which they asked.

SQLite has no queue: a writer who finds the file locked sleeps and looks again, so that the file
lies idle while twenty sleep, and who is unlucky waits long. Here the operating system keeps the
queue (``flock`` on the folder) and wakes the next writer when one is done. The kernel ends the turn
of a process that dies. SQLite's own lock still decides who writes: programs that know nothing of
turns are waited for as ever.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Lock, Thread


class WriteTurn:
    """A turn to write, until :meth:`end`."""

    def __init__(self, number: int) -> None:
        self._number: int | None = number  # of the open folder

    def end(self) -> None:
        """Let the next writer go on; a second call does nothing."""
        number, self._number = self._number, None
        if number is not None:
            _give_up(number)


def take_turn(folder: Path, seconds: float) -> WriteTurn | None:
    """Wait for a turn to write to the folder's database, at most so long; None when it passed."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _Wait(number).turn(seconds)
    except OSError:
        os.close(number)
        raise
    return WriteTurn(number)


class _Wait:
    """A wait that can be given up, which a blocked ``flock`` cannot: a thread of its own blocks."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._deciding = Lock()
        self._ours = self._given_up = False

    def turn(self, seconds: float) -> WriteTurn | None:
        thread = Thread(target=self._block, daemon=True)
        thread.start()
        thread.join(seconds)
        with self._deciding:
            self._given_up = not self._ours
            return WriteTurn(self._number) if self._ours else None

    def _block(self) -> None:
        fcntl.flock(self._number, fcntl.LOCK_EX)
        with self._deciding:
            self._ours = not self._given_up
        if not self._ours:
            _give_up(self._number)


def _give_up(number: int) -> None:
    # Unlocked by name: a process that was forked meanwhile holds the open folder too.
    fcntl.flock(number, fcntl.LOCK_UN)
    os.close(number)
