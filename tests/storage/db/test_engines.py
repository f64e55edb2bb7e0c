"""How a connection to a file is made ready."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from services.backup import restore
from storage.db import engines
from storage.db.engines import file_address, take_turn
from storage.db.migrate import migrate
from storage.db.schema import is_current
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project, list_projects
from tests.conftest import ROOT
from tests.storage.db.later import settings_of, write_later
from tests.support.refusals import refused


class Contended:
    """A connection whose switch to the write-ahead log is refused some times."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.isolation_level: str | None = ""
        self.said: list[str] = []

    def execute(self, statement: str) -> None:
        if "journal_mode" in statement and self.refusals:
            self.refusals -= 1
            raise sqlite3.OperationalError("database is locked")
        self.said.append(statement)


def test_who_is_refused_the_write_ahead_log_asks_again() -> None:
    connection = Contended(refusals=3)
    engines._prepare_file(connection, None)
    assert [each.split("=")[0] for each in connection.said] == [
        "PRAGMA busy_timeout",
        "PRAGMA journal_mode",
        "PRAGMA synchronous",
    ]


def _taken(folder: Path) -> engines.WriteTurn:
    turn = take_turn(folder, 5)
    assert turn is not None
    return turn


def test_nobody_writes_while_another_has_the_turn(tmp_path: Path) -> None:
    turn = _taken(tmp_path)

    assert take_turn(tmp_path, 0.05) is None

    turn.end()
    turn.end()  # does nothing
    _taken(tmp_path).end()


def test_writers_come_in_the_order_in_which_they_asked(tmp_path: Path) -> None:
    turn = _taken(tmp_path)
    came: list[int] = []

    def write(number: int) -> None:
        mine = _taken(tmp_path)
        came.append(number)
        mine.end()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for writer in writers:
        writer.start()
        time.sleep(0.1)  # until it waits
    turn.end()
    for writer in writers:
        writer.join()

    assert came == [0, 1, 2, 3, 4]


