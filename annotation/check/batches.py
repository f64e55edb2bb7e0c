"""Checks of batches, leases, people and accounts against their events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.work.audits import AUDIT, read_sample
from normalization.grouping import grouped
from storage.projects import ProjectView
from storage.tables.core import Account, Item, Person
from storage.tables.people import (
    AccountEvent,
    Batch,
    BatchEvent,
    BatchItem,
    BatchPerson,
    Lease,
    PersonEvent,
)
from storage.tasks import rows_on_items


@dataclass(slots=True)
class ReplayedBatch:
    """A batch as replayed from its events.

    `items` are in queue order; `calibration` are those of them with a known answer, `audited` the
    source's labels of those that audit them. `whole` is False if an event contradicts the ones
    before it.
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
    audited: dict[int, frozenset[str]] = field(default_factory=dict)
    whole: bool = True

    def hear(self, event: BatchEvent) -> None:
        """Apply one more event."""
        said = event.payload
        if event.kind == "made":
            self.made_at, self.made = event.at, said
            self.overlap, self.practice = said["overlap"], said["practice"]
            self.deadline = _time(said["deadline"])
        elif event.kind == "items":
            out = set(said.get("removed", ()))
            self.items = [item for item in self.items if item not in out] + said.get("added", [])
            self.calibration = (self.calibration - out) | set(said.get("calibration", ()))
        elif event.kind == "people":
            self.people = (self.people | {*said.get("added", ())}) - {*said.get("removed", ())}
        elif event.kind == "overlap":
            self.whole = self.whole and said["from"] == self.overlap
            self.overlap = said["to"]
        elif event.kind == AUDIT:
            labels = read_sample(said).labels
            self.audited = {item: frozenset(units) for item, units in labels.items()}
        elif event.kind == "deadline":
            self.deadline = _time(said["deadline"])
        else:
            self.closed_at = event.at if event.kind == "closed" else None


def replayed_batches(session: Session, project: ProjectView) -> dict[int, ReplayedBatch]:
    """Return every batch of the project as replayed from its events, by id."""
    query = select(BatchEvent).join(Batch)
    query = query.where(Batch.project_id == project.id).order_by(col(BatchEvent.id))
    found: dict[int, ReplayedBatch] = {}
    for event in session.exec(query):
        found.setdefault(event.batch_id, ReplayedBatch()).hear(event)
    return found


