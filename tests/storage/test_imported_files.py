"""A file that was brought in is kept where something of it was new."""

from __future__ import annotations

from pathlib import Path

from sqlmodel import select

from corpus.files.rows import printable
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file
from storage.projects import create_project, find_project
from storage.tables.exchange import ImportedFile
from tests.conftest import FakeClock


def test_a_file_is_kept_by_its_printable_name_where_something_was_new(
    tmp_path: Path, clock: FakeClock
) -> None:
    ws = Workspace(tmp_path, clock)
    migrate(ws)
    create_project(ws, "law", "Law")
    file = BroughtFile("votes", "a\udcff.jsonl", "ab", None)
    with ws.writing() as session:
        project = find_project(session, "law").id
        keep_file(session, project, file, 0, ws.clock())
        keep_file(session, project, file, 3, ws.clock())
    with ws.reading() as session:
        [kept] = session.exec(select(ImportedFile)).all()
        assert (kept.kind, kept.sha256, kept.lines, kept.by_person_id) == ("votes", "ab", 3, None)
        assert kept.name == printable(file.name) != file.name
