"""Proving that batches are what their events made of them, and that held slots are theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session, col, select

from storage.projects import ProjectView
from storage.tables.core import Item
from storage.tables.people import Batch, BatchEvent, BatchItem, BatchPerson, Lease


@dataclass(slots=True)
class ReplayedBatch:
    """A batch as its events tell it: what it was made with, and what became of it.

    `items` are in the order of the queue; `calibration` are those of them with a known answer.
    `whole` says that no event speaks of a state that those before it did not lead to.
    """

    made_at: datetime | None = None
    made: dict[str, object] = field(default_factory=dict)
    overlap: int = 0
    practice: bool = False
    deadline: datetime | None = None
    closed_at: datetime | None = None
    items: list[int] = field(default_factory=list)
    calibration: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)
    whole: bool = True

    def hear(self, event: BatchEvent) -> None:
        """Let one more event happen."""
        said = event.payload
        if event.kind == "made":
            self.made_at, self.made = event.at, said
            self.overlap, self.practice = said["overlap"], said["practice"]
            self.deadline = _time(said["deadline"])
        elif event.kind == "items":
            out = set(said.get("removed", ()))
            self.items = [each for each in self.items if each not in out] + said.get("added", [])
            self.calibration = (self.calibration - out) | set(said.get("calibration", ()))
        elif event.kind == "people":
            self.people = (self.people | {*said.get("added", ())}) - {*said.get("removed", ())}
        elif event.kind == "overlap":
            self.whole = self.whole and said["from"] == self.overlap
            self.overlap = said["to"]
        elif event.kind == "deadline":
            self.deadline = _time(said["deadline"])
        else:
            self.closed_at = event.at if event.kind == "closed" else None


def told_batches(session: Session, project: ProjectView) -> dict[int, ReplayedBatch]:
    """Return every batch of the project as a replay of its events makes it, by id."""
    query = select(BatchEvent).join(Batch, col(Batch.id) == BatchEvent.batch_id)
    query = query.where(Batch.project_id == project.id).order_by(col(BatchEvent.id))
    found: dict[int, ReplayedBatch] = {}
    for event in session.exec(query):
        found.setdefault(event.batch_id, ReplayedBatch()).hear(event)
    return found


def unsound_batches(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the batches that are not what their events made of them, with what differs."""
    told = told_batches(session, project)
    query = select(Batch).where(Batch.project_id == project.id).order_by(col(Batch.id))
    for row in session.exec(query).all():
        number = row.id or 0
        wanted = _as_told(told.get(number, ReplayedBatch()))
        for name, stored in _as_stored(session, row).items():
            if wanted.get(name) != stored:
                yield f"batch {number} ({row.name}): {name}"


def unsound_leases(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the holds on an item in no batch of their person, and those that end too early."""
    given = (
        select(BatchItem.item_id, BatchPerson.person_id)
        .join(BatchPerson, col(BatchPerson.batch_id) == BatchItem.batch_id)
        .join(Item, col(Item.id) == BatchItem.item_id)
        .where(Item.project_id == project.id)
    )
    may_hold = set(session.exec(given).all())
    query = select(Lease).join(Item, col(Item.id) == Lease.item_id)
    for row in session.exec(query.where(Item.project_id == project.id).order_by(col(Lease.id))):
        if (row.item_id, row.person_id) not in may_hold or row.expires_at < row.taken_at:
            yield f"lease {row.id}"


def _as_told(told: ReplayedBatch) -> dict[str, object]:
    return {
        **{name: told.made.get(name) for name in ("name", "sequence", "seed")},
        "made": told.made_at,
        "overlap": told.overlap,
        "practice": told.practice,
        "deadline": told.deadline,
        "closed": told.closed_at,
        "items": told.items,
        "calibration": told.calibration,
        "people": told.people,
        "history": told.whole,
    }


def _as_stored(session: Session, row: Batch) -> dict[str, object]:
    query = select(BatchItem).where(BatchItem.batch_id == row.id)
    items = session.exec(query.order_by(col(BatchItem.position))).all()
    people = select(BatchPerson.person_id).where(BatchPerson.batch_id == row.id)
    return {
        "name": row.name,
        "sequence": row.sequence,
        "seed": row.seed,
        "made": row.created_at,
        "overlap": row.overlap,
        "practice": row.practice,
        "deadline": row.deadline,
        "closed": row.closed_at,
        "items": [each.item_id for each in items],
        "calibration": {each.item_id for each in items if each.calibration},
        "people": set(session.exec(people)),
        "history": True,
    }


def _time(said: str | None) -> datetime | None:
    return None if said is None else datetime.fromisoformat(said)