def unsound_batches(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``batch <id> (<name>): <field>`` where one differs from the replay of its events."""
    told = replayed_batches(session, project)
    query = select(Batch).where(Batch.project_id == project.id).order_by(col(Batch.id))
    for row in session.exec(query).all():
        number = row.id or 0
        wanted = _replayed_fields(told.get(number, ReplayedBatch()))
        for name, stored in _stored_fields(session, row).items():
            if wanted.get(name) != stored:
                yield f"batch {number} ({row.name}): {name}"


def unsound_leases(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``lease <id>`` of those outside their holder's batches, or ending before they began."""
    given = (
        select(BatchItem.item_id, BatchPerson.person_id)
        .join(BatchPerson, col(BatchPerson.batch_id) == BatchItem.batch_id)
        .join(Item)
        .where(Item.project_id == project.id)
    )
    may_hold = set(session.exec(given).all())
    for row in session.exec(rows_on_items(Lease, Item.project_id == project.id)):
        if (row.item_id, row.person_id) not in may_hold or row.expires_at < row.taken_at:
            yield f"lease {row.id}"


_AS_MADE = ("name", "sequence", "seed")  # fields that never change
_AS_CHANGED = ("overlap", "practice", "deadline")
_OF_ITEMS = ("items", "calibration", "people")


def _replayed_fields(replayed: ReplayedBatch) -> dict[str, object]:
    """Return the fields of a batch as its events give them."""
    return {
        **{name: replayed.made.get(name) for name in _AS_MADE},
        **{name: getattr(replayed, name) for name in (*_AS_CHANGED, *_OF_ITEMS)},
        "made": replayed.made_at,
        "closed": replayed.closed_at,
        "history": replayed.whole,
    }


def _stored_fields(session: Session, row: Batch) -> dict[str, object]:
    """Return the fields of a batch as its row has them."""
    query = select(BatchItem).where(BatchItem.batch_id == row.id)
    items = session.exec(query.order_by(col(BatchItem.position))).all()
    people = select(BatchPerson.person_id).where(BatchPerson.batch_id == row.id)
    return {
        **{name: getattr(row, name) for name in (*_AS_MADE, *_AS_CHANGED)},
        "made": row.created_at,
        "closed": row.closed_at,
        "items": [item.item_id for item in items],
        "calibration": {item.item_id for item in items if item.calibration},
        "people": set(session.exec(people)),
        "history": True,
    }


def _time(text: str | None) -> datetime | None:
    """Parse a stored ISO time, None if there is none."""
    return None if text is None else datetime.fromisoformat(text)


_FIELDS = {"role": "role", "renamed": "name"}  # fields changed by events with `before` and `after`
_ACTIVE = {"deactivated": False, "reactivated": True}


def unsound_people(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``person <id> (<name>): <field>`` where one differs from the replay of their events.

    People from before events were recorded have no ``added``; their first state is the `before` of
    the first change.
    """
    query = select(Person).where(Person.project_id == project.id).order_by(col(Person.id))
    people = {row.id: row for row in session.exec(query)}
    log = select(PersonEvent).join(Person, col(Person.id) == PersonEvent.person_id)
    log = log.where(Person.project_id == project.id).order_by(col(PersonEvent.id))
    events = grouped((event.person_id, event) for event in session.exec(log))
    for number, row in people.items():
        told, contradicted = _replayed_person(events.get(number or 0, []))
        where = f"person {number} ({row.name})"
        yield from (f"{where}: {name}" for name in contradicted)
        stored = {"role": row.role, "name": row.name, "active": row.active}
        yield from _differences(where, told, stored)


def unsound_accounts(session: Session) -> Iterator[str]:
    """Yield ``account <id> (<login>): <field>`` where any at all differs from its events."""
    rows = session.exec(select(AccountEvent).order_by(col(AccountEvent.id)))
    events = grouped((event.account_id, event) for event in rows)
    for row in session.exec(select(Account).order_by(col(Account.id))):
        log = events.get(row.id or 0, [])
        where = f"account {row.id} ({row.login})"
        made = [event for event in log if event.kind == "made"]
        if len(made) != 1 or log[0].kind != "made":
            yield f"{where}: made"
            continue
        kinds = {event.kind for event in log}
        switched = [_ACTIVE[event.kind] for event in log if event.kind in _ACTIVE]
        told: dict[str, object] = {"active": not switched or switched[-1]}
        told["steward"] = made[0].payload.get("steward", False)
        told |= {"password": True} if "password" in kinds else {}
        told |= {"provider": True} if "provider" in kinds else {}
        stored = {
            "active": row.active,
            "steward": row.steward,
            "password": row.password_hash is not None,
            "provider": row.subject is not None,
        }
        yield from _differences(where, told, stored)


def _replayed_person(log: list[PersonEvent]) -> tuple[dict[str, object], list[str]]:
    """Return the state that follows from the events, and the fields in which they contradict.

    Each event must begin where the one before ended.
    """
    state: dict[str, object] = {"active": True}
    contradicted = []
    for at, event in enumerate(log):
        name = _FIELDS.get(event.kind, "")
        if event.kind == "added":
            contradicted += ["added"] if at else []
            state["role"] = event.payload.get("after")
        elif name:
            before = event.payload.get("before")
            if state.setdefault(name, before) != before:
                contradicted.append(name)
            state[name] = event.payload.get("after")
        elif event.kind in _ACTIVE:
            if _ACTIVE[event.kind] == state["active"]:
                contradicted.append("active")
            state["active"] = _ACTIVE[event.kind]
    return state, contradicted


def _differences(
    where: str, replayed: Mapping[str, object], stored: Mapping[str, object]
) -> Iterator[str]:
    """Yield ``<where>: <field>`` for each field whose stored value differs from the replayed."""
    for name, value in replayed.items():
        if stored[name] != value:
            yield f"{where}: {name}"
