"""Consent to be named in published data: each person's own setting."""

from __future__ import annotations

from sqlmodel import Session, col, select

from annotation.people.members import NAMING, note
from annotation.people.roles import Act, require
from storage.db.workspace import Workspace
from storage.tables.core import Person
from storage.tables.people import PersonEvent


def set_naming(ws: Workspace, person_id: int, agrees: bool) -> None:
    """Set whether a person agrees to be named in published data; nobody else may.

    Raises UserError for an unknown or inactive person.
    """
    with ws.writing() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may set its own
        if (person_id in named_people(session, who.project_id)) != agrees:
            note(session, person_id, NAMING, {"agrees": agrees}, person_id, ws.clock())


def agrees_to_naming(ws: Workspace, person_id: int) -> bool:
    """Return whether a person agrees to be named. Raises UserError as :func:`set_naming`."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        return person_id in named_people(session, who.project_id)


def named_people(session: Session, project_id: int) -> frozenset[int]:
    """Return the people of a project who agree to be named; before they say so, nobody does."""
    query = (
        select(PersonEvent.person_id, PersonEvent.payload)
        .join(Person, col(Person.id) == col(PersonEvent.person_id))
        .where(col(Person.project_id) == project_id, col(PersonEvent.kind) == NAMING)
        .order_by(col(PersonEvent.id))
    )
    said = {person: payload.get("agrees") is True for person, payload in session.exec(query)}
    return frozenset(person for person, agrees in said.items() if agrees)
