from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from pkgutil import iter_modules

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

import storage.tables
from storage.db.columns import AppendOnly, Row
from storage.db.engines import close_all, file_address
from storage.db.migrate import migrate
from storage.db.schema import BASELINE, REVISION, is_current
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import list_projects
from storage.tables import every
from storage.tables.append_only import GUARDED
from storage.tables.every import TABLES
from tests.conftest import ROOT
from tests.support.refusals import refusal, refused


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def _code(ws: Workspace) -> str:
    error = refusal(migrate, ws)
    assert error.where.file == str(ws.database)
    return error.code


def _write(ws: Workspace, *statements: str) -> None:
    ws.folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(ws.database)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_a_workspace_is_created_once(ws: Workspace) -> None:
    assert migrate(ws) == [BASELINE, "v1_0002", REVISION]
    assert migrate(ws) == []
    assert [path.name for path in ws.folder.iterdir() if "before" in path.name] == []


def test_migrations_and_tables_do_not_drift(ws: Workspace) -> None:
    migrate(ws)
    with ws.engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, SQLModel.metadata) == []


def _lines(sql: str) -> list[str]:
    """Return the parts of a table; SQLite writes a column added later behind the last one."""
    return sql.replace("NOT NULL, ", "NOT NULL,\n").split("\n")


def test_checks_that_autogenerate_overlooks_do_not_drift_either(
    ws: Workspace, tmp_path: Path
) -> None:
    """Alembic does not compare CHECK constraints and partial indexes; SQLite's own text does."""
    migrate(ws)
    declared = Workspace(tmp_path / "declared")
    declared.folder.mkdir()
    SQLModel.metadata.create_all(declared.engine)
    query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'alembic%' AND type = ?"

    def shape(workspace: Workspace) -> dict[str, set[str]]:
        with closing(sqlite3.connect(workspace.database)) as database:
            rows = [row for kind in ("table", "index") for row in database.execute(query, (kind,))]
        return {
            name: {line.strip().rstrip(",").replace('"', "") for line in _lines(sql)}
            for name, sql in rows
            if sql
        }

    assert shape(ws) == shape(declared)


def test_the_revision_in_code_is_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(ROOT / "storage" / "migrations"))
    assert scripts.get_heads() == [REVISION]
    assert scripts.get_bases() == [BASELINE]
    assert REVISION >= BASELINE  # later ones sort behind, those of before version 1 before it


def test_every_table_of_decisions_is_named() -> None:
    assert TABLES.tables.keys() > set(GUARDED)
    modules = {each.name for each in iter_modules(storage.tables.__path__)}
    assert modules - {"append_only", "every"} <= vars(every).keys(), "modules of tables it imports"
    classes = [mapper.class_ for mapper in Row._sa_registry.mappers]
    guarded = (each.__tablename__ for each in classes if issubclass(each, AppendOnly))
    assert list(GUARDED) == sorted(guarded)


def test_every_table_of_decisions_is_guarded(ws: Workspace) -> None:
    migrate(ws)
    with closing(sqlite3.connect(ws.database)) as database:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    expected = {f"{table}_no_{act}" for table in GUARDED for act in ("update", "delete")}
    assert {name for (name,) in rows} == expected


def test_a_migration_that_fails_changes_nothing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgrade(config: object, _target: str) -> None:
        connection = config.attributes["connection"]  # type: ignore[attr-defined]
        connection.exec_driver_sql("CREATE TABLE half (id INTEGER)")
        raise RuntimeError("broken migration")

    monkeypatch.setattr(command, "upgrade", upgrade)
    with pytest.raises(RuntimeError, match="broken"):
        migrate(ws)
    with closing(sqlite3.connect(ws.database)) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_a_database_newer_than_the_code_is_refused(ws: Workspace) -> None:
    migrate(ws)
    _write(ws, "UPDATE alembic_version SET version_num = 'v1_9999'")
    fresh = Workspace(ws.folder)
    assert _code(fresh) == "database_newer"
    with refused("workspace_outdated"), fresh.reading():
        pass


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_database_of_before_version_1_is_refused_and_left_as_it_lies(
    ws: Workspace, journal: str
) -> None:
    migrate(ws)
    ws.engine.dispose()
    _write(
        ws,
        "UPDATE alembic_version SET version_num = '0030'",
        f"PRAGMA journal_mode={journal}",
    )
    before = {path.name: path.read_bytes() for path in ws.folder.iterdir()}
    assert list(before) == [DATABASE_FILE]
    for act in (migrate, list_projects):
        with refused("database_older") as caught:
            act(Workspace(ws.folder))
        assert "export annotations" in caught.value.remedy("en")
        close_all()
        assert {path.name: path.read_bytes() for path in ws.folder.iterdir()} == before


def test_a_database_of_another_program_is_refused(ws: Workspace) -> None:
    _write(ws, "CREATE TABLE songs (title TEXT)")
    assert _code(ws) == "database_foreign"


def test_a_file_that_is_no_database_is_refused_and_left_alone(ws: Workspace) -> None:
    ws.folder.mkdir()
    ws.database.write_text("Dear diary, " * 100)
    assert _code(ws) == "database_unreadable"
    with refused("database_unreadable"), ws.reading():
        pass
    assert ws.database.read_text().startswith("Dear diary")


def test_a_damaged_database_is_refused(ws: Workspace) -> None:
    migrate(ws)
    ws.engine.dispose()
    content = bytearray(ws.database.read_bytes())
    content[100:4096] = b"\xff" * 3996
    ws.database.write_bytes(bytes(content))
    assert _code(Workspace(ws.folder)) == "database_unreadable"


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ws = Workspace(tmp_path / "file" / "workspace")
    error = refusal(migrate, ws)
    assert error.code == "workspace_unmade" and error.where.file == str(ws.folder)
    assert "Not a directory" in str(error)


def test_a_file_that_needs_no_migration_is_known_without_migrating(tmp_path: Path) -> None:
    file = tmp_path / "touchstone.db"
    assert not is_current(file)
    assert not file.exists()
    file.write_text("no database")
    assert not is_current(file)
    file.unlink()
    migrate(Workspace(tmp_path, address=file_address(file)))
    assert is_current(file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'v1_0000'")
        database.commit()
    assert not is_current(file)
