"""Telling the versions of a text that a project keeps: a typology, parallel groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from commands.shell.options import write_text
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.work.editions import Edition


def tell_text(state: State, found: Edition, output: Path | None) -> None:
    """Print the text of a version, or write it to `output`."""
    if output is not None:
        write_text(output, found.text)
    lines = [found.text.rstrip() if output is None else f"Wrote version {found.number}."]
    state.emit(found.as_dict() | {"text": found.text}, lines)


def tell_versions(state: State, found: Sequence[Edition]) -> None:
    """Print a line for each version: its number, when, by whom, and why."""
    lines = [
        f"{each.number:>4}  {f'{each.at:%Y-%m-%d %H:%M}' if each.at else '':<16}  "
        f"{'packaged' if each.packaged else each.person or 'operator':<16}  {each.note}".rstrip()
        for each in found
    ]
    state.emit({"versions": [each.as_dict() for each in found]}, lines)
