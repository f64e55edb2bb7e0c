"""Commands that keep the database safe: backup and restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.state import State


def backup(
    state: State,
    file: Annotated[Path, typer.Argument(help="File to write; it must not be there yet.")],
) -> None:
    """Write the whole database to one file. People may go on working meanwhile."""
    from services.backup import back_up

    made = back_up(state.workspace, file)
    rows = sum(made.rows.values())
    result = {"file": str(file), "rows": made.rows, "sha256": made.sha256, "size": made.size}
    lines = [f"Backup: {file} ({rows:,} rows, {file.stat().st_size:,} bytes)"]
    state.emit({**result, "revision": made.revision}, [*lines, f"SHA-256 inside: {made.sha256}"])


def restore(
    state: State,
    file: Annotated[Path, typer.Argument(help="A file that backup wrote, on either database.")],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Also where the workspace is in use; the old is kept."),
    ] = False,
) -> None:
    """Check a backup and put it back, on the database that the workspace is set to."""
    from services.backup import restore as put_back

    done = put_back(state.workspace, file, replace)
    lines = [f"Restored: {', '.join(done.projects) or 'no project'} (of {done.manifest.made_at})"]
    if done.aside is not None:
        lines.append(f"What was there before is kept in: {done.aside}")
    result = {"projects": list(done.projects), "made_at": done.manifest.made_at}
    aside = None if done.aside is None else str(done.aside)
    state.emit({**result, "rows": done.manifest.rows, "aside": aside}, lines)
