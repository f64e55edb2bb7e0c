"""``python -m tests.version_before``: write anew what is held against later versions.

It takes a minute or two. Look at what changed in the exports before you commit them.
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
from tests.conftest import ROOT
from tests.version_before.exports import PRINTED, WRITTEN, printed, write
from tests.version_before.kept import (
    COMMANDS,
    EXPORTS,
    FOLDER,
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
    workspace = kept_workspace(folder / "kept")
    files = {
        f"{name}/{place}": content
        for name in WRITTEN
        for place, content in write(name, workspace, folder / "out" / name).items()
    }
    files |= {printed_place(command): printed(command, workspace) for command in PRINTED}
    pack(EXPORTS, files)
    commands = commands_of((ROOT / "docs" / "cli.md").read_text(encoding="utf-8"))
    told = json.dumps(commands, indent=1) + "\n"
    (FOLDER / COMMANDS).write_text(told, encoding="utf-8", newline="\n")


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
        make(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
