"""Versioned texts of a project: read, compare, save the next version.

The packaged text is version 1 and is current until somebody saves another. Versions are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from difflib import unified_diff
from typing import Any, Generic, TypeVar

from sqlmodel import Session, col, select

from annotation.people.roles import Act, ProjectMember, reading_as, writing_as
from annotation.work.submissions import checked_text
from corpus.limits import NOTE
from errors import UserError, Where
from normalization import storable
from storage.db.columns import Version
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import ProjectView, authored

Parsed = TypeVar("Parsed")
PACKAGED = 1  # number of the packaged version
NOTE_LIMIT = NOTE


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of a text: number, text, author, time and note.

    `person` is None for the operator and for the packaged version, of which `at` is None too.
    """

    number: int
    text: str
    note: str = ""
    person: str | None = None
    at: datetime | None = None

    @property
    def packaged(self) -> bool:
        """True for the packaged version."""
        return self.number == PACKAGED

    def as_dict(self) -> dict[str, Any]:
        """Return the version, without its text, as JSON values; the time in ISO 8601."""
        at = None if self.at is None else self.at.isoformat()
        said = {"number": self.number, "note": self.note, "person": self.person, "at": at}
        return said | {"packaged": self.packaged}


@dataclass(frozen=True, slots=True)
class VersionedText(Generic[Parsed]):
    """A kind of versioned text: its table, its parser and its packaged text.

    A row of `table` has project_id, number, text, note, by_person_id and at. `parse` raises
    UserError for an invalid text. Saving requires the permission `edited_by`; `after_save` is
    called with the project's id in the saving transaction.
    """

    table: type[Version]
    parse: Callable[[str], Parsed]
    starter: Callable[[], str]
    edited_by: Act = Act.EDIT_GUIDELINES
    after_save: Callable[[Session, int], object] | None = None

    def current(self, session: Session, project_id: int) -> tuple[int, Parsed]:
        """Return the number and the parsed text of the project's current version."""
        number, text = self.text_in(session, project_id)
        return number, self.parse(text)

    def text_in(self, session: Session, project_id: int) -> tuple[int, str]:
        """Return the number and the text of the project's current version."""
        row = self.table
        query = select(row.number, row.text).where(row.project_id == project_id)
        found = session.exec(query.order_by(col(row.number).desc())).first()
        return (PACKAGED, self.starter()) if found is None else (found[0], found[1])

    def editions(self, ws: Workspace, slug: str, by: int | None = None) -> list[Edition]:
        """Return every version with its text, newest first.

        Raises UserError for an unknown project or person.
        """
        with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
            return self.editions_in(session, project.id)

    def editions_in(self, session: Session, project_id: int) -> list[Edition]:
        """Return every version of a project with its text, newest first."""
        row = self.table
        rows = authored(session, row, row.project_id == project_id)
        found = [
            Edition(each.number, each.text, each.note, name, each.at)
            for each, name in reversed(rows)
        ]
        return [*found, Edition(PACKAGED, self.starter())]

    def edition(
        self, ws: Workspace, slug: str, number: int | None = None, by: int | None = None
    ) -> Edition:
        """Return the version of that number, else the current one.

        Raises UserError for a number that no version has.
        """
        found = self.editions(ws, slug, by)
        if number is None:
            return found[0]
        for each in found:
            if each.number == number:
                return each
        raise UserError("document_number", Where(field="number"), number=number)

    def save(
        self, ws: Workspace, slug: str, text: str, note: str, expected: int, by: int | None = None
    ) -> int:
        """Save `text` as the next version; return its number.

        `expected` is the number of the version that was edited. Raises UserError without
        permission, for an invalid or unchanged text, a note that is too long, and if another
        version was saved meanwhile.
        """
        with writing_as(ws, slug, by, self.edited_by) as (session, project, who):
            return self.save_in(session, ws, project, who, text, note, expected)

    def save_in(
        self,
        session: Session,
        ws: Workspace,
        project: ProjectView,
        who: ProjectMember | None,
        text: str,
        note: str,
        expected: int,
    ) -> int:
        """Save as `save` does, in an open transaction and without the permission check."""
        text, note = clean(text), checked_text(clean(note), "note", NOTE_LIMIT)
        number, before = self.text_in(session, project.id)
        if number != expected:
            raise UserError("document_stale", number=number, expected=expected)
        self.parse(text)
        if text == before:
            raise UserError("document_same", Where(field="text"), number=number)
        row = self.table(
            project_id=project.id,
            number=number + 1,
            text=text,
            note=note,
            by_person_id=None if who is None else who.person_id,
            at=ws.clock(),
        )
        add_row(session, row)
        if self.after_save is not None:
            self.after_save(session, project.id)
        return number + 1


def clean(text: str) -> str:
    """Return a storable text with line ends normalized to LF."""
    return storable(text).replace("\r\n", "\n").replace("\r", "\n")


def line_diff(now: str, then: str) -> str:
    """Compare two texts line by line, as ``diff -u`` writes it; "" where they are equal."""
    lines = unified_diff(now.splitlines(), then.splitlines(), "now", "then", lineterm="")
    return "\n".join(lines)
