"""Killing imports: the database is afterwards as it was before, and the next import succeeds."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from commands.shell.state import EXIT_INTERRUPTED
from services.law.importing import import_statutes
from storage.db.workspace import Workspace
from tests.conftest import ROOT
from tests.projects.bare_project import bare_project

SLUG = "p"
SAMPLE = ROOT / "sample" / "statutes" / "ko" / "가온화재안전기본법"
CHILDREN = multiprocessing.get_context("fork")
COPIES = 6


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Law enough to be killed in: the sample's act and decree under six names."""
    return copied(tmp_path / "law", COPIES)


def copied(folder: Path, copies: int) -> Path:
    folder.mkdir()
    for name in ("법률.md", "시행령.md"):
        text = (SAMPLE / name).read_text(encoding="utf-8")
        for number in range(copies):
            copy = text.replace("가온 화재안전", f"가온 {number}구역 화재안전")
            (folder / f"{number}-{name}").write_text(copy, encoding="utf-8")
    return folder


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A project that holds law already."""
    workspace = bare_project(tmp_path / "workspace", SLUG)
    import_statutes(workspace, SLUG, SAMPLE / "시행규칙.md")
    workspace.engine.dispose()
    return workspace


def content(ws: Workspace) -> str:
    """Return a digest of every row of the database, which must be sound."""
    with sqlite3.connect(ws.database) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        lines = "\n".join(database.iterdump())
    return hashlib.sha256(lines.encode()).hexdigest()


def succeeds(ws: Workspace, tree: Path) -> None:
    """Assert that the import, started again, keeps everything."""
    report = import_statutes(Workspace(ws.folder), SLUG, tree)
    assert report.new and report.statutes == len(list(tree.iterdir()))


def steps(ws: Workspace, tree: Path, stop_at: int | None = None, add: bool = False) -> int:
    """Import and return how many steps the database took; at step `stop_at`, die."""
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        if taken == stop_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    own = Workspace(ws.folder)
    every_so_often: Callable[[Any, Any], None] = lambda connection, _: (  # noqa: E731
        connection.set_progress_handler(step, 250)
    )
    event.listen(own.engine, "connect", every_so_often)
    with pytest.MonkeyPatch.context() as patch:  # what comes after the writing only reads
        patch.setattr("services.law.importing.outcome", lambda *_: None)
        import_statutes(own, SLUG, tree, add=add)
    return taken


@pytest.mark.parametrize("add", [False, True])
def test_death_while_writing_leaves_the_database_as_it_was(
    ws: Workspace, tree: Path, add: bool
) -> None:
    other = Workspace(ws.folder.parent / "other")
    shutil.copytree(ws.folder, other.folder)
    last, before = steps(other, tree, add=add), content(ws)
    assert last > 100
    chance = random.Random(7)
    for stop_at in (1, chance.randrange(2, last), chance.randrange(2, last), last - 1):
        child = CHILDREN.Process(target=steps, args=(ws, tree, stop_at, add))
        child.start()
        child.join(100)
        assert child.exitcode == -signal.SIGKILL
        assert content(ws) == before, stop_at
    report = import_statutes(Workspace(ws.folder), SLUG, tree, add=add)
    assert report.new and report.statutes == 2 * COPIES + add


def calls(ws: Workspace, tree: Path, stop_at: int | None = None) -> int:
    """Import and return how often it told how far it was; at call `stop_at`, die."""
    made = 0

    def report(_done: int, _total: int) -> None:
        nonlocal made
        made += 1
        if made == stop_at:
            os.kill(os.getpid(), signal.SIGKILL)

    import_statutes(Workspace(ws.folder), SLUG, tree, report)
    return made


def test_death_while_reading_leaves_the_database_as_it_was(ws: Workspace, tree: Path) -> None:
    before, chance = content(ws), random.Random(8)
    files = 2 * COPIES
    # First the files are read, then their references; edges and references are kept at last.
    for stop_at in (1, files + chance.randrange(files), 2 * files, 2 * files + 2):
        child = CHILDREN.Process(target=calls, args=(ws, tree, stop_at))
        child.start()
        child.join(100)
        assert child.exitcode == -signal.SIGKILL
        assert content(ws) == before
    assert calls(ws, tree) == 2 * files + 2


def is_written(ws: Workspace) -> bool:
    """Tell whether another process writes now."""
    database = sqlite3.connect(ws.database, timeout=0, isolation_level=None)
    try:
        database.execute("BEGIN IMMEDIATE")
        database.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return True
    finally:
        database.close()
    return False


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param(signal.SIGKILL, -signal.SIGKILL, marks=pytest.mark.long),
        (signal.SIGINT, EXIT_INTERRUPTED),
    ],
)
def test_the_command_stopped_while_it_writes_keeps_nothing(
    ws: Workspace, tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    tree = copied(tmp_path / "law", 40)  # it must write for as long as it takes to be stopped
    before = content(ws)
    command = [sys.executable, "touchstone.py", "--workspace", str(ws.folder), "--project", SLUG]
    with subprocess.Popen(
        [*command, "import", "statutes", str(tree)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        while not is_written(ws):
            assert child.poll() is None, "it ended before it could be stopped"
            time.sleep(0.001)
        child.send_signal(sent)
        out, err = child.communicate(timeout=100)
    assert child.returncode == code
    assert "Imported" not in out and "Traceback" not in err
    assert content(ws) == before
    succeeds(ws, tree)
