from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError
from sqlmodel import SQLModel, col, select, text

import annotation.guidelines.documents as documents
import storage.db.migrate as migrating
import storage.law.corpus
import storage.models.llm_calls
import storage.tables.core
import storage.tables.graph
import storage.tables.people
from annotation.check.project import check
from annotation.history.reading import everything
from errors import UserError
from storage.db.address import file_address, server_address
from storage.db.columns import AppendOnly, Row
from storage.db.engines import WRITE
from storage.db.migrate import migrate
from storage.db.schema import REVISION, is_current
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project, list_projects
from storage.tables.append_only import GUARDED
from storage.tables.every import TABLES
from storage.tables.exchange import ImportedFile
from storage.tables.people import Document
from tests.conftest import ROOT
from tests.support.postgres import Server

REVISIONS = [f"{number:04}" for number in range(1, 31)]


_OLDER_ROWS = (  # of revision 0002, on either database
    "INSERT INTO project VALUES (1, 'kept', 'Kept', 2, '2026-01-01 00:00:00.000000')",
    "INSERT INTO person VALUES (7, 1, 'Ann', 'annotator', '2026-01-02 03:04:05.000000')",
    "INSERT INTO question VALUES (1, 1, 'q1', 'Q', 'A', 'en', '{}')",
    "INSERT INTO item VALUES (1, 1, 1, 'citation_mapping', 1)",
    "INSERT INTO draft_event VALUES (1, 1, 7, 'open', '{}', NULL, '2026-01-02 00:00:00.000000')",
    "INSERT INTO draft_event VALUES (4, 1, 7, 'undo', '{}', 1, '2026-01-03 00:00:00.000000')",
)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def _code(ws: Workspace) -> str:
    with pytest.raises(UserError) as caught:
        migrate(ws)
    assert caught.value.where.file == str(ws.database)
    return caught.value.code


def _write(ws: Workspace, *statements: str) -> None:
    ws.folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(ws.database)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_a_workspace_is_created_once(ws: Workspace) -> None:
    assert migrate(ws) == REVISIONS
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
    assert scripts.get_heads() == [REVISION] == REVISIONS[-1:]


def test_every_table_of_decisions_is_named() -> None:
    assert TABLES.tables.keys() > set(GUARDED)
    classes = [mapper.class_ for mapper in Row._sa_registry.mappers]
    guarded = (each.__tablename__ for each in classes if issubclass(each, AppendOnly))
    assert list(GUARDED) == sorted(guarded)


def test_every_table_of_decisions_is_guarded(ws: Workspace) -> None:
    migrate(ws)
    with closing(sqlite3.connect(ws.database)) as database:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    expected = {f"{table}_no_{act}" for table in GUARDED for act in ("update", "delete")}
    assert {name for (name,) in rows} == expected


