"""What several commands share: options, what they are read to, and words about the same results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from evaluation.tables import Cell, Table
    from services.gold.search_coverage import NotSearched, Searched
    from services.law.activation import Outcome


Note = Annotated[str, typer.Option(help="Why it is changed.")]
Expected = Annotated[
    int | None,
    typer.Option(help="Number of the version that was edited; refused if another was saved."),
]
By = Annotated[str, typer.Option("--by", help="Who acts: the name of an adjudicator.")]
Reason = Annotated[str, typer.Option(help="Why, in a sentence or two.")]

Gold = Annotated[
    str,
    typer.Option(
        help="Gold set: people, source (labels of the data) or people-over-source; else the "
        "widest. With :searchable behind it, without gold that is not searched or has no text."
    ),
]
Resamples = Annotated[
    int, typer.Option(help="How many resamples each interval is drawn from: 100 to 20000.")
]
HolmOver = Annotated[
    str,
    typer.Option(
        help="What Holm's correction is over: the tests of one measure, or of the whole table."
    ),
]


def stratum_said(said: str) -> tuple[str, str] | None:
    """Return the column and value of ``column=value``; None for "". Raises UserError otherwise."""
    if not said:
        return None
    column, sign, value = said.partition("=")
    if not (sign and column.strip()):
        raise UserError("stratum_form", said=said)
    return column.strip(), value.strip()


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of a terminal: names on the left and figures on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def table_lines(table: Table) -> list[str]:
    """Return a table as lines of a terminal: title, head and rows, notes."""
    from evaluation.tables import Strong, text_of

    def said(cell: Cell) -> str:
        return f"* {cell.text}" if isinstance(cell, Strong) else text_of(cell)

    rows = [[said(cell) for cell in row] for row in table.rows]
    return [table.title, *aligned([table.head, *rows]), *table.notes]


def adjudicator_named(state: State, name: str) -> int:
    """Return the id of the person of that name. Raises UserError for an unknown name."""
    return person_named(state, name, "by")


def person_named(state: State, name: str, field: str = "name") -> int:
    """Return the id of the person whom an option names. Raises UserError for an unknown name."""
    from annotation.people.members import list_people

    known = list_people(*state.chosen)
    for each in known:
        if each.name == name:
            return each.id
    names = ", ".join(each.name for each in known) or "–"
    raise UserError("person_unnamed", Where(field=field), name=name, known=names)


def chosen_spec(method: str, file: Path | None, given: Mapping[str, object]) -> dict[str, object]:
    """Return the spec of a file, or that of a preset or method with what is given of it."""
    from retrieval.core.registry import known_names, spelled_out, unknown_method
    from retrieval.core.spec_file import parse_spec

    if file is None:
        if method not in known_names():
            raise unknown_method(method)
        parameters = {name: value for name, value in given.items() if value is not None}
        return {**spelled_out(method), **parameters}
    try:
        return parse_spec(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("spec_unreadable", Where(str(file))) from error


def searched_lines(searched: Searched, outside: NotSearched | None) -> list[str]:
    """Return the words that say what a run searched, and which gold it did not."""
    lines = [say("levels.searched_note", levels=searched.say())]
    if outside is not None and outside.units:
        lines.append(say("levels.missed_note", **outside.counted()))
    return lines


def searched_json(searched: Searched, outside: NotSearched | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    counts = None if outside is None else outside.as_dict()
    return {"searched": searched.code, "not_searched": counts}


def outcome_lines(outcome: Outcome | None) -> list[str]:
    """Say what other law in use means, and which commands go on from there."""
    if outcome is None:
        return []
    lines = outcome.lines()
    if outcome.to_check.any:
        lines.append("`touchstone.py compare` lists what is to be checked again.")
    if outcome.to_check.lacking:
        lines.append("`touchstone.py candidates` makes the candidates that are lacking.")
    return lines


def check_ending(output: Path | None) -> None:
    """Raise UserError for a file of a report that is neither CSV nor Markdown by its name."""
    if output is not None and output.suffix.lower() not in (".csv", ".md"):
        raise UserError("report_ending", Where(file=str(output)))


def check_map_ending(output: Path | None) -> None:
    """Raise UserError for a file of a map that is neither CSV nor JSON by its name."""
    if output is not None and output.suffix.lower() not in (".csv", ".json"):
        raise UserError("map_ending", Where(file=str(output)))


def number_of(count: int, one: str, many: str = "") -> str:
    """Return how many of something: ``1 question``, ``1,204 questions``."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def read_text(file: Path, unreadable: str = "guideline_file") -> str:
    """Read a text file in UTF-8. Raises the UserError `unreadable` where that cannot be."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(unreadable, Where(file=str(file))) from error


def write_text(file: Path, text: str) -> None:
    """Write what somebody asked for to a file. Raises UserError where that cannot be."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error
