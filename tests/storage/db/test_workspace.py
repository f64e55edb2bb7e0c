from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlmodel import select

from annotation.people.members import add_person, list_people
from storage.db.location import workspace_folder
from storage.db.migrate import migrate
from storage.db.workspace import Workspace, together
from storage.projects import create_project
from storage.tables.core import Project
from tests.support.refusals import refused


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    return workspace


def _project(at: datetime) -> Project:
    return Project(slug="p", title="P", created_at=at)


def test_connections_are_set_up_for_safety(ws: Workspace) -> None:
    with ws.reading() as session:
        found = {
            name: session.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert found == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 2,
        "busy_timeout": 10_000,
    }


def test_acts_see_each_other_and_are_kept_at_the_end(ws: Workspace) -> None:
    create_project(ws, "p", "P")
    with together(ws) as inside:
        add_person(inside, "p", "Ara", "annotator")
        add_person(inside, "p", "Jun", "annotator")
        assert len(list_people(inside, "p")) == 2
        assert list_people(ws, "p") == []
    assert [each.name for each in list_people(ws, "p")] == ["Ara", "Jun"]


def test_a_failed_block_leaves_nothing(ws: Workspace) -> None:
    with pytest.raises(RuntimeError), ws.writing() as session:
        session.add(_project(datetime.now(UTC)))
        session.flush()
        raise RuntimeError
    with ws.reading() as session:
        assert session.exec(select(Project)).all() == []


def test_a_reader_sees_one_state_while_another_writes(ws: Workspace) -> None:
    with ws.reading() as reader:
        assert reader.exec(select(Project)).all() == []
        with ws.writing() as session:
            session.add(_project(datetime.now(UTC)))
        assert reader.exec(select(Project)).all() == []


def test_times_come_back_in_utc_whatever_zone_they_had(ws: Workspace) -> None:
    seoul = datetime(2026, 3, 1, 8, 30, tzinfo=timezone(timedelta(hours=9)))
    with ws.writing() as session:
        session.add(_project(seoul))
    with ws.reading() as session:
        found = session.exec(select(Project.created_at)).one()
    assert found == seoul
    assert found.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(ws: Workspace) -> None:
    with pytest.raises(StatementError, match="needs its zone"), ws.writing() as session:
        session.add(_project(datetime(2026, 3, 1)))


def test_a_missing_workspace_and_an_unmigrated_one_are_refused(tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "none")
    with refused("workspace_missing"), ws.reading():
        pass
    ws.folder.mkdir()
    ws.database.touch()
    with refused("workspace_outdated"), ws.writing():
        pass
    migrate(ws)
    with ws.reading() as session:
        assert session.exec(select(Project)).all() == []


def test_the_folder_is_the_chosen_one_then_the_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(tmp_path / "env"))
    assert workspace_folder(tmp_path / "chosen") == tmp_path / "chosen"
    assert workspace_folder() == tmp_path / "env"
    monkeypatch.delenv("TOUCHSTONE_WORKSPACE")
    assert workspace_folder() == Path(".touchstone")


@pytest.mark.parametrize("name", ["a#b", "50% done", "빈 칸", "a?mode=ro&cache=shared"])
def test_the_database_lies_in_its_folder_whatever_the_folder_is_called(
    tmp_path: Path, name: str
) -> None:
    ws = Workspace(tmp_path / name)
    migrate(ws)
    with ws.writing() as session:
        session.add(_project(datetime.now(UTC)))
    assert ws.exists
    assert ws.database.stat().st_size > 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_database_put_back_while_it_is_open_is_the_one_that_is_written(tmp_path: Path) -> None:
    ws, other = Workspace(tmp_path / "here"), Workspace(tmp_path / "other")
    for each in (ws, other):
        migrate(each)
    with ws.writing() as session:
        session.add(_project(datetime.now(UTC)))
    for path in ws.folder.iterdir():
        path.unlink()
    other.engine.dispose()
    other.database.rename(ws.database)
    with ws.writing() as session:
        assert session.exec(select(Project)).all() == []
        session.add(_project(datetime.now(UTC)))
    with Workspace(ws.folder).reading() as session:
        assert len(session.exec(select(Project)).all()) == 1


def test_text_that_cannot_be_stored_is_the_users_to_mend(ws: Workspace) -> None:
    with refused("text_unstorable"), ws.reading() as session:
        session.exec(select(Project).where(Project.slug == "\udcff")).first()
