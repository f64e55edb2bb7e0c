"""What every test shares: a workspace of its own, a fixed clock, and a guard around real ones."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

import storage.db.migrate
from storage.db.engines import server_address
from storage.db.migrate import migrate
from storage.db.schema import has_tables
from storage.db.workspace import DATABASE_FILE, Workspace
from tests.support.app_start import (
    compile_statements_once,
    hash_at_full_cost,
    hash_cheaply,
    let_loggers_propagate,
    look_for_components_once,
    read_certificates_once,
    read_pages_once,
    refuse_broken_pages,
    wait_for_pages_asleep,
)
from tests.support.examples import register_profiles
from tests.support.postgres import (
    ABSENT,
    KEPT_ON_POSTGRES,
    Server,
    binaries,
    running_server,
    runs_on_postgres,
)

register_profiles()
ROOT = Path(__file__).resolve().parent.parent
# A browser's test waits its turn where another run of tests keeps the machine busy: each step may
# take `tests.e2e.people.SLOW`.
BROWSER_SECONDS = 600
SLOW = {"pages", "reliability", "benchmarks"}  # folders of tests that take long
STEP_BY_STEP = storage.db.migrate.upgrade
# Objects made until cycles among them are looked for: of a process that is not to live long.
GARBAGE = 50_000, 20, 20


class FakeClock:
    """A clock that moves one second on at every look, so that every row has its own time."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def pytest_sessionstart() -> None:
    """Let what tests start be interrupted, also where they run in the background of a shell.

    That ignores the signal, and so would every process that comes of it.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Import and collect without looking for garbage, and never look again through what that made.

    It is all there until the end, and half of the time of collecting went into looking through it.
    What the tests make is looked through less often than by default: that took a twentieth of all.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        let_loggers_propagate()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put folders of slow tests first, lest one process ends alone, and a browser's tests last."""
    items.sort(key=lambda item: _turn(item.path.relative_to(ROOT).parts))
    for item in items:
        if _repeats_another(item):
            item.add_marker(pytest.mark.long)
        if item.get_closest_marker("e2e") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(BROWSER_SECONDS))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the suites of storage and of people's decisions on PostgreSQL too."""
    if runs_on_postgres(Path(metafunc.module.__file__), metafunc.function.__name__):
        kinds, names = ["sqlite", "postgresql"], [pytest.HIDDEN_PARAM, "postgresql"]
        metafunc.parametrize("database_kind", kinds, indirect=True, ids=names)


def _repeats_another(item: pytest.Item) -> bool:
    """Return whether a test does on PostgreSQL or in Korean what another does without.

    `make test` keeps PostgreSQL where the servers differ most (`KEPT_ON_POSTGRES`). That Korean has
    the same texts as English is held by `tests/messages`.
    """
    call = getattr(item, "callspec", None)
    if call is None:
        return False
    place = item.path.relative_to(ROOT / "tests").as_posix()
    korean = call.params.get("language") == "ko" and place.startswith("pages/")
    return korean or ("postgresql" in call.id and not place.startswith(KEPT_ON_POSTGRES))


def _turn(parts: tuple[str, ...]) -> int:
    return 2 if "e2e" in parts else 0 if SLOW & set(parts) else 1


@pytest.fixture(autouse=True)
def guard_real_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Point the default workspace into the test's folder and refuse any other database."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    allowed = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir()).resolve()
    seen: set[Path] = set()

    def guarded(self: Workspace) -> Path:
        path = self.folder / DATABASE_FILE
        if path not in seen and not path.resolve().is_relative_to(allowed):
            raise AssertionError(f"a test tried to open a real workspace: {path}")
        seen.add(path)
        return path

    monkeypatch.setattr(Workspace, "database", property(guarded))
    yield


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest, guard_real_workspace: None) -> None:
    """Put every workspace of the test on a PostgreSQL database where it runs on one."""
    if getattr(request, "param", "sqlite") == "postgresql":
        request.getfixturevalue("on_postgres")


@pytest.fixture(autouse=True, scope="session")
def once() -> Iterator[None]:
    """Do once in this process what is the same for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        compile_statements_once(patch)
        hash_cheaply(patch)
        look_for_components_once(patch)
        read_certificates_once(patch)
        read_pages_once(patch)
        refuse_broken_pages(patch)
        wait_for_pages_asleep(patch)
        yield


@pytest.fixture
def costly_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the test hash passwords as the product does."""
    hash_at_full_cost(monkeypatch)


@pytest.fixture(scope="session")
def shape(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the statements that make what all migrations together make of an empty file."""
    folder = tmp_path_factory.mktemp("shape")
    ws = Workspace(folder)
    migrate(ws)
    ws.engine.dispose()
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        made = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        (version,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    return (*(sql for (sql,) in made), f"INSERT INTO alembic_version VALUES ('{version}')")  # noqa: S608


@pytest.fixture(autouse=True, scope="session")
def migrate_at_once(shape: tuple[str, ...]) -> Iterator[None]:
    """Make a new file's tables in one go: by the migration it takes six times as long."""

    def upgrade(connection: Connection, revision: str = "head") -> None:
        new_file = connection.dialect.name == "sqlite" and not has_tables(connection)
        if not new_file or revision != "head":
            STEP_BY_STEP(connection, revision)
            return
        cursor = connection.connection.cursor()  # SQLAlchemy adds as much again to each of 300
        for statement in shape:
            cursor.execute(statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage.db.migrate, "upgrade", upgrade)
        yield


@pytest.fixture(autouse=True)
def migrate_by_steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrate as the product does in the tests of migrations, which hold the two to be the same."""
    if request.path.name == "test_migrate.py":
        monkeypatch.setattr(storage.db.migrate, "upgrade", STEP_BY_STEP)


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that tests control."""
    return FakeClock()


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a workspace of which nothing is made yet."""
    return Workspace(tmp_path / "ws", clock)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Any:
    """Return a project with three items, three annotators and an adjudicator."""
    from tests.annotation.house import build

    return build(tmp_path / "workspace", clock)


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock) -> Any:
    """Return a project with six answers to be judged and nothing said of them."""
    from tests.annotation.judging.answered import build

    return build(tmp_path, clock)


@pytest.fixture
def small(workspace: Workspace) -> Any:
    """Return the small project in which people have annotated."""
    from tests.pages.small_project import annotated_project

    return annotated_project(workspace)


@pytest.fixture
def server() -> Iterator[Any]:
    """Yield a scripted server of language models."""
    from tests.llm.server import scripted

    with scripted() as running:
        yield running


@pytest.fixture
def shared_data() -> Path:
    """Return the folder of real data, or skip the test and say so."""
    folder = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"real data is absent: no folder {folder} (set TOUCHSTONE_SHARED)")
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Yield a PostgreSQL server of the tests' own, or skip the test and say why."""
    if binaries() is None:
        pytest.skip(ABSENT)
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the name of a migrated database of the server, to copy and never to open."""
    address = postgres.new_database()
    folder = tmp_path_factory.mktemp("migrated")
    ws = Workspace(folder, address=server_address(address))
    migrate(ws)
    ws.engine.dispose()
    return address.rpartition("/")[2]


@pytest.fixture
def on_postgres(
    guard_real_workspace: None, postgres: Server, migrated: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Let every workspace of the test be on a migrated PostgreSQL database; yield its address."""
    address = postgres.new_database(template=migrated)
    monkeypatch.setenv("DATABASE_URL", address)
    yield address
    postgres.drop_database(address)
