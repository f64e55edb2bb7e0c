"""First visit: whether a person has closed the introduction."""

from __future__ import annotations

from sqlmodel import Session, select

from annotation.people.members import INTRODUCED, note
from annotation.people.roles import Act, require
from storage.db.workspace import Workspace
from storage.tables.people import PersonEvent


def is_first_visit(ws: Workspace, person_id: int) -> bool:
    """Return True if the person has yet to close the introduction.

    Raises UserError for an unknown or inactive person.
    """
    with ws.reading() as session:
        require(session, person_id, Act.COMMENT)  # any role may read its own state
        return not _has_closed_introduction(session, person_id)


def end_first_visit(ws: Workspace, person_id: int) -> None:
    """Record that the person closed the introduction; no-op after the first time.

    Raises UserError for an unknown or inactive person.
    """
    with ws.writing() as session:
        require(session, person_id, Act.COMMENT)
        if not _has_closed_introduction(session, person_id):
            note(session, person_id, INTRODUCED, {}, person_id, ws.clock())


def _has_closed_introduction(session: Session, person_id: int) -> bool:
    query = select(PersonEvent.id).where(
        PersonEvent.person_id == person_id, PersonEvent.kind == INTRODUCED
    )
    return session.exec(query).first() is not None
