"""Tables for export, written as CSV, Markdown or LaTeX.

Every exported table is written here, so that the rules for escaping are in one place: formulas of
spreadsheets (`write_csv`), Markdown and LaTeX.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from errors import UserError, Where, require_known
from normalization import text_width

_NUMBER = re.compile(r"[-−+]?\d[\d.,]*(?:e[-+]?\d+)?(?:\s\[[^]]*\])?(?:\s\S)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# First characters of a spreadsheet formula; in Korea and Japan the wide forms count too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
MARKUP = r"\`*_{}[]#|~$"
"""Characters that Markdown would read as mark-up or a cell's end."""
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
LETTERS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "'": r"\char39{}",
    "–": r"\textendash{}",
    "−": "$-$",
    "▲": r"$\uparrow$",
    "▼": r"$\downarrow$",
    "★": r"$\star$",
    "†": r"\dag{}",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "δ": r"$\delta$",
    "μ": r"$\mu$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
}
_ESCAPES = str.maketrans(LETTERS)
LEAST_P = 0.001  # smaller p-values are shown as below it


@dataclass(frozen=True, slots=True)
class Strong:
    """An emphasised cell, such as the best of its column: bold if the format has bold."""

    text: str


Cell = str | int | float | Strong | None
"""A table cell; None is a missing value: an empty cell, never a zero."""


@dataclass(frozen=True, slots=True)
class Table:
    """A head and rows of as many cells; a title above and notes below, if the format has them.

    A table without a head is its title and notes alone: a line instead of an empty table.
    Raises ValueError for a row of another length.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError("every row has a cell for each column of the head")

    def numeric(self, column: int) -> bool:
        """Return whether a column holds numbers, possibly with an interval or a mark."""
        cells = [text_of(row[column]) for row in self.rows]
        said = [cell for cell in cells if cell not in ("", "–")]
        return bool(said) and all(_NUMBER.fullmatch(cell) for cell in said)


def text_of(cell: object) -> str:
    """Return a cell's text, "" for None; a number with all its digits."""
    if isinstance(cell, Strong):
        return cell.text
    if isinstance(cell, float):
        return repr(cell)
    return "" if cell is None else str(cell)


def one_line(text: str) -> str:
    """Replace every run of white space and control characters by one space.

    LaTeX stops at a control character, and no reader shows one.
    """
    return " ".join(_CONTROL.sub(" ", text).split())


def format_of(file: Path) -> str:
    """Return the format that a file name's ending stands for; UserError for any other."""
    formats = {ending: name for name, ending in ENDINGS.items()}
    ending = file.suffix.removeprefix(".").lower()
    if ending not in formats:
        known = ", ".join(f".{each}" for each in formats)
        raise UserError("experiment_ending", Where(file=str(file)), known=known)
    return formats[ending]


def written(table: Table, format_name: str) -> str:
    """Write the table in one of FORMATS. Raises UserError for another name."""
    require_known("table_format_unknown", FORMATS, name=format_name)
    return FORMATS[format_name](table)


def write_csv(out: TextIO, rows: Iterable[Iterable[object]]) -> None:
    """Write rows, the first being the head, as comma-separated values (RFC 4180).

    Lines end with a line feed. Text that a spreadsheet would run as a formula gets a leading
    apostrophe; numbers do not, even as text.
    """
    lines = csv.writer(out, lineterminator="\n")
    lines.writerows([_csv_cell(cell) for cell in row] for row in rows)


def p_text(value: float | None) -> str:
    """Format a p-value; small ones as below `LEAST_P`, a missing one as a dash."""
    if value is None:
        return "–"
    return f"< {LEAST_P}" if value < LEAST_P else f"{value:.3f}"


