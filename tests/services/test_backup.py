from __future__ import annotations

import json
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from services.backup import back_up, restore
from services.gold.export import export_gold
from storage.db.engines import file_address, server_address
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project, list_projects
from storage.tables.core import DraftEvent
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.support.postgres import Server
from tests.support.refusals import code_of, refused

KINDS = ("sqlite", "postgresql")


@pytest.fixture
def places(
    tmp_path: Path, clock: FakeClock, request: pytest.FixtureRequest
) -> dict[str, Workspace]:
    """Return an empty place of each kind; on PostgreSQL where the test asks for it."""
    found = {
        "sqlite": tmp_path / "file" / DATABASE_FILE,
        "other": tmp_path / "other" / DATABASE_FILE,
    }
    made = {name: Workspace(path.parent, clock, file_address(path)) for name, path in found.items()}
    if "postgresql" in request.node.name:
        server: Server = request.getfixturevalue("postgres")
        address = server_address(server.new_database())
        made["postgresql"] = Workspace(tmp_path / "server", clock, address)
    return made


def _house(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr("tests.annotation.house.Workspace", lambda *_: ws)
    house = build(ws.folder, ws.clock)
    for person in (house.ann, house.ben):
        mapping_commands.label(ws, person, house.items[0], house.units[1], "accept")
        commands.set_comment(ws, person, house.items[0], f"배 “{person}”")
        commands.submit(ws, person, house.items[0])
    mapping_commands.label(ws, house.ann, house.items[1], house.units[2], "unsure")
    return house


def _exported(ws: Workspace, folder: Path) -> dict[str, bytes]:
    export_gold(ws, SLUG, folder)
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


@pytest.mark.parametrize("origin", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_of_either_database_comes_back_on_either(
    places: dict[str, Workspace],
    tmp_path: Path,
    origin: str,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = _house(places[origin], monkeypatch)
    file = tmp_path / "made.backup"
    made = back_up(house.ws, file)
    before = _exported(house.ws, tmp_path / "before")
    there = places["other" if target == "sqlite" else target]
    if origin == target == "postgresql":
        assert restore(there, file, replace=True).aside is not None
    else:
        assert restore(there, file).aside is None
    assert check(there, SLUG) == []
    assert _exported(there, tmp_path / "after") == before
    assert back_up(there, tmp_path / "again.backup").rows == made.rows
    commands.submit(there, house.ann, house.items[1])  # ids go on behind those that came back
    assert check(there, SLUG) == []


def test_the_same_work_gives_the_same_export_on_both_databases_postgresql(
    places: dict[str, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports = []
    for kind in KINDS:
        ws = Workspace(places[kind].folder, FakeClock(), places[kind].address)
        _house(ws, monkeypatch)
        exports.append(_exported(ws, tmp_path / kind))
    assert exports[0] == exports[1]
    assert exports[0]["gold.jsonl"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_workspace_in_use_is_replaced_only_on_request_and_kept(
    places: dict[str, Workspace], tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = _house(places["other"], monkeypatch)
    file = tmp_path / "made.backup"
    back_up(house.ws, file)
    ws = places[kind]
    migrate(ws)
    create_project(ws, "in-use", "In use")
    assert code_of(restore, ws, file) == "restore_occupied"
    assert [project.slug for project in list_projects(ws)] == ["in-use"]
    done = restore(ws, file, replace=True)
    assert [project.slug for project in list_projects(ws)] == [SLUG] == list(done.projects)
    assert done.aside is not None
    assert restore(ws, done.aside, replace=True).projects == ("in-use",)
    assert [project.slug for project in list_projects(ws)] == ["in-use"]
    assert not [path for path in ws.folder.iterdir() if ".part-" in path.name]


def test_a_backup_is_for_its_owner_alone_and_never_overwritten(
    places: dict[str, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = _house(places["sqlite"], monkeypatch)
    file = tmp_path / "made.backup"
    back_up(house.ws, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    content = file.read_bytes()
    assert code_of(back_up, house.ws, file) == "backup_exists"
    assert file.read_bytes() == content
    restore(places["other"], file)  # drafts come back event by event
    logs = []
    for ws in (house.ws, places["other"]):
        with ws.reading() as session:
            logs.append([row.model_dump() for row in session.exec(select(DraftEvent))])
    assert logs[0] == logs[1]
    view = queue_service.open_item(places["other"], house.ann, house.items[1])
    assert [c.decision for c in view.candidates if c.decision] == ["unsure"]


def _rewritten(file: Path, **changes: object) -> Path:
    """Return a copy of a backup, with fields of its manifest or the database changed."""
    copy = file.with_name("changed.backup")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(copy, "w") as new:
        database = changes.pop("database", old.read(DATABASE_FILE))
        manifest = json.loads(old.read("manifest.json")) | changes
        new.writestr("manifest.json", json.dumps(manifest))
        assert isinstance(database, bytes)
        new.writestr(DATABASE_FILE, database)
    return copy


def test_what_is_no_whole_backup_changes_nothing(
    places: dict[str, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = _house(places["sqlite"], monkeypatch)
    file = tmp_path / "made.backup"
    back_up(house.ws, file)
    half = tmp_path / "half.backup"
    half.write_bytes(file.read_bytes()[:-1000])
    text = tmp_path / "text.backup"
    text.write_text("Dear diary")
    with zipfile.ZipFile(file) as archive:
        database = archive.read(DATABASE_FILE)
    cases: list[tuple[Path, dict[str, object], str]] = [
        (tmp_path / "none.backup", {}, "backup_unreadable"),
        (half, {}, "backup_unreadable"),
        (text, {}, "backup_unreadable"),
        (file, {"database": database[:-1] + b"x"}, "backup_damaged"),
        (file, {"size": 10}, "backup_damaged"),
        (file, {"rows": {"x" * (1 << 20): 1}}, "backup_damaged"),
        (file, {"format": 2}, "backup_newer"),
        (file, {"colour": "red"}, "backup_damaged"),
    ]
    for backup, changes, code in cases:
        with refused(code):
            restore(places["other"], _rewritten(backup, **changes) if changes else backup)
        assert list_projects(places["other"]) == []


def test_a_backup_that_does_not_pass_the_check_is_refused(
    places: dict[str, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = _house(places["sqlite"], monkeypatch)
    with closing(sqlite3.connect(house.ws.database)) as database:
        database.execute("DROP TRIGGER annotation_no_update")
        database.execute("UPDATE annotation SET comment = 'forged'")
        database.commit()
    file = tmp_path / "made.backup"
    back_up(house.ws, file)
    assert code_of(restore, places["other"], file) == "backup_unsound"
    assert list_projects(places["other"]) == []


def test_a_backup_whose_columns_are_others_is_refused_whole(
    places: dict[str, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are copied column by column as they stand, so that none may come into another."""
    house = _house(places["sqlite"], monkeypatch)
    with closing(sqlite3.connect(house.ws.database)) as database:
        database.execute("DROP TABLE comment")
        database.execute(
            "CREATE TABLE comment (id INTEGER PRIMARY KEY, person_id INTEGER, item_id INTEGER,"
            " reply_to_id INTEGER, kind VARCHAR,"
            " text VARCHAR, at DATETIME)"
        )
        for act in ("update", "delete"):
            database.execute(
                f"CREATE TRIGGER comment_no_{act} BEFORE {act} ON comment"
                " BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
    file = tmp_path / "made.backup"
    back_up(house.ws, file)
    with pytest.raises(RuntimeError, match="comment has other columns"):
        restore(places["other"], file)
    assert list_projects(places["other"]) == []
