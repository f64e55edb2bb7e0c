"""What every act on a batch stands on: who leads, the batch, and the event that is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from annotation.people.roles import Act, may, require_by
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project
from storage.tables.core import Person
from storage.tables.people import Batch, BatchEvent, BatchPerson


@dataclass(frozen=True, slots=True)
class BatchDesk:
    """Whoever leads, at work on a batch inside a writing transaction."""

    session: Session
    project: ProjectView
    by: int | None
    at: datetime
    batch: Batch

    def tell(self, kind: str, payload: dict[str, Any]) -> None:
        """Add an event to the batch."""
        row = BatchEvent(batch_id=self.number, kind=kind, payload=payload, at=self.at)
        row.by_person_id = self.by
        self.session.add(row)

    @property
    def number(self) -> int:
        """The id of the batch."""
        assert self.batch.id is not None  # noqa: S101  (it has been stored)
        return self.batch.id


@contextmanager
def leading(ws: Workspace, project_slug: str, batch_id: int, by: int | None) -> Iterator[BatchDesk]:
    """Yield the desk of a batch inside a writing transaction; UserError as the acts say."""
    with ws.writing() as session:
        project = find_project(session, project_slug)
        who = require_by(session, project.id, by, Act.ASSIGN)
        batch = find_batch(session, project.id, batch_id)
        yield BatchDesk(session, project, None if who is None else who.person_id, ws.clock(), batch)


def find_batch(session: Session, project_id: int, batch_id: int) -> Batch:
    """Return the batch of that id in the project. Raises UserError if there is none."""
    query = select(Batch).where(Batch.id == usable_id(batch_id), Batch.project_id == project_id)
    found = session.exec(query).first()
    if found is None:
        raise UserError("batch_unknown", batch=batch_id)
    return found


def refuse_past(deadline: datetime | None, at: datetime) -> None:
    """Raise UserError for a deadline that is not after `at`."""
    if deadline is not None and deadline <= at:
        raise UserError("deadline_past", Where(field="deadline"), deadline=f"{deadline:%Y-%m-%d}")


def refuse_few(overlap: int, people: int) -> None:
    """Raise UserError where more submissions per item are wanted than there are people."""
    if people >= overlap:
        return
    raise UserError("batch_overlap", Where(field="overlap"), overlap=overlap, people=people)


def workers(session: Session, project_id: int, people: Sequence[int]) -> list[int]:
    """Return the ids, each once; UserError unless each is somebody who annotates here."""
    if not people:
        raise UserError("batch_of_nobody", Where(field="people"))
    for number in people:
        query = select(Person).where(
            Person.id == usable_id(number), Person.project_id == project_id
        )
        person = session.exec(query).first()
        if person is None:
            raise UserError("person_unknown", person=number)
        if not person.active or not may(person.role, Act.ANNOTATE):
            raise UserError("batch_person_unfit", Where(field="people"), name=person.name)
    return list(dict.fromkeys(people))


def give(desk: BatchDesk, people: list[int]) -> None:
    """Give the batch to people who do not have it yet."""
    desk.session.add_all(
        BatchPerson(batch_id=desk.number, person_id=person, added_at=desk.at) for person in people
    )
    desk.tell("people", {"added": people})
