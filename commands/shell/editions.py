"""Commands for a versioned text: print it, list its versions, save a new one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import option
from commands.shell.groups import Group
from commands.shell.options import Expected, Note, OfVersion
from commands.shell.state import State
from commands.shell.tables import read_text, write_text

if TYPE_CHECKING:
    from annotation.work.editions import Edition, VersionedText

Instead = Annotated[Path | None, option("Write it to this file instead.")]


def add_version_commands(
    group: Group,
    texts: str,
    file_argument: Any,
    the_text: str,
    *,
    saving: str,
    name: str = "text",
    unreadable: str = "guideline_file",
) -> None:
    """Add the commands `name`, ``versions`` and ``save``; `saving` is the help of the last.

    `texts` names the versions in `annotation.work.versioned_texts`, which is slow to import.
    """

    def versions_of() -> VersionedText[Any]:
        """Return the versions."""
        from annotation.work import versioned_texts

        found: VersionedText[Any] = getattr(versioned_texts, texts)
        return found

    def text(state: State, number: OfVersion = None, output: Instead = None) -> None:
        """Print or write a version."""
        found: Edition = versions_of().edition(*state.chosen, number)
        if output is not None:
            write_text(output, found.text)
        lines = [found.text.rstrip() if output is None else f"Wrote version {found.number}."]
        state.emit(found.as_dict() | {"text": found.text}, lines)

    def versions(state: State) -> None:
        """List the versions."""
        print_versions(state, versions_of().editions(*state.chosen))

    def save(state: State, file: Path, note: Note, expected: Expected = None) -> None:
        """Save a file as a new version."""
        ws, slug = state.chosen
        held = versions_of()
        number = held.edition(ws, slug).number if expected is None else expected
        new = held.save(ws, slug, read_text(file, unreadable), note, number)
        state.emit({"number": new}, [f"Saved version {new}."])

    text.__doc__ = f"Print {the_text} as YAML."
    order = "newest first; the first of the list holds."
    versions.__doc__ = f"List the versions of {the_text}, {order}"
    save.__doc__, save.__annotations__["file"] = saving, file_argument
    for command, function in ((name, text), ("versions", versions), ("save", save)):
        group.command(command)(function)


def print_versions(state: State, editions: Sequence[Edition]) -> None:
    """Print a line per version: number, time, author, note."""
    lines = [
        f"{each.number:>4}  {f'{each.at:%Y-%m-%d %H:%M}' if each.at else '':<16}  "
        f"{'packaged' if each.packaged else each.person or 'operator':<16}  {each.note}".rstrip()
        for each in editions
    ]
    state.emit({"versions": [each.as_dict() for each in editions]}, lines)
