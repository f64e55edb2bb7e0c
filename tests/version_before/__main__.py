"""``python -m tests.version_before``: write anew what is held against later versions.

With ``--meant`` and the names of exports (`exports.WRITTEN`) and commands (`exports.PRINTED`) only
the files of these that are not what was kept are written, into an archive that stands before it:
what the version before wrote stays as it was. It takes a minute or two. Look at what changed in the
exports before you commit them, and say in docs/decisions why.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
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


def make_meant(folder: Path, names: Sequence[str]) -> None:
    """Write what those names stand for as it is meant to be; `folder` is an empty one."""
    workspace = kept_workspace(folder / "kept")
    assert command_line(workspace, "init").returncode == 0
    commands = [name for name in names if name not in WRITTEN]
    places = {printed_place(command) for command in commands}
    kept = {
        place: content
        for place, content in unpacked(MEANT).items()
        if place.partition("/")[0] not in names and place not in places
    }
    before = unpacked(EXPORTS)
    now = _files(workspace, folder / "out", [name for name in names if name in WRITTEN])
    now |= {printed_place(command): printed(command, workspace) for command in commands}
    changed = {place: content for place, content in now.items() if content != before.get(place)}
    pack(MEANT, kept | changed)


def _exports(workspace: Path, out: Path) -> dict[str, bytes]:
    files = _files(workspace, out, list(WRITTEN))
    return files | {printed_place(command): printed(command, workspace) for command in PRINTED}


def _files(workspace: Path, out: Path, names: Sequence[str]) -> dict[str, bytes]:
    return {
        f"{name}/{place}": content
        for name in names
        for place, content in write(name, workspace, out / name).items()
    }


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
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--meant", nargs="+", metavar="NAME", choices=[*WRITTEN, *PRINTED])
    meant = parser.parse_args().meant
    with tempfile.TemporaryDirectory() as folder, patch.dict("os.environ"):
        if meant:
            make_meant(Path(folder), meant)
        else:
            make(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
