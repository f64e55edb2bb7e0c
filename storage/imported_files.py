"""What history keeps of a file that was brought in: which it was, who brought it, what was new."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from corpus.files.rows import printable
from storage.tables.exchange import ImportedFile


@dataclass(frozen=True, slots=True)
class BroughtFile:
    """A file by its kind, its name and the SHA-256 of its bytes; `by` brought it (None: operator).

    `kind` is one of those of :class:`storage.tables.exchange.ImportedFile`.
    """

    kind: str
    name: str
    sha256: str
    by: int | None


def keep_file(
    session: Session, project_id: int, file: BroughtFile, lines: int, at: datetime
) -> None:
    """Keep that the file came, with how many of its lines were new; nothing where none was."""
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