def test_the_turn_of_a_killed_process_ends(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def hold() -> None:
        turn = take_turn(tmp_path, 5)
        theirs.send(turn is not None)
        time.sleep(600)

    process = context.Process(target=hold)
    process.start()
    assert ours.recv()
    assert take_turn(tmp_path, 0.05) is None

    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()

    _taken(tmp_path).end()


def test_a_process_forked_meanwhile_does_not_keep_the_turn(tmp_path: Path) -> None:
    turn = _taken(tmp_path)
    process = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    process.start()
    try:
        turn.end()

        _taken(tmp_path).end()
    finally:
        process.kill()
        process.join()


def test_who_waits_in_vain_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = Workspace(tmp_path, address=file_address(tmp_path / DATABASE_FILE))
    migrate(ws)
    with pytest.raises(RuntimeError), ws.writing():
        raise RuntimeError  # which ends its turn
    monkeypatch.setattr("storage.db.engines.BUSY_TIMEOUT_MS", 50)
    turn = _taken(tmp_path)

    with refused("database_busy"), ws.writing():
        raise AssertionError
    turn.end()
    with ws.writing():
        pass


CALLED = """
import contextlib, io, json, sys
import touchstone

def called(words):
    sys.argv, out, err = ["touchstone.py", *words], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = touchstone.main()
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}

print(json.dumps([called(words) for words in json.loads(sys.argv[1])]))
"""
AT_ONCE = 2.0  # seconds; SQLite would ask for ten before it gives up


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ws = Workspace(tmp_path / "ws")
    migrate(ws)
    create_project(ws, "lake", "Lake", 2)
    ws.engine.dispose()
    return ws.folder


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """What makes a folder read-only as the system tells it; root may write everywhere else."""

    def forbid(folder: Path) -> None:
        def access(path: object, mode: int) -> bool:
            return not (mode & os.W_OK and str(path).startswith(str(folder)))

        monkeypatch.setattr("os.access", access)

    return forbid


def test_what_may_only_be_read_is_read_and_refuses_to_be_written(
    folder: Path, forbidden: Callable[[Path], None]
) -> None:
    forbidden(folder)
    ws = Workspace(folder)
    assert ws.read_only and not Workspace(folder / "none").read_only
    assert migrate(ws) == []
    assert [each.slug for each in list_projects(ws)] == ["lake"]
    began = time.monotonic()
    with refused("database_readonly") as caught:
        create_project(ws, "pond", "Pond", 2)
    assert time.monotonic() - began < AT_ONCE
    assert "copy the folder" in caught.value.remedy() and caught.value.render("ko")
    assert is_current(ws.database)


def test_one_that_is_not_migrated_yet_says_that_it_would_have_to_be_written(
    folder: Path, forbidden: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in settings_of(write_later(tmp_path)):
        monkeypatch.setattr(*setting)
    forbidden(folder)
    for act in (migrate, list_projects):
        with refused("workspace_outdated_readonly") as caught:
            act(Workspace(folder))
        assert "copy the folder" in caught.value.remedy() and "init" in caught.value.remedy()


def test_what_others_write_meanwhile_is_seen(
    folder: Path, forbidden: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Workspace(folder)
    with monkeypatch.context():
        forbidden(folder)
        assert len(list_projects(reader)) == 1
    monkeypatch.undo()
    writer = Workspace(folder)
    create_project(writer, "pond", "Pond", 2)
    writer.engine.dispose()
    forbidden(folder)
    assert len(list_projects(reader)) == 2


def test_what_only_the_log_beside_it_holds_is_read(
    folder: Path, tmp_path: Path, forbidden: Callable[[Path], None]
) -> None:
    copy = tmp_path / "copied while in use"
    copy.mkdir()
    with closing(sqlite3.connect(folder / "touchstone.db")) as live:
        live.execute("PRAGMA wal_autocheckpoint=0")
        live.execute("UPDATE project SET title = 'Sea'")
        live.commit()
        for ending in ("", "-wal"):
            shutil.copyfile(folder / f"touchstone.db{ending}", copy / f"touchstone.db{ending}")
    forbidden(copy)
    with closing(engines.open_to_read(copy / "touchstone.db")) as read:
        assert read.execute("SELECT title FROM project").fetchall() == [("Sea",)]
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            read.execute("BEGIN IMMEDIATE")


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("setpriv") is None or os.geteuid() != 0, reason="needs root, and setpriv"
)
def test_whom_the_system_keeps_from_writing_reads_at_once(folder: Path) -> None:
    """As root without the power to pass over permissions, which is how others meet them.

    One process runs all commands: to start one for each takes ten times as long.
    """
    (folder / "empty").mkdir()
    for each in (*folder.rglob("*"), folder):
        each.chmod(0o555 if each.is_dir() else 0o444)
    drop = "-dac_override,-dac_read_search"
    kept = folder.parent / "kept.backup"
    commands = [("project", "list"), ("init",), ("project", "pond"), ("backup", str(kept))]
    lines = [["--workspace", str(folder), *words] for words in commands]
    lines += [["--workspace", str(folder / name), "init"] for name in ("within", "empty")]
    privileges = [f"--bounding-set={drop}", f"--inh-caps={drop}"]
    done = subprocess.run(
        ["setpriv", *privileges, sys.executable, "-c", CALLED, json.dumps(lines)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    read, again, wrote, backed_up, *made = json.loads(done.stdout)
    assert (read["code"], read["out"].split()[0]) == (0, "lake"), read["err"]
    assert "open for reading only" in read["err"]
    told = again["out"].splitlines()[1]
    assert (again["code"], told) == (0, "Migrations applied: none, it is up to date")
    assert "open for reading only" in again["err"]
    assert wrote["code"] == 3
    assert "can be read but not written to" in wrote["err"]
    assert (backed_up["code"], backed_up["err"].count("Error")) == (0, 0), backed_up["err"]
    restore(Workspace(folder.parent / "again"), kept)
    assert [each.slug for each in list_projects(Workspace(folder.parent / "again"))] == ["lake"]
    for each in made:
        assert each["code"] == 3 and "Permission denied" in each["err"]
        assert "No workspace can be made here" in each["err"] and "--workspace" in each["err"]
