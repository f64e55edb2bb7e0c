"""Records of imported files: name, hash, importer and number of new lines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from corpus.files.rows import printable
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