def json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as text in JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the text that `write_csv` writes."""
    out = io.StringIO()
    write_csv(out, rows)
    return out.getvalue()


def markdown_row(cells: Iterable[str], special: str = "|") -> str:
    """Return a row of a Markdown table, cells on one line, with `special` characters escaped."""
    letters = str.maketrans({each: f"\\{each}" for each in special})
    return f"| {' | '.join(one_line(cell).translate(letters) for cell in cells)} |"


def markdown_lines(
    head: Sequence[str], rows: Iterable[Sequence[str]], special: str = "|", rule: str = ""
) -> list[str]:
    """Return a Markdown table; `rule` replaces the plain line below the head."""
    rule = rule or markdown_row("---" for _ in head)
    return [markdown_row(head, special), rule, *(markdown_row(row, special) for row in rows)]


def markdown_text(text: str) -> str:
    """Escape text for Markdown, on one line."""
    letters = str.maketrans({each: f"\\{each}" for each in MARKUP})
    return one_line(text).translate(_HTML).translate(letters)


def latex_text(text: str) -> str:
    """Escape text for LaTeX, on one line."""
    # Two hyphens would be set as one dash.
    return one_line(text).translate(_ESCAPES).replace("--", "-{}-").replace("--", "-{}-")


def columns(rows: Sequence[Sequence[str]], left: bool = False) -> list[str]:
    """Return rows as terminal lines; columns behind the first are right-aligned, unless `left`.

    Wide characters such as Hangul take two columns.
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        """Return a row as a line, its cells padded."""
        gaps = [" " * (width - text_width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = (
            f"{gap}{cell}" if at and not left else f"{cell}{gap}"
            for at, (cell, gap) in enumerate(zip(row, gaps, strict=True))
        )
        return "  ".join(cells).rstrip()

    return list(map(line, rows))


def table_lines(table: Table, left: bool = False) -> list[str]:
    """Format a table for the terminal: title, head, rows; the best of a column has a star."""
    if not table.head:
        return [table.title]
    rows = [
        [f"* {cell.text}" if isinstance(cell, Strong) else text_of(cell) for cell in row]
        for row in table.rows
    ]
    return [table.title, *columns([table.head, *rows], left)]


def _csv(table: Table) -> str:
    """Write head and rows; the format has no title or notes."""
    return csv_text([table.head, *table.rows])


def _markdown(table: Table) -> str:
    """Write title, table and notes; numeric columns are right-aligned."""
    if not table.head:
        return "\n\n".join(markdown_text(line) for line in (table.title, *table.notes)) + "\n"
    aligned = ("---:" if table.numeric(column) else "---" for column in range(len(table.head)))
    rows = [[_escaped_cell(cell, markdown_text, "**{}**") for cell in row] for row in table.rows]
    head = [markdown_text(name) for name in table.head]
    lines = markdown_lines(head, rows, special="", rule=markdown_row(aligned))
    title = [f"**{markdown_text(table.title)}**", ""] if table.title else []
    notes = [line for note in table.notes for line in ("", markdown_text(note))]
    return "\n".join([*title, *lines, *notes]) + "\n"


def _latex(table: Table) -> str:
    """Write a ``table`` float, with no packages but what the text needs (Korean: XeLaTeX, a font).

    It has a caption, the head between rules, rows, and notes below. Numeric columns are
    right-aligned. A row never begins with a bracket, which LaTeX would take for an argument of
    the row before it.
    """
    if not table.head:
        return "\n\n".join(latex_text(line) for line in (table.title, *table.notes)) + "\n"
    columns = "".join("r" if table.numeric(at) else "l" for at in range(len(table.head)))
    rows = [
        [_escaped_cell(cell, latex_text, r"\textbf{{{}}}") for cell in row] for row in table.rows
    ]
    lines = [
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{latex_text(table.title)}}}"] if table.title else []),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        _latex_row([latex_text(name) for name in table.head]),
        r"\hline",
        *map(_latex_row, rows),
        r"\hline",
        r"\end{tabular}",
        *(rf"\par\footnotesize {latex_text(note)}" for note in table.notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _csv_cell(cell: object) -> str:
    """Return a cell's text; one that a spreadsheet would run as a formula after an apostrophe."""
    text = text_of(cell)
    harmless = not text.startswith(_FORMULA) or isinstance(cell, int | float) or _is_number(text)
    return text if harmless else f"'{text}"


def _is_number(text: str) -> bool:
    """Return True if a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return not text[:1].isspace()


def _escaped_cell(cell: Cell, escaped: Callable[[str], str], bold: str) -> str:
    """Return a cell's text `escaped`, an emphasised one within the template `bold`."""
    text = escaped(text_of(cell))
    return bold.format(text) if isinstance(cell, Strong) and text else text


def _latex_row(cells: Sequence[str]) -> str:
    first = "{}" if cells and cells[0].startswith(("[", "*")) else ""
    return f"{first}{' & '.join(cells)} \\\\"


FORMATS: Mapping[str, Callable[[Table], str]] = MappingProxyType(
    {"csv": _csv, "markdown": _markdown, "latex": _latex}
)
ENDINGS: Mapping[str, str] = MappingProxyType({"csv": "csv", "markdown": "md", "latex": "tex"})
