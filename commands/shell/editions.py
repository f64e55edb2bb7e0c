"""Printing and saving the versions of a text that a project keeps: a typology, parallel groups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.options import write_text
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.work.editions import VersionedText

Number = Annotated[int | None, typer.Argument(help="Of this version; else of now.")]
TextOutput = Annotated[Path | None, typer.Option(help="Write it to this file instead.")]


def print_version(
    state: State, versions: VersionedText[Any], number: int | None, output: Path | None
) -> None:
    """Print the text of a version, or write it to `output`."""
    found = versions.edition(*state.chosen, number)
    if output is not None:
        write_text(output, found.text)
    lines = [found.text.rstrip() if output is None else f"Wrote version {found.number}."]
    state.emit(found.as_dict() | {"text": found.text}, lines)


def print_versions(state: State, versions: VersionedText[Any]) -> None:
    """Print a line for each version: its number, when, by whom, and why."""
    found = versions.editions(*state.chosen)
    lines = [
        f"{each.number:>4}  {f'{each.at:%Y-%m-%d %H:%M}' if each.at else '':<16}  "
        f"{'packaged' if each.packaged else each.person or 'operator':<16}  {each.note}".rstrip()
        for each in found
    ]
    state.emit({"versions": [each.as_dict() for each in found]}, lines)


def save_version(
    state: State, versions: VersionedText[Any], text: str, note: str, expected: int | None
) -> int:
    """Save a text as the next version; return its number.

    `expected` is the number of the version that was edited; None is the newest.
    """
    ws, slug = state.chosen
    number = versions.edition(ws, slug).number if expected is None else expected
    return versions.save(ws, slug, text, note, number)


def save_file(
    state: State, versions: VersionedText[Any], text: str, note: str, expected: int | None
) -> None:
    """Save a text as the next version and print its number."""
    new = save_version(state, versions, text, note, expected)
    state.emit({"number": new}, [f"Saved version {new}."])
