"""Who somebody is and which item they mean; everybody and everything unknown is refused."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, select

from errors import UserError
from storage.columns import usable_id
from storage.tables import Item, Person, Project


@dataclass(frozen=True, slots=True)
class Standing:
    """A person in their project. `overlap` is how many submissions an item takes."""

    person_id: int
    name: str
    role: str
    project_id: int
    overlap: int


def annotator(session: Session, person_id: int) -> Standing:
    """Return the annotator of that id. Raises UserError for anybody else."""
    return _in_role(session, person_id, "annotator")


def adjudicator(session: Session, person_id: int) -> Standing:
    """Return the adjudicator of that id. Raises UserError for anybody else."""
    return _in_role(session, person_id, "adjudicator")


def require_item(session: Session, who: Standing, item_id: int) -> Item:
    """Return the item of that id in the person's project. Raises UserError if there is none."""
    query = select(Item).where(Item.id == usable_id(item_id), Item.project_id == who.project_id)
    found = session.exec(query).first()
    if found is None:
        raise UserError("item_unknown", item=item_id)
    return found


def _in_role(session: Session, person_id: int, role: str) -> Standing:
    query = (
        select(Person, Project.overlap)
        .where(Person.id == usable_id(person_id))
        .where(Project.id == Person.project_id)
    )
    found = session.exec(query).first()
    if found is None:
        raise UserError("person_unknown", person=person_id)
    person, overlap = found
    if person.role != role:
        raise UserError(f"not_{role}", name=person.name)
    return Standing(usable_id(person.id), person.name, person.role, person.project_id, overlap)
