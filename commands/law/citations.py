"""The command that reads the citations of any text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.shell.groups import CITATIONS
from commands.shell.state import State


@CITATIONS.command("read")
def read(
    state: State,
    text: Annotated[str, typer.Argument(help="The text; left out where --file names one.")] = "",
    file: Annotated[Path | None, typer.Option(help="A text file (UTF-8).")] = None,
) -> None:
    """Read every citation of a text in the law in use: its status, the units meant, and why."""
    from corpus.files.rows import printable, read_text
    from services.law.citations import read_citations

    name = "" if file is None else printable(str(file))
    said = text if file is None else read_text(file, name)
    found = read_citations(*state.chosen, said, name=name).citations
    lines = []
    for each in found:
        at, status = each.resolution.citation, each.resolution.status
        lines += [f"[{at.start}-{at.end}] {at.text}: {status}", f"  {each.why()}"]
        if each.resolution.unit_ids:
            lines.append(f"  Candidates: {', '.join(each.resolution.unit_ids)}")
    state.emit([each.as_dict() for each in found], lines or ["No citation was found."])
