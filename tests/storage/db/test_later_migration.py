"""A migration after the baseline: copied before, one at a time, whole or not at all, on both."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

import storage.db.migrate as migrating
from errors import UserError
from storage.db.address import file_address, server_address
from storage.db.migrate import migrate
from storage.db.schema import BASELINE, REVISION
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project, list_projects
from storage.tables.core import Person
from tests.conftest import ROOT
from tests.storage.db.later import LATER, WITHIN, settings_of, write_later

COPY = f"{DATABASE_FILE}.before-{LATER}"
PROCESSES, THREADS = 3, 2


@pytest.fixture(params=["file", "server"])
def ws(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace that is not made yet, its database in a file or on a server."""
    folder = tmp_path / "workspace"
    address = file_address(folder / DATABASE_FILE)
    if request.param == "server":
        address = server_address(request.getfixturevalue("postgres").new_database())
    made = Workspace(folder, address=address)
    yield made
    made.engine.dispose()


@pytest.fixture
def kept(ws: Workspace) -> Workspace:
    """The workspace of the baseline, with a project and a person."""
    migrate(ws)
    create_project(ws, "kept", "Kept")
    _take_in(ws, "Ann")
    ws.engine.dispose()
    return ws


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write_later(tmp_path)


@pytest.fixture
def later(kept: Workspace, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process know the later migration, once the workspace of the baseline is made."""
    for setting in settings_of(place):
        monkeypatch.setattr(*setting)


def _take_in(ws: Workspace, name: str) -> None:
    with ws.writing() as session:
        session.add(Person(project_id=1, name=name, role="annotator", created_at=ws.clock()))


def _started(ws: Workspace, place: Path | None, *given: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.db.later", str(place or "-"), *given]
    server = ws.address.url.render_as_string(hide_password=False)
    environment = os.environ | ({"DATABASE_URL": server} if ws.address.is_postgres else {})
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def _at_once(ws: Workspace, place: Path | None) -> list[list[str]]:
    """Open the workspace in several threads of several processes; return what each has applied."""
    started = [_started(ws, place, str(ws.folder), str(THREADS)) for _ in range(PROCESSES)]
    said = [each.communicate(timeout=120)[0] for each in started]
    assert [each.returncode for each in started] == [0] * PROCESSES
    return [applied for text in said for applied in json.loads(text)]


def _killed(ws: Workspace, place: Path | None, moment: str) -> None:
    process = _started(ws, place, "kill", str(ws.folder), moment)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def _people(ws: Workspace) -> list[tuple[str, str]]:
    with ws.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT name, nickname FROM person ORDER BY id")
        return [tuple(row) for row in rows]


def _copies(ws: Workspace) -> list[str]:
    return sorted(path.name for path in ws.folder.iterdir() if "before" in path.name)


def _in_copy(path: Path) -> tuple[str, list[str]]:
    """Return the revision of a copy and the names of the people in it."""
    with closing(sqlite3.connect(path)) as copy:
        names = [name for (name,) in copy.execute("SELECT name FROM person ORDER BY id")]
        return copy.execute("SELECT version_num FROM alembic_version").fetchone()[0], names


@pytest.mark.usefixtures("later")
def test_a_database_is_copied_before_it_is_changed(kept: Workspace) -> None:
    (kept.folder / COPY).write_text("in the way")
    again = Workspace(kept.folder, address=kept.address)
    assert (migrate(again), migrate(again)) == ([LATER], [])
    assert _people(again) == [("Ann", "none")]
    assert _copies(kept) == [COPY, f"{COPY}-2"]
    assert _in_copy(kept.folder / f"{COPY}-2") == (REVISION, ["Ann"])


@pytest.mark.usefixtures("later")
def test_a_workspace_that_is_not_migrated_yet_says_so(kept: Workspace) -> None:
    with pytest.raises(UserError) as caught:
        list_projects(Workspace(kept.folder, address=kept.address))
    assert caught.value.code == "workspace_outdated"
    assert _copies(kept) == []


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("ws", ["file"], indirect=True)
def test_a_copy_that_cannot_be_made_stops_the_migration_and_leaves_none(
    kept: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: object, target: sqlite3.Connection) -> None:
        target.execute("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(migrating, "_copy", full)
    with pytest.raises(UserError) as caught:
        migrate(Workspace(kept.folder, address=kept.address))
    assert caught.value.code == "disk_full"
    assert _copies(kept) == []


def test_processes_that_create_at_once_create_it_once(ws: Workspace) -> None:
    applied = _at_once(ws, None)
    assert sorted(applied) == [*([[]] * (PROCESSES * THREADS - 1)), [BASELINE]]
    assert len(list_projects(ws)) == PROCESSES * THREADS
    assert _copies(ws) == []


def test_one_migrates_while_all_others_wait_or_go_on(
    kept: Workspace, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has it open since before goes on writing, and nothing that was acknowledged is lost."""
    done, written = Event(), ["Ann"]

    def go_on() -> None:
        while not done.is_set():
            _take_in(kept, f"P{len(written)}")
            written.append(f"P{len(written)}")

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(go_on)
        applied = _at_once(kept, place)
        done.set()
        working.result()
    assert sorted(applied) == [*([[]] * (PROCESSES * THREADS - 1)), [LATER]]
    assert len(written) > 1 and _people(kept) == [(name, "none") for name in written]
    assert _copies(kept) == [COPY]
    revision, before = _in_copy(kept.folder / COPY)
    assert revision == REVISION and before == written[: len(before)]
    for setting in settings_of(place):
        monkeypatch.setattr(*setting)
    assert len(list_projects(kept)) == 1 + PROCESSES * THREADS


@pytest.mark.parametrize("moment", ["require_whole", "upgrade"])
def test_a_baseline_that_was_killed_is_made_at_the_next_start(ws: Workspace, moment: str) -> None:
    _killed(ws, None, moment)
    assert migrate(ws) == [BASELINE]
    create_project(ws, "kept", "Kept")
    assert [project.slug for project in list_projects(ws)] == ["kept"]
    assert _copies(ws) == []


def test_a_migration_that_was_killed_is_applied_at_the_next_start(
    kept: Workspace, place: Path, request: pytest.FixtureRequest
) -> None:
    _killed(kept, place, WITHIN)
    assert _copies(kept) == [COPY]
    request.getfixturevalue("later")
    assert migrate(Workspace(kept.folder, address=kept.address)) == [LATER]
    assert _people(kept) == [("Ann", "none")]
    assert [_in_copy(kept.folder / name) for name in _copies(kept)] == [(REVISION, ["Ann"])] * 2


def test_half_a_copy_is_never_called_one(
    kept: Workspace, place: Path, request: pytest.FixtureRequest
) -> None:
    _killed(kept, place, "copy_to_file")
    assert COPY not in _copies(kept)
    request.getfixturevalue("later")
    assert migrate(Workspace(kept.folder, address=kept.address)) == [LATER]
    assert _copies(kept) == [COPY]
    assert _in_copy(kept.folder / COPY) == (REVISION, ["Ann"])
