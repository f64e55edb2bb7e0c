"""A migration after the baseline, and processes that apply it.

``python -m tests.storage.db.later PLACE FOLDER THREADS`` opens the workspace in so many threads at
once, migrates and makes a project in each, and prints the revisions that each has applied.
``PLACE kill FOLDER MOMENT`` is killed while it migrates: at the end of the function of
`storage.db.migrate` that MOMENT names, or within the later migration.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import storage.db.migrate as migrating
import storage.db.schema as schema
import storage.db.workspace as workspaces
from storage.db.migrate import migrate
from storage.db.schema import REVISION
from storage.db.workspace import Workspace
from storage.projects import create_project

LATER, WITHIN = "v1_9998", "within"
_KILLED = "TOUCHSTONE_TEST_KILLED"
_TEXT = f'''"""People have nicknames."""

import os

import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{REVISION}"


def upgrade() -> None:
    nickname = sa.Column("nickname", sa.String(), nullable=False, server_default="none")
    op.add_column("person", nickname)
    if "{_KILLED}" in os.environ:
        os.kill(os.getpid(), {signal.SIGKILL:d})
'''


def write_later(folder: Path) -> Path:
    """Write the installed migrations and the later one into the folder; return their place."""
    place = folder / "migrations"
    shutil.copytree(migrating._SCRIPTS, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "versions" / "9998_nicknames.py").write_text(_TEXT, encoding="utf-8")
    return place


def settings_of(place: Path) -> list[tuple[Any, str, Any]]:
    """Return the module, name and value of what the version with the later migration has."""
    modules = (migrating, schema, workspaces)
    return [(migrating, "_SCRIPTS", place), *((each, "REVISION", LATER) for each in modules)]


def _work(folder: Path, number: int) -> list[str]:
    workspace = Workspace(folder)
    applied = migrate(workspace)
    create_project(workspace, f"p{os.getpid()}-{number}", "Made at once")
    return applied


def _die_in(moment: str) -> None:
    if moment == WITHIN:
        os.environ[_KILLED] = "1"
        return
    real = getattr(migrating, moment)

    def die(*given: object) -> None:
        real(*given)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(migrating, moment, die)


def _main(place: str, *given: str) -> None:
    if place != "-":
        for module, name, value in settings_of(Path(place)):
            setattr(module, name, value)
    if given[0] == "kill":
        _die_in(given[2])
        migrate(Workspace(Path(given[1])))
        return
    folder, threads = Path(given[0]), int(given[1])
    with ThreadPoolExecutor(threads) as pool:
        applied = list(pool.map(lambda number: _work(folder, number), range(threads)))
    sys.stdout.write(json.dumps(applied))


if __name__ == "__main__":
    _main(*sys.argv[1:])