def test_an_older_database_is_copied_before_it_is_changed(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(ws)
    create_project(ws, "kept", "Kept")

    def upgrade(config: object, _target: str) -> None:
        connection = config.attributes["connection"]  # type: ignore[attr-defined]
        connection.exec_driver_sql("UPDATE project SET title = 'Changed'")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9998'")

    monkeypatch.setattr(migrating, "REVISION", "9998")
    monkeypatch.setattr("storage.db.workspace.REVISION", "9998")
    monkeypatch.setattr(migrating, "_steps_from", lambda *_: ["9998"])
    monkeypatch.setattr(command, "upgrade", upgrade)
    (ws.folder / f"{DATABASE_FILE}.before-9998").write_text("in the way")
    assert migrate(ws) == ["9998"]
    assert [project.title for project in list_projects(Workspace(ws.folder))] == ["Changed"]
    with closing(sqlite3.connect(ws.folder / f"{DATABASE_FILE}.before-9998-2")) as copy:
        assert copy.execute("SELECT slug, title FROM project").fetchall() == [("kept", "Kept")]
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == (REVISION,)


def test_a_copy_that_cannot_be_made_stops_the_migration_and_leaves_none(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(ws)
    monkeypatch.setattr(migrating, "REVISION", "9998")
    monkeypatch.setattr(migrating, "_steps_from", lambda *_: ["9998"])

    def full(_source: object, target: sqlite3.Connection) -> None:
        target.execute("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(migrating, "_copy", full)
    assert _code(ws) == "disk_full"
    assert [path.name for path in ws.folder.iterdir() if "before" in path.name] == []


def test_people_of_an_older_database_stay_who_they_are(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0002"))
        migrate(ws)
    _write(ws, *_OLDER_ROWS)
    with closing(sqlite3.connect(ws.database)) as database:
        log = database.execute("SELECT * FROM draft_event").fetchall()
    assert migrate(ws) == REVISIONS[2:]
    with Workspace(ws.folder).writing() as session:
        person = session.get_one(storage.tables.core.Person, 7)
        assert (person.name, person.role, person.active) == ("Ann", "annotator", True)
        person.role = "lawyer"
    with closing(sqlite3.connect(ws.database)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        keys = database.execute("PRAGMA foreign_key_list(draft_event)").fetchall()
        assert {row[2] for row in keys} == {"item", "person", "draft_event"}
        assert database.execute("SELECT * FROM draft_event").fetchall() == log
        for harm in ("UPDATE draft_event SET kind = 'skip'", "DELETE FROM draft_event"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
                database.execute(harm)


def test_rows_of_an_older_database_on_a_server_stay_and_are_copied_first(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Workspace(tmp_path / "server", address=server_address(postgres.new_database()))
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0002"))
        migrate(ws)
    with ws.engine.execution_options(**{WRITE: True}).begin() as connection:
        for statement in _OLDER_ROWS:
            connection.exec_driver_sql(statement)
    ws.engine.dispose()

    again = Workspace(ws.folder, address=ws.address)
    assert migrate(again) == REVISIONS[2:]
    with again.writing() as session:
        person = session.get_one(storage.tables.core.Person, 7)
        assert (person.name, person.role, person.active) == ("Ann", "annotator", True)
        person.role = "lawyer"
        note = session.get_one(storage.tables.core.DraftEvent, 1)
        assert (note.person_id, note.kind) == (7, "open")
    with pytest.raises(DatabaseError, match="only ever added"), again.writing() as session:
        session.connection().exec_driver_sql("DELETE FROM draft_event")
    with closing(sqlite3.connect(ws.folder / f"{DATABASE_FILE}.before-0003")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)
        assert copy.execute("SELECT id, name FROM person").fetchall() == [(7, "Ann")]
        assert copy.execute("SELECT count(*) FROM draft_event").fetchone() == (2,)


def test_edges_between_decree_and_rule_get_the_name_that_they_have_now(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0015"))
        migrate(ws)
    unit = (
        "INSERT INTO unit (id, snapshot_id, statute_id, semantic_id, level, label, heading, text, "
        '"order", path, parts, deleted, text_missing) '
        "VALUES ({}, 1, 1, 's_{}', 'article', '', '', '', 1, '[]', '[]', 0, 0)"
    )
    edge = "INSERT INTO edge VALUES ({}, 1, 1, 2, '{}', 'text', 0, 5, '', '', '')"
    _write(
        ws,
        "INSERT INTO project VALUES (1, 'kept', 'Kept', 2, '2026-01-01 00:00:00.000000')",
        "INSERT INTO snapshot VALUES (1, 1, 's', NULL, 'h', '2026-01-01 00:00:00.000000')",
        "INSERT INTO statute (id, snapshot_id, semantic_id, title, kind, tier, language, number, "
        "source, file) VALUES (1, 1, 's', 's', 'act', 1, 'ko', '', '', '')",
        *(unit.format(number, number) for number in (1, 2)),
        *(edge.format(n, kind) for n, kind in enumerate(("references", "parallel"), 1)),
    )
    assert migrate(ws) == REVISIONS[15:]
    with closing(sqlite3.connect(ws.database)) as database:
        kinds = database.execute("SELECT type, origin FROM edge ORDER BY id").fetchall()
        assert kinds == [("references", "text"), ("co_specifies", "text")]
        for table in ("parallel_groups", "parallel_decision"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608


_AT_0025 = (  # two projects of revision 0025, the second has edited its guideline
    "INSERT INTO project VALUES (1, 'kept', 'Kept', 2, '2026-01-01 00:00:00.000000')",
    "INSERT INTO project VALUES (2, 'edited', 'Edited', 2, '2026-01-02 00:00:00.000000')",
    "INSERT INTO document VALUES (1, 2, 'guideline', 'citation_mapping', 1, 'en', 'Text 1', '', "
    "NULL, '2026-01-03 00:00:00.000000')",
    "INSERT INTO document VALUES (2, 2, 'guideline', 'citation_mapping', 2, 'en', 'Text 2', '', "
    "NULL, '2026-01-03 00:00:00.000000')",
)
_VERSIONS = {  # what decisions of then carry
    ("guideline", "citation_mapping"): "1-98fcb05473e2",
    ("guideline", "judge_review"): "1-202ec2279015",
    ("guideline", "factor_tagging"): "1-12b7dd5c720e",
    ("codebook", "judge_review"): "1-f9b813ea97d9",
}


def _holds_what_held(ws: Workspace) -> None:
    """Fail unless the kept project says what it said, the edited one its own, a new one the new."""
    create_project(ws, "new", "New")
    with ws.reading() as session:
        for (kind, task), version in _VERSIONS.items():
            held = [documents.current(session, number, kind, task) for number in (1, 2, 3)]
            own = (kind, task) == ("guideline", "citation_mapping")
            assert [each.version == version for each in held] == [True, not own, False]
            assert [each.packaged for each in held] == [True, not own, True]
        found = session.exec(select(Document).where(Document.project_id == 2)).all()
        texts = [each.text for each in found if each.task == "citation_mapping"]
        assert texts == ["Text 1", "Text 2"]
        assert session.exec(select(Document).where(Document.project_id == 3)).all() == []
        kept = session.exec(select(Document).where(Document.project_id == 1)).all()
        assert {(each.number, each.note, each.by_person_id) for each in kept} == {(1, "", None)}
        assert len(kept) == 21  # ten guidelines in two languages, and a codebook
        assert {f"{each.at:%Y-%m-%d}" for each in kept} == {"2026-01-01"}
    assert check(ws, "kept") == []
    assert not [each for each in everything(ws, "kept") if each.kind.startswith("guideline")]


def test_an_older_project_keeps_the_guidelines_that_it_had(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0025"))
        migrate(ws)
    _write(ws, *_AT_0025)
    assert migrate(ws) == REVISIONS[25:]
    _holds_what_held(Workspace(ws.folder))


def test_an_older_project_on_a_server_keeps_the_guidelines_that_it_had(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Workspace(tmp_path / "server", address=server_address(postgres.new_database()))
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0025"))
        migrate(ws)
    with ws.engine.execution_options(**{WRITE: True}).begin() as connection:
        for statement in (*_AT_0025, *_COUNT_ON):
            connection.exec_driver_sql(statement)
    ws.engine.dispose()
    again = Workspace(ws.folder, address=ws.address)
    assert migrate(again) == REVISIONS[25:]
    _holds_what_held(again)


_AT_0027 = (
    "INSERT INTO project VALUES (1, 'kept', 'Kept', 2, '2026-01-01 00:00:00.000000')",
    "INSERT INTO imported_file VALUES (1, 1, 'votes', 'v.jsonl', 'ab', 3, NULL, "
    "'2026-01-02 00:00:00.000000')",
    "INSERT INTO imported_file VALUES (2, 1, 'verdicts', 'j.jsonl', 'cd', 2, NULL, "
    "'2026-01-03 00:00:00.000000')",
)


def _keeps_files(ws: Workspace) -> None:
    """Fail unless files of before are told as they were, and one of questions can come."""
    with ws.writing() as session:
        first, second = session.exec(select(ImportedFile).order_by(col(ImportedFile.id))).all()
        assert (first.kind, first.name, first.sha256, first.lines) == ("votes", "v.jsonl", "ab", 3)
        assert f"{second.at:%Y-%m-%d}" == "2026-01-03"
        at = ws.clock()
        row = ImportedFile(project_id=1, kind="questions", name="q", sha256="e", lines=1, at=at)
        session.add(row)
    with pytest.raises(DatabaseError, match="only ever added"), ws.writing() as session:
        session.execute(text("DELETE FROM imported_file"))
    kinds = [each.kind for each in everything(ws, "kept")]
    assert kinds == ["questions.imported", "verdicts.imported"]


def test_files_that_were_brought_in_stay_when_those_of_questions_are_kept_too(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0027"))
        migrate(ws)
    _write(ws, *_AT_0027)
    assert migrate(ws) == REVISIONS[27:]
    _keeps_files(Workspace(ws.folder))


def test_files_that_were_brought_in_stay_on_a_server_too(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Workspace(tmp_path / "server", address=server_address(postgres.new_database()))
    upgrade = command.upgrade
    with monkeypatch.context() as older:
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, "0027"))
        migrate(ws)
    with ws.engine.execution_options(**{WRITE: True}).begin() as connection:
        for statement in (*_AT_0027, _FILES_COUNT_ON):
            connection.exec_driver_sql(statement)
    ws.engine.dispose()
    again = Workspace(ws.folder, address=ws.address)
    assert migrate(again) == REVISIONS[27:]
    _keeps_files(again)


_FILES_COUNT_ON = "SELECT setval(pg_get_serial_sequence('imported_file', 'id'), 2)"
_COUNT_ON = tuple(  # ids that were said count on from there
    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 2)"
    for table in ("project", "document")
)


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
    _write(ws, "UPDATE alembic_version SET version_num = '9999'")
    fresh = Workspace(ws.folder)
    assert _code(fresh) == "database_newer"
    with pytest.raises(UserError) as caught, fresh.reading():
        pass
    assert caught.value.code == "workspace_outdated"


def test_a_database_of_another_program_is_refused(ws: Workspace) -> None:
    _write(ws, "CREATE TABLE songs (title TEXT)")
    assert _code(ws) == "database_foreign"


def test_a_file_that_is_no_database_is_refused_and_left_alone(ws: Workspace) -> None:
    ws.folder.mkdir()
    ws.database.write_text("Dear diary, " * 100)
    assert _code(ws) == "database_unreadable"
    with pytest.raises(UserError) as caught, ws.reading():
        pass
    assert caught.value.code == "database_unreadable"
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
    with pytest.raises(UserError) as caught:
        migrate(ws)
    assert caught.value.code == "workspace_unmade" and caught.value.where.file == str(ws.folder)
    assert "Not a directory" in str(caught.value)


def test_processes_that_create_at_once_create_it_once(ws: Workspace) -> None:
    script = (
        "import sys; from pathlib import Path; from storage.db.migrate import migrate;"
        "from storage.db.workspace import Workspace; print(migrate(Workspace(Path(sys.argv[1]))))"
    )
    command_line = [sys.executable, "-c", script, str(ws.folder)]
    started = [
        subprocess.Popen(command_line, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = sorted(each.communicate(timeout=100)[0].strip() for each in started)
    assert said == sorted([str(REVISIONS), "[]", "[]"])


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
        database.execute("UPDATE alembic_version SET version_num = '0001'")
        database.commit()
    assert not is_current(file)
