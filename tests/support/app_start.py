"""What an app does once as it starts, and thousands of short-lived tests would each do again."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpcore2
import pytest
from argon2 import PasswordHasher
from sqlalchemy import Engine
from sqlalchemy import create_engine as new_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from annotation.people import accounts
from corpus.ocr import isolated
from corpus.ocr.images import Limits

STATEMENTS = 5_000  # more than the product has
T = TypeVar("T")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
COSTLY = accounts.HASHER, accounts._nobodys


def compile_statements_once(patch: pytest.MonkeyPatch) -> None:
    """Let all engines of this process share what they compiled, as the requests to an app do.

    SQLAlchemy keeps compiled statements per engine and per dialect object, and makes one dialect
    for each engine; all of them are alike.
    """
    compiled: LRUCache[Any, Any] = LRUCache(STATEMENTS)

    def create_engine(*arguments: Any, **options: Any) -> Engine:
        options["execution_options"] = {"compiled_cache": compiled}
        return new_engine(*arguments, **options)

    patch.setattr("storage.db.engines.create_engine", create_engine)
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        patch.setattr(dialect, "__eq__", lambda self, other: type(self) is type(other))
        patch.setattr(dialect, "__hash__", lambda self: hash(type(self)))


def look_for_components_once(patch: pytest.MonkeyPatch) -> None:
    """Read once what the installed packages say about themselves.

    Streamlit looks through all of them for components as an app starts, which AppTest does anew
    for every run of a page.
    """
    scan = cache(manifest_scanner.scan_component_manifests)
    patch.setattr(manifest_scanner, "scan_component_manifests", scan)


def refuse_broken_pages(patch: pytest.MonkeyPatch) -> None:
    """Fail a test wherever a page it draws ends in an exception."""
    run = AppTest._run

    def checked(self: AppTest, *given: Any, **named: Any) -> AppTest:
        drawn = run(self, *given, **named)
        assert not drawn.exception, drawn.exception
        return drawn

    patch.setattr(AppTest, "_run", checked)


def wait_for_pages_asleep(patch: pytest.MonkeyPatch) -> None:
    """Let a test sleep until the page that it runs has ended.

    AppTest looks whether it has a thousand times a second, and takes the page's turn each time.
    """
    look = local_script_runner.require_widgets_deltas

    def wait(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        if not runner.script_stopped():
            look(runner, 0)

    patch.setattr(local_script_runner, "require_widgets_deltas", wait)


def read_certificates_once(patch: pytest.MonkeyPatch) -> None:
    """Read once whom this machine trusts, which every new client of a model server does anew."""
    patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))


def read_pages_once(patch: pytest.MonkeyPatch) -> None:
    """Read and clean each page of a file once: tests bring in the same few scans.

    Either takes a second, and what comes of it is never changed.
    """
    read: Any = isolated.read_page
    found: dict[Hashable, Any] = {}

    def read_page(path: Path, name: str, limits: Limits, kind: str, number: int) -> Any:
        key = hashlib.sha256(path.read_bytes()).digest(), limits, kind, number
        if key not in found:
            found[key] = read(path, name, limits, kind, number)
        return found[key]

    patch.setattr(isolated, "read_page", read_page)
    for name in ("prepared", "ruled_tables", "shrunk"):
        patch.setattr(isolated, name, _kept_by_content(getattr(isolated, name)))


def _kept_by_content(make: Callable[..., T]) -> Callable[..., T]:
    """Return what makes something of a kept page as `make` does, and once of each content."""
    found: dict[Hashable, T] = {}

    def made(content: bytes, name: str, *how: Hashable) -> T:
        key = hashlib.sha256(content).digest(), *how
        if key not in found:
            found[key] = make(content, name, *how)
        return found[key]

    return made


@cache
def _nobodys() -> str:
    return CHEAP.hash("the password of nobody")


def hash_cheaply(patch: pytest.MonkeyPatch) -> None:
    """Hash passwords in no time, for tests that are about something else."""
    patch.setattr(accounts, "HASHER", CHEAP)
    patch.setattr(accounts, "_nobodys", _nobodys)


def hash_at_full_cost(patch: pytest.MonkeyPatch) -> None:
    """Hash passwords as the product does, for tests that are about that."""
    hasher, nobodys = COSTLY
    patch.setattr(accounts, "HASHER", hasher)
    patch.setattr(accounts, "_nobodys", nobodys)


def let_loggers_propagate() -> None:
    """Let Streamlit's sixty loggers pass what they are told on to the root logger.

    Pytest adds its two handlers to each logger that does not, and removes them, three times a
    test: that took longer than most tests.
    """
    for name, logger in logging.root.manager.loggerDict.items():
        if name.startswith("streamlit") and isinstance(logger, logging.Logger):
            logger.propagate = True
