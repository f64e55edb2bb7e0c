"""People of a project: annotators, who decide blind, and adjudicators, who settle differences."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, select

from errors import UserError, Where
from storage.projects import find_project
from storage.tables import Person
from storage.workspace import Workspace

ROLES = ("annotator", "adjudicator")
NAME_LIMIT = 80


@dataclass(frozen=True, slots=True)
class PersonView:
    """A person as screens and commands see them. `role` is annotator or adjudicator."""

    id: int
    name: str
    role: str


def add_person(ws: Workspace, project_slug: str, name: str, role: str) -> PersonView:
    """Add a person to a project.

    Names are unique in a project, and a person keeps one role: who has annotated an item could
    not settle it without bias. Raises UserError for a bad or taken name and an unknown role.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= NAME_LIMIT or not name.isprintable():
        raise UserError("person_name", Where(field="name"), limit=NAME_LIMIT)
    if role not in ROLES:
        raise UserError("role_unknown", Where(field="role"), role=role)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        taken = select(Person.id).where(Person.project_id == project.id, Person.name == name)
        if session.exec(taken).first() is not None:
            raise UserError("person_exists", Where(field="name"), name=name)
        row = Person(project_id=project.id, name=name, role=role, created_at=ws.clock())
        session.add(row)
        session.flush()
        return _view(row)


def list_people(ws: Workspace, project_slug: str) -> list[PersonView]:
    """Return the people of a project in the order they were added."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        query = select(Person).where(Person.project_id == project.id).order_by(col(Person.id))
        return [_view(row) for row in session.exec(query)]


def _view(row: Person) -> PersonView:
    assert row.id is not None  # noqa: S101  (it has been stored)
    return PersonView(row.id, row.name, row.role)
