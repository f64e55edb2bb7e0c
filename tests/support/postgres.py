"""A PostgreSQL server of the tests' own: in a temporary folder, on a private port."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from scripts.bootstrap import find_postgres

ABSENT = "PostgreSQL is absent: no initdb on the PATH or under /usr/lib/postgresql"
# PostgreSQL does not run as root: root's tests run it as the user that Debian's package makes.
_SYSTEM_USER = "postgres"
_USER = "tester"

SUITES = {
    "annotation/adjudication": ("disputes",),
    "annotation/agreement": ("calibration", "overview", "report"),
    "annotation/batches": ("commands",),
    "annotation/check": ("races",),
    "annotation/gold": ("derivation",),
    "annotation/guidelines": ("documents", "editing", "migration"),
    "annotation/history": ("reading",),
    "annotation/judging": ("answer_views", "state"),
    "annotation/mapping": ("commands",),
    "annotation/people": ("members", "races", "sign_in"),
    "annotation/tagging": ("case_views", "disputes"),
    "annotation/work": ("active_seconds", "queue_service", "races", "slots"),
    "services/augmentation": ("axes", "writing"),
    "services/cascade": ("running",),
    "services/cases": ("court_cases", "standard_groups"),
    "services/exchange": ("label_import",),
    "services/gold": ("export", "splits"),
    "services/judging": ("importing", "judge_prompt", "model_judging"),
    "services/law/graph": ("citation_graph",),
    "services/law": ("overview",),
    "services/mapping": ("candidates",),
    "services/mcq": ("files", "generation", "report", "solving"),
    "services/runs/experiments": ("running",),
    "services/runs": ("retrieving",),
    "services": ("palette",),
    "services/tagging": ("items", "suggestions"),
    "storage/augmentation": ("fates",),
    "storage/cascade": ("results",),
    "storage/law": ("graph_facts", "imports", "units", "passages"),
    "storage/mapping": ("candidates",),
    "storage/mcq": ("questions",),
    "storage/models": ("llm_calls",),
    "storage/runs": ("experiments", "run_store"),
    "storage": ("projects",),
}
"""Tests that run on PostgreSQL too: files `test_NAME.py`, by their folder below `tests`."""
SEVERAL_WORKSPACES = {
    "test_labels_of_others_are_not_even_read_from_the_database",
    "test_a_migration_is_nobodys_work",
    "test_whatever_was_done_the_log_replays_and_gold_that_stays_is_the_same",
    "test_migrated_answers_come_back_from_a_file_the_same",
    "test_a_sample_hangs_on_the_seed_and_grows_by_the_rest",
    "test_rows_are_those_that_the_acts_would_have_made",
    "test_a_file_of_annotations_carries_where_labels_came_from",
}
"""Tests of them that make a second workspace, which there would be on the same database."""


KEPT_ON_POSTGRES = (
    "storage/",
    "annotation/people/",
    "annotation/work/test_races.py",
    "reliability/test_people.py",
)
"""Where tests run on PostgreSQL in `make test` too; anywhere else in `make test-long` alone."""


def runs_on_postgres(file: Path, name: str) -> bool:
    """Return whether a test is run a second time, with the database on a PostgreSQL server."""
    room = file.parent.relative_to(Path(__file__).parents[1]).as_posix()
    return file.stem[5:] in SUITES.get(room, ()) and name not in SEVERAL_WORKSPACES


@dataclass
class Server:
    """A running server; the addresses it gives hold the password."""

    port: int
    password: str
    folder: Path

    def __post_init__(self) -> None:
        self._numbers = count(1)
        self._owner: psycopg.Connection | None = None
        self._unused: set[str] = set()

    def address(self, database: str = "postgres") -> str:
        """Return the address of a database as $DATABASE_URL takes it."""
        at = f"{_USER}:{self.password}@127.0.0.1:{self.port}"
        return f"postgresql+psycopg://{at}/{database}"

    def new_database(self, template: str = "template0") -> str:
        """Make a database and return its address.

        Its language sorts text otherwise than by code point, as servers of teams do.
        """
        name = f"test_{next(self._numbers)}"
        language = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8' ENCODING 'UTF8'"
        how = language if template == "template0" else self._by_files()
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} {how}")
        self._unused.add(name)
        return self.address(name)

    def used(self, database: str) -> bool:
        """Return whether this was asked before of the database, or it holds a project."""
        if database not in self._unused:
            return True
        self._unused.remove(database)
        plain = self.address(database).replace("+psycopg", "")
        try:
            with psycopg.connect(plain) as connection:
                found = connection.execute("SELECT 1 FROM project LIMIT 1").fetchone()
        except psycopg.errors.UndefinedTable:  # it has no tables yet
            return True
        return found is not None

    def copied(self, database: str) -> str:
        """Copy a database that nobody uses any more; return the copy's name, to make others."""
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname"
        self.execute(f"{others} = '{database}'")
        return self.new_database(template=database).rpartition("/")[2]

    def fill(self, database: str, template: str) -> None:
        """Put a copy of the template in the place of a database."""
        self.execute(f"DROP DATABASE {database} WITH (FORCE)")
        self.execute(f"CREATE DATABASE {database} TEMPLATE {template} {self._by_files()}")

    def drop_database(self, address: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self.execute(f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")

    def _by_files(self) -> str:
        """Return the words for copying files, which PostgreSQL 15 no longer does unasked."""
        return "STRATEGY FILE_COPY" if self._connected().info.server_version >= 15_00_00 else ""

    def execute(self, statement: str) -> None:
        """Run one statement as the server's owner."""
        self._connected().execute(statement.encode())

    def _connected(self) -> psycopg.Connection:
        if self._owner is None or self._owner.closed:
            plain = self.address().replace("+psycopg", "")
            self._owner = psycopg.connect(plain, autocommit=True)
        return self._owner

    def leave(self) -> None:
        """Close the owner's connection."""
        if self._owner is not None:
            self._owner.close()


RUNNING: dict[int, Server] = {}
"""The servers that run now, by their port."""


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, None where it is not installed."""
    found = find_postgres()
    return Path(found).resolve().parent if found else None


@contextmanager
def running_server(durable: bool = False) -> Iterator[Server]:
    """Start a server and stop it at the end; `durable` waits for the disk at every commit.

    Raises RuntimeError where PostgreSQL is not installed.
    """
    programs = binaries()
    if programs is None:
        raise RuntimeError(ABSENT)
    folder = Path(tempfile.mkdtemp(prefix="touchstone-postgres-"))
    server = Server(_free_port(), secrets.token_urlsafe(12), folder)
    secret = folder / "password"
    secret.write_text(server.password)
    if os.geteuid() == 0:
        for path in (folder, secret):
            shutil.chown(path, _SYSTEM_USER)
    try:
        _make(programs, folder, secret)
        _control(
            programs, folder, "start", "-l", str(folder / "log"), "-o", _options(server, durable)
        )
        RUNNING[server.port] = server
        try:
            yield server
        finally:
            del RUNNING[server.port]
            server.leave()
            _control(programs, folder, "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make(programs: Path, folder: Path, secret: Path) -> None:
    # Every connection proves the password: by md5 in a hundredth of the time that scram takes.
    options = ["--auth=md5", f"--pwfile={secret}", f"--username={_USER}"]
    options += ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    _run(folder, str(programs / "initdb"), "-D", str(folder / "data"), *options)


def _options(server: Server, durable: bool) -> str:
    settings: dict[str, object] = {
        "listen_addresses": "127.0.0.1",
        "port": server.port,
        "unix_socket_directories": server.folder,
        "shared_buffers": "64MB",
        "max_connections": 200,
        "jit": "off",  # no query of the tests is worth compiling
    }
    if not durable:  # hundreds of databases that are gone in a second: nothing is worth tidying up
        settings |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
        settings |= {"autovacuum": "off", "checkpoint_timeout": "1d", "max_wal_size": "2GB"}
    return " ".join(f"-c {name}={value}" for name, value in settings.items())


def _control(programs: Path, folder: Path, act: str, *options: str) -> None:
    _run(folder, str(programs / "pg_ctl"), act, "-w", "-D", str(folder / "data"), *options)


def _run(folder: Path, *command: str) -> None:
    prefix = ["runuser", "-u", _SYSTEM_USER, "--"] if os.geteuid() == 0 else []
    # To a file: the server that pg_ctl leaves behind would keep a pipe open.
    said = folder / "said"
    with said.open("w") as output:
        done = subprocess.run([*prefix, *command], stdout=output, stderr=output, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed:\n{said.read_text()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
