"""A table in LaTeX, with no package but what the text itself needs (Korean: XeLaTeX and a font)."""

from __future__ import annotations

from evaluation.tables.model import Cell, Strong, Table, one_line, text_of

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


def write(table: Table) -> str:
    """Return a ``table`` float: caption, head between rules, rows, notes below.

    Columns of numbers are set to the right. A row never begins with a bracket, which LaTeX would
    take for the space after the row before it.
    """
    columns = "".join("r" if table.numeric(at) else "l" for at in range(len(table.head)))
    lines = [
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{escaped(table.title)}}}"] if table.title else []),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        _row([escaped(name) for name in table.head]),
        r"\hline",
        *(_row([_cell(cell) for cell in row]) for row in table.rows),
        r"\hline",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escaped(note)}" for note in table.notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return text as LaTeX sets it letter by letter, on one line."""
    # Two hyphens would be set as one dash.
    return one_line(text).translate(_ESCAPES).replace("--", "-{}-").replace("--", "-{}-")


def _cell(cell: Cell) -> str:
    text = escaped(text_of(cell))
    return rf"\textbf{{{text}}}" if isinstance(cell, Strong) and text else text


def _row(cells: list[str]) -> str:
    first = "{}" if cells and cells[0].startswith(("[", "*")) else ""
    return f"{first}{' & '.join(cells)} \\\\"
