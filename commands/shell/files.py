"""Files that commands read and write: texts, and tables in the format of a file's ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from errors import UserError, Where

Value = TypeVar("Value")


def read_text(file: Path, error: str = "guideline_file") -> str:
    """Read a text file (UTF-8). Raises UserError of the code `error` where that cannot be."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = type(problem).__name__
        raise UserError(error, Where(file=str(file)), reason=reason) from problem


def write_text(file: Path, text: str) -> None:
    """Write what somebody asked for to a file. Raises UserError where that cannot be."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error


def check_ending(
    output: Path | None, *endings: str, error: str = "report_ending", **params: object
) -> None:
    """Raise UserError for a file with none of these endings, before anything is computed."""
    if output is not None and output.suffix.lower() not in endings:
        raise UserError(error, Where(file=str(output)), **params)


def write_table(
    output: Path | None, value: Value, writers: Mapping[str, Callable[[Value], str]]
) -> None:
    """Write a value by the writer of the file's ending; nothing where no file is asked for."""
    if output is not None:
        write_text(output, writers[output.suffix.lower()](value))
