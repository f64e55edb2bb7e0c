"""A table in Markdown, as GitHub and most readers take it."""

from __future__ import annotations

import re

from evaluation.tables.model import Cell, Strong, Table, one_line, text_of

# What Markdown would read as mark-up, a cell's end or HTML.
_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$])")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write(table: Table) -> str:
    """Return title, table and notes; columns of numbers are set to the right."""
    rule = ["---:" if table.numeric(column) else "---" for column in range(len(table.head))]
    lines = [
        _row([escaped(name) for name in table.head]),
        _row(rule),
        *(_row([_cell(cell) for cell in row]) for row in table.rows),
    ]
    title = [f"**{escaped(table.title)}**", ""] if table.title else []
    notes = [line for note in table.notes for line in ("", escaped(note))]
    return "\n".join([*title, *lines, *notes]) + "\n"


def escaped(text: str) -> str:
    """Return text as Markdown shows it letter by letter, on one line."""
    return _SPECIAL.sub(r"\\\1", one_line(text).translate(_HTML))


def _cell(cell: Cell) -> str:
    text = escaped(text_of(cell))
    return f"**{text}**" if isinstance(cell, Strong) and text else text


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
