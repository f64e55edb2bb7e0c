"""A file of words with their morphemes that several processes may add to at once.

One line per word: the word, a tab, its morphemes with spaces between. Lines are added under a lock,
in whole; a line that a killed process left half written is cut off by whoever adds the next, and
passed over by readers. Two processes that add the same word say the same of it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

_TAIL = 65_536  # bytes read at a time when the end of the last whole line is looked for


class WordFile:
    """The words kept at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, tuple[str, ...]]:
        """Return every word with its morphemes; nothing where there is no file."""
        try:
            kept = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        whole = kept[: kept.rfind(b"\n") + 1].decode("utf-8", "replace")
        known: dict[str, tuple[str, ...]] = {}
        for line in whole.split("\n"):
            word, tab, morphemes = line.partition("\t")
            if tab:
                known[word] = tuple(morphemes.split())
        return known

    def append(self, words: Mapping[str, tuple[str, ...]]) -> None:
        """Add words with their morphemes; the folder is made when absent."""
        lines = "".join(f"{word}\t{' '.join(cut)}\n" for word, cut in words.items())
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # closing the file lets it go
            file.truncate(_end_of_last_line(file.fileno()))
            file.write(lines.encode("utf-8"))
            file.flush()


def _end_of_last_line(file: int) -> int:
    """Return where the last whole line of an open file ends."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - _TAIL)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
