"""A migration after the baseline, and what a process that applies it does."""

from __future__ import annotations

import os
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import storage.db.migrate as migrating
import storage.db.schema as schema
import storage.db.workspace as workspaces
from storage.db.engines import Address
from storage.db.migrate import migrate
from storage.db.schema import REVISION
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.conftest import STEP_BY_STEP

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


def migrate_in_threads(
    place: Path | None, folder: Path, address: Address, threads: int
) -> list[list[str]]:
    """Migrate and make a project in each of several threads; return what each has applied."""

    def work(number: int) -> list[str]:
        workspace = Workspace(folder, address=address)
        applied = migrate(workspace)
        create_project(workspace, f"p{os.getpid()}-{number}", "Made at once")
        return applied

    _know(place)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, range(threads)))


def die_migrating(place: Path | None, folder: Path, address: Address, moment: str) -> None:
    """Be killed while migrating: at the end of a function, or within the later migration.

    The function is that of `storage.db.migrate` that `moment` names.
    """
    _know(place)
    _die_in(moment)
    migrate(Workspace(folder, address=address))


def _know(place: Path | None) -> None:
    """Let this process know the later migration, and apply all step by step."""
    migrating.upgrade = STEP_BY_STEP
    for module, name, value in settings_of(place) if place else ():
        setattr(module, name, value)


def _die_in(moment: str) -> None:
    if moment == WITHIN:
        os.environ[_KILLED] = "1"
        return
    real = getattr(migrating, moment)

    def die(*given: object) -> None:
        real(*given)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(migrating, moment, die)
