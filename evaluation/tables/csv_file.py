"""A table as comma-separated values (RFC 4180, lines end with a line feed)."""

from __future__ import annotations

import csv
import io

from evaluation.tables.model import Cell, Table, text_of

# How a cell begins that a spreadsheet would run; in Korea and Japan the wide forms count too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write(table: Table) -> str:
    """Return the head and rows; title and notes have no place in the format.

    Text that a spreadsheet would take for a formula has an apostrophe before it; numbers have not.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in table.head])
    writer.writerows([_cell(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def _cell(cell: Cell) -> str:
    text = text_of(cell)
    harmless = isinstance(cell, int | float) or _is_number(text)
    return f"'{text}" if not harmless and text.startswith(_FORMULA) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return not text[:1].isspace()
