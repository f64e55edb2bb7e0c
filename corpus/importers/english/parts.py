"""Cut the lines of an English section into its text and its parts, (a)/(1)/(ii)/(A)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpus.importers.english.markers import MARKER, Ladder
from corpus.model import Part

_AHEAD = 50  # markers looked at to tell a letter from a numeral
# "(a) Standard. (1) …": a caption between two markers, closed by a full stop or a dash.
_CAPTION = re.compile(r"\s{0,3}[A-Z][^().;]{1,100}(?:\.|—)\s{0,3}(?=\((?:1|i|A|a)\)\s)")


def segment_english(lines: Iterable[str]) -> tuple[str, tuple[Part, ...]]:
    """Return the text, each marked line indented by its depth, and its parts in document order.

    A part whose address stands in the unit already has none, and neither has what it holds.
    """
    kept = [line for line in lines if line]
    runs = [_leading(line) for line in kept]
    flat = [token for run in runs for token, _ in run]
    text, ladder, read = _Text(), Ladder(), 0
    for line, run in zip(kept, runs, strict=True):
        opened: list[tuple[int, str, int]] = []
        for index, (token, at) in enumerate(run, read + 1):
            depth = ladder.place(token, flat[index : index + _AHEAD])
            if depth is None:
                break
            opened.append((depth, token, at))
        read += len(run)
        text.add(line, opened)
    return text.finish()


class _Text:
    """A text that grows line by line, with the parts that are open at its end."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._open: list[tuple[str, int]] = []
        self._parts: list[Part] = []

    def add(self, line: str, opened: list[tuple[int, str, int]]) -> None:
        """Append a line in which parts open, given as (depth, marker, offset)."""
        indent = 2 * opened[0][0] if opened else 0
        start = self._length + (1 if self._lines else 0) + indent
        for depth, token, at in opened:
            self._close(depth, start + at if at else self._length)
            self._open.append((f"({token})", start + at))
        self._lines.append(" " * indent + line)
        self._length = start + len(line)

    def finish(self) -> tuple[str, tuple[Part, ...]]:
        """Close everything and return the text and its parts."""
        self._close(0, self._length)
        kept: dict[str, Part] = {}
        for part in sorted(self._parts, key=lambda each: (each.start, each.path.count("/"))):
            kept.setdefault(part.path, part)
        return "\n".join(self._lines), tuple(kept.values())

    def _close(self, depth: int, end: int) -> None:
        while len(self._open) > depth:
            path = "/".join(name for name, _ in self._open)
            _, start = self._open.pop()
            self._parts.append(Part(path, start, end))


def _leading(line: str) -> list[tuple[str, int]]:
    """Return the markers at the beginning of a line with their offsets."""
    found: list[tuple[str, int]] = []
    at = 0
    while marker := MARKER.match(line, at):
        found.append((marker[1], at))
        at = marker.end()
        if line[at : at + 1] == "(":
            continue
        gap = _CAPTION.match(line, at)
        if gap is None:
            break
        at = gap.end()
    return found
