"""Records of imported files: name, hash, importer and number of new lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, cast, exists
from sqlmodel import Session, col, select

from corpus.files.rows import printable
from storage.tables.core import QuestionRow
from storage.tables.exchange import ImportedFile


@dataclass(frozen=True, slots=True)
class BroughtFile:
    """An imported file: kind, name and SHA-256 of its bytes; `by` is the importer (None: operator).

    `kind` is one of those of :class:`storage.tables.exchange.ImportedFile`.
    """

    kind: str
    name: str
    sha256: str
    by: int | None


def keep_file(
    session: Session, project_id: int, file: BroughtFile, lines: int, at: datetime
) -> None:
    """Record the import of a file with its number of new lines; nothing if there are none."""
    if lines:
        session.add(
            ImportedFile(
                project_id=project_id,
                kind=file.kind,
                name=printable(file.name),
                sha256=file.sha256,
                lines=lines,
                by_person_id=file.by,
                at=at,
            )
        )


@dataclass(frozen=True, slots=True)
class LabelSource:
    """A file or release that gold labels came with: its name, its hash, and when it came.

    `questions` are how many of the project's have labels of it.
    """

    name: str
    sha256: str
    at: datetime
    questions: int


def has_labels(session: Session, project_id: int) -> bool:
    """Return True if a question of the project was imported with gold labels."""
    stored = cast(col(QuestionRow.source), String).contains('"gold_ids": ["')
    return session.exec(
        select(exists().where(col(QuestionRow.project_id) == project_id, stored))
    ).one()


def label_sources(session: Session, project_id: int) -> list[LabelSource]:
    """Return the sources of the gold labels of a project's questions, the first import first.

    Of a name that was imported again, the newest file that added something counts.
    """
    known = select(QuestionRow.source).where(QuestionRow.project_id == project_id)
    labelled = Counter(
        printable(str(source.get("file", "")))
        for source in session.exec(known)
        if source.get("gold_ids")
    )
    files = select(ImportedFile).where(ImportedFile.project_id == project_id)
    rows = session.exec(
        files.where(ImportedFile.kind == "questions").order_by(col(ImportedFile.id))
    )
    newest = {row.name: row for row in rows if labelled[row.name]}
    return [LabelSource(n, row.sha256, row.at, labelled[n]) for n, row in newest.items()]
