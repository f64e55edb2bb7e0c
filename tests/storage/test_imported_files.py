"""A file that was brought in is kept where something of it was new."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from corpus.files.rows import printable
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file, label_sources
from storage.projects import create_project
from storage.tables.core import QuestionRow
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


def test_a_source_of_labels_is_the_file_of_its_own_project(ws: Workspace) -> None:
    create_project(ws, "river", "River law")
    with ws.writing() as session:
        for at, sha256 in enumerate(("one", "other"), 1):
            file = BroughtFile("questions", "q.jsonl", sha256, None)
            keep_file(session, at, file, 1, ws.clock())
        source = {"file": "q.jsonl", "gold_ids": ["a_1"]}
        about: dict[str, Any] = {"text": "?", "answer": "", "language": "en", "source": source}
        session.add(QuestionRow(project_id=1, external_id="q", **about))
    with ws.reading() as session:
        assert [each.sha256 for each in label_sources(session, 1)] == ["one"]
