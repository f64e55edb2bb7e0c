"""Which court case asks for the others of its standard group, where somebody has chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.people.authorization import require_by
from annotation.people.roles import Act
from storage.db.workspace import Workspace
from storage.tables.cases import QueryChoice
from storage.tables.core import Person


@dataclass(frozen=True, slots=True)
class Choice:
    """The case that was chosen for a group: by whom (None: the operator) and when."""

    court_case_id: int
    person: str | None
    at: datetime


def queries_of(session: Session, project_id: int) -> dict[str, int]:
    """Return the court case chosen for each group, by the group's key.

    A choice outlives its typology: the group may be gone, or the case no longer of it.
    """
    return {group: each.court_case_id for group, each in choices(session, project_id).items()}


def choices(session: Session, project_id: int) -> dict[str, Choice]:
    """Return the newest choice for each group, by the group's key in alphabetical order."""
    query = select(QueryChoice, Person.name).outerjoin(
        Person, col(Person.id) == col(QueryChoice.by_person_id)
    )
    query = query.where(QueryChoice.project_id == project_id)
    rows = session.exec(query.order_by(col(QueryChoice.group_key), col(QueryChoice.id))).all()
    return {row.group_key: Choice(row.court_case_id, name, row.at) for row, name in rows}


def choose(
    session: Session,
    ws: Workspace,
    project_id: int,
    group: str,
    court_case_id: int,
    by: int | None,
) -> None:
    """Keep that a case, which is of the group, asks for its other cases.

    Asked within a writing transaction. Raises UserError for somebody who may not choose.
    """
    who = require_by(session, project_id, by, Act.EDIT_GUIDELINES)
    session.add(
        QueryChoice(
            project_id=project_id,
            group_key=group,
            court_case_id=court_case_id,
            by_person_id=None if who is None else who.person_id,
            at=ws.clock(),
        )
    )
