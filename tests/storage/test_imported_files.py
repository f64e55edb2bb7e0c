"""A file that was brought in is kept where something of it was new."""

from __future__ import annotations

from sqlmodel import select

from corpus.files.rows import printable
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file
from storage.tables.exchange import ImportedFile


def test_a_file_is_kept_by_its_printable_name_where_something_was_new(ws: Workspace) -> None:
    file = BroughtFile("votes", "a\udcff.jsonl", "ab", None)
    with ws.writing() as session:
        keep_file(session, 1, file, 0, ws.clock())
        keep_file(session, 1, file, 3, ws.clock())
    with ws.reading() as session:
        [kept] = session.exec(select(ImportedFile)).all()
        assert (kept.kind, kept.sha256, kept.lines, kept.by_person_id) == ("votes", "ab", 3, None)
        assert kept.name == printable(file.name) != file.name
