"""Tables as lines of a terminal, columns below each other in either script."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.tables import Table
from normalization import text_width


def table_lines(table: Table) -> Iterator[str]:
    """Yield the title, the head and the rows; notes are the caller's."""
    if not table.head:
        yield table.title
        return
    rows = [table.head, *(tuple(map(str, row)) for row in table.rows)]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    yield table.title
    for row in rows:
        cells = [cell + " " * (w - text_width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def spent(seconds: float | None) -> str:
    """Return how long an answer took; that nobody knows is said, and is no zero."""
    from annotation.work.submissions import known_seconds

    if seconds is None:
        return "from another tool"
    known = known_seconds(seconds)
    return "time not known" if known is None else f"{known:.0f} s"
