"""A migration after the baseline: copied before, one at a time, whole or not at all, on both."""

from __future__ import annotations

import json
import multiprocessing
import signal
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import storage.db.migrate as migrating
from storage.db.engines import Address, file_address, server_address
from storage.db.migrate import migrate
from storage.db.schema import BASELINE, REVISION
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project, list_projects
from storage.tables.core import Person, QuestionRow
from tests.storage.db.later import (
    LATER,
    WITHIN,
    die_migrating,
    migrate_in_threads,
    settings_of,
    write_later,
)
from tests.support.refusals import refused

COPY = f"{DATABASE_FILE}.before-{LATER}"
PROCESSES, THREADS = 3, 2
CHILDREN = multiprocessing.get_context("fork")


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
    said: dict[str, Any] = {"text": "?", "answer": "", "language": "en", "source": {"line": 7}}
    with ws.writing() as session:
        session.add(QuestionRow(project_id=1, external_id="q", **said))
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


def _open(go: Any, said: Any, place: Path | None, folder: Path, address: Address) -> None:
    go.wait(60)
    said.put(migrate_in_threads(place, folder, address, THREADS))


def _waiting(ws: Workspace, place: Path | None) -> Callable[[], list[list[str]]]:
    """Return what lets waiting processes open the workspace, each in several threads at once.

    It returns what each thread has applied.
    """
    ws.engine.dispose()
    go, said = CHILDREN.Event(), CHILDREN.SimpleQueue()
    started = [
        CHILDREN.Process(target=_open, args=(go, said, place, ws.folder, ws.address))
        for _ in range(PROCESSES)
    ]
    for each in started:
        each.start()

    def applied() -> list[list[str]]:
        go.set()
        for each in started:
            each.join(120)
        assert [each.exitcode for each in started] == [0] * PROCESSES
        return [by_thread for _ in started for by_thread in said.get()]

    return applied


def _killed(ws: Workspace, place: Path | None, moment: str) -> None:
    ws.engine.dispose()
    process = CHILDREN.Process(target=die_migrating, args=(place, ws.folder, ws.address, moment))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


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
        assert json.loads(*copy.execute("SELECT source FROM question").fetchone()) == {"line": 7}
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
@pytest.mark.parametrize("ws", ["file"], indirect=True)
def test_a_copy_that_cannot_be_made_stops_the_migration_and_leaves_none(
    kept: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_address: object, _revision: str, copy: Path) -> None:
        with closing(sqlite3.connect(copy)) as target:
            target.execute("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(migrating, "copy_to_file", full)
    with refused("disk_full"):
        migrate(Workspace(kept.folder, address=kept.address))
    assert _copies(kept) == []


def test_processes_that_create_at_once_create_it_once(ws: Workspace) -> None:
    applied = _waiting(ws, None)()
    assert sorted(applied) == [*([[]] * (PROCESSES * THREADS - 1)), [BASELINE, "v1_0002", REVISION]]
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

    others = _waiting(kept, place)
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(go_on)
        applied = others()
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
    assert migrate(ws) == [BASELINE, "v1_0002", REVISION]
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
