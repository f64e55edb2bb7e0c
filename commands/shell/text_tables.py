"""Tables as lines of a terminal, columns below each other in either script."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from evaluation.tables import Table


def table_lines(table: Table) -> Iterator[str]:
    """Yield the title, the head and the rows; notes are the caller's."""
    if not table.head:
        yield table.title
        return
    rows = [table.head, *(tuple(map(str, row)) for row in table.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    yield table.title
    for row in rows:
        cells = [cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def spent(seconds: float | None) -> str:
    """Return how long an answer took; that nobody knows is said, and is no zero."""
    from annotation.work.submissions import known_seconds

    if seconds is None:
        return "from another tool"
    known = known_seconds(seconds)
    return "time not known" if known is None else f"{known:.0f} s"
