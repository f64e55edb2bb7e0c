"""``python -m tests.version_before``: write anew what is held against later versions.

With ``--meant`` only exports that are not what was kept are written, into an archive that stands
before it: what the version before wrote stays as it was. It takes a minute or two. Look at what
changed in the exports before you commit them, and say in docs/decisions why.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from storage.db.workspace import DATABASE_FILE, Workspace
from tests.commands.called import command_line
from tests.conftest import ROOT
from tests.version_before.exports import PRINTED, WRITTEN, printed, write
from tests.version_before.kept import (
    COMMANDS,
    EXPORTS,
    FOLDER,
    MEANT,
    WORKSPACE,
    commands_of,
    kept_workspace,
    pack,
    printed_place,
    unpacked,
)
from tests.version_before.work import do_all, fixed_clock


def make(folder: Path) -> None:
    """Write everything; `folder` is an empty one to work in."""
    _make_workspace(folder)
    unpacked.cache_clear()
    files = _exports(kept_workspace(folder / "kept"), folder / "out")
    pack(EXPORTS, files)
    commands = commands_of((ROOT / "docs" / "cli.md").read_text(encoding="utf-8"))
    told = json.dumps(commands, indent=1) + "\n"
    (FOLDER / COMMANDS).write_text(told, encoding="utf-8", newline="\n")


def make_meant(folder: Path) -> None:
    """Write the exports that are not what the version before wrote; `folder` is an empty one."""
    workspace = kept_workspace(folder / "kept")
    assert command_line(workspace, "init").returncode == 0
    before = unpacked(EXPORTS)
    now = _exports(workspace, folder / "out")
    changed = [place for place in now if now[place] != before.get(place)]
    pack(MEANT, {place: now[place] for place in changed})


def _exports(workspace: Path, out: Path) -> dict[str, bytes]:
    files = {
        f"{name}/{place}": content
        for name in WRITTEN
        for place, content in write(name, workspace, out / name).items()
    }
    return files | {printed_place(command): printed(command, workspace) for command in PRINTED}


def _make_workspace(folder: Path) -> None:
    """Work in a new workspace and pack its database; all else in it is made again when needed."""
    files = folder / "files"
    files.mkdir()
    with fixed_clock():
        ws = Workspace(folder / "made")
        do_all(ws, files)
    ws.engine.dispose()
    small = folder / "small.db"
    with closing(sqlite3.connect(ws.folder / DATABASE_FILE)) as opened:
        opened.execute("VACUUM INTO ?", (str(small),))
    pack(WORKSPACE, {DATABASE_FILE: small.read_bytes()})


def main() -> int:
    """Make it in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder, patch.dict("os.environ"):
        (make_meant if "--meant" in sys.argv else make)(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
