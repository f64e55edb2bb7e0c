"""Reading and writing of text files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from errors import UserError, Where

Value = TypeVar("Value")
WIDEST = 60  # characters of a name in a terminal; files have the whole name


def read_text(file: Path, error: str = "guideline_file") -> str:
    """Read a UTF-8 text file. Raises UserError with code `error` if it is unreadable."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = type(problem).__name__
        raise UserError(error, Where(file=str(file)), reason=reason) from problem


def write_text(file: Path, text: str) -> None:
    """Write a text file. Raises UserError if that fails."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error


def check_ending(
    output: Path | None, *endings: str, error: str = "report_ending", **params: object
) -> None:
    """Raise UserError for a file name with none of these extensions, before any computation."""
    if output is not None and output.suffix.lower() not in endings:
        raise UserError(error, Where(file=str(output)), **params)


def write_table(
    output: Path | None, value: Value, writers: Mapping[str, Callable[[Value], str]]
) -> None:
    """Write a value with the writer for the file's extension; do nothing without a file."""
    if output is not None:
        write_text(output, writers[output.suffix.lower()](value))
