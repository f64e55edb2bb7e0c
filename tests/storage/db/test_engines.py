"""How a connection to a file is made ready."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from errors import UserError
from storage.db import engines
from storage.db import engines as db_engines
from storage.db.address import file_address
from storage.db.engines import take_turn
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace


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


def test_it_does_not_ask_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "BUSY_TIMEOUT_MS", 50)
    with pytest.raises(sqlite3.OperationalError):
        engines._prepare_file(Contended(refusals=1_000), None)


def _taken(folder: Path) -> db_engines.WriteTurn:
    turn = take_turn(folder, 5)
    assert turn is not None
    return turn


def test_nobody_writes_while_another_has_the_turn(tmp_path: Path) -> None:
    turn = _taken(tmp_path)

    assert take_turn(tmp_path, 0.05) is None

    turn.end()
    turn.end()  # does nothing
    _taken(tmp_path).end()


def test_a_wait_that_was_given_up_keeps_nobody_waiting(tmp_path: Path) -> None:
    turn = _taken(tmp_path)
    assert take_turn(tmp_path, 0.05) is None

    turn.end()

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


def test_a_transaction_that_fails_ends_its_turn(tmp_path: Path) -> None:
    ws = Workspace(tmp_path, address=file_address(tmp_path / DATABASE_FILE))
    migrate(ws)

    with pytest.raises(RuntimeError), ws.writing():
        raise RuntimeError

    _taken(tmp_path).end()


def test_who_waits_in_vain_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = Workspace(tmp_path, address=file_address(tmp_path / DATABASE_FILE))
    migrate(ws)
    monkeypatch.setattr("storage.db.engines.BUSY_TIMEOUT_MS", 50)
    turn = _taken(tmp_path)

    with pytest.raises(UserError) as caught, ws.writing():
        raise AssertionError

    assert caught.value.code == "database_busy"
    turn.end()
    with ws.writing():
        pass
