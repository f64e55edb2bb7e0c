"""How a connection to a file is made ready."""

from __future__ import annotations

import sqlite3

import pytest

from storage.db import engines


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
