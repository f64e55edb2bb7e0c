"""State of the items and people that imported labels are about, loaded in bulk.

The effect of a label follows from the log alone: nobody's own work is overwritten. A label is new
if its person has done nothing on the item here, `changed` if all their acts came from an earlier
file with another label.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sqlalchemy import func
from sqlmodel import Session, col, select

from annotation.people.roles import ProjectMember
from annotation.work.draft import MIGRATE, Event
from annotation.work.slots import SlotState, load_slots_of
from normalization.grouping import grouped
from storage.db.rows import rows_with
from storage.mapping import ShownSet
from storage.tables.core import Annotation, CandidateRow, CandidateSet, DraftEvent
from storage.tables.exchange import ImportedLabel

Fate = Literal["new", "changed", "already", "begun"]
Key = tuple[int, int]
"""A person's id and an item's id."""

_NOT_ACTS = ("open", MIGRATE)  # kinds of events without a decision by the person


@dataclass(frozen=True, slots=True)
class Known:
    """Labels imported so far, and people's own work.

    `imported` has the newest (last event, hash of the label) of a person on an item, `acts` the
    last act of each, `submitted` the keys with a current submission.
    """

    imported: Mapping[Key, tuple[int, str]]
    acts: Mapping[Key, int]
    submitted: Collection[Key]

    def fate(self, key: Key, label_hash: str) -> Fate:
        """Return the effect of importing a label with this hash."""
        last, before = self.imported.get(key, (0, ""))
        if self.acts.get(key, 0) > last:
            return "already" if key in self.submitted else "begun"
        if not before:
            return "new"
        return "already" if before == label_hash else "changed"


@dataclass(frozen=True, slots=True)
class States:
    """State of the people and items of some labels at one time.

    `rooms` lacks people who left the project, `sets` items without candidates. `bound` are the
    candidate sets of drafts in progress, `listed` the units of all sets named.
    """

    known: Known
    people: Mapping[int, ProjectMember]
    rooms: Mapping[Key, SlotState]
    logs: Mapping[Key, Sequence[Event]]
    heads: Mapping[Key, int]
    sets: Mapping[int, ShownSet]
    bound: Mapping[int, ShownSet] = field(default_factory=dict)
    listed: Mapping[int, Collection[int]] = field(default_factory=dict)


def load_states(session: Session, keys: Collection[Key], now: datetime) -> States:
    """Load the state of people and items. Raises UserError for anybody who no longer annotates."""
    people: dict[int, ProjectMember] = {}
    rooms: dict[Key, SlotState] = {}
    for person, items in grouped(sorted(keys)).items():
        who, found = load_slots_of(session, person, items, now)
        if who is not None:
            people[person] = who
        rooms |= {(person, item): room for item, room in found.items()}
    every = {item for _, item in keys}
    logs, heads = _event_logs(session, every, keys), _chain_heads(session, every)
    newest = select(func.max(col(CandidateSet.id))).group_by(col(CandidateSet.item_id))
    numbers = rows_with(session, newest, CandidateSet.item_id, every)
    sets = dict(_candidate_sets(session, numbers).values())
    named = {
        e.payload["candidate_set_id"] for log in logs.values() for e in log if e.kind == "open"
    }
    bound = {number: shown for number, (_, shown) in _candidate_sets(session, named).items()}
    candidates = select(CandidateRow.candidate_set_id, CandidateRow.unit_id)
    of_sets = {each.id for each in (*sets.values(), *bound.values())}
    listed = grouped(rows_with(session, candidates, CandidateRow.candidate_set_id, of_sets))
    known = _item_states(session, every, logs, heads)
    return States(known, people, rooms, logs, heads, sets, bound, listed)


def _event_logs(
    session: Session, items: Iterable[int], keys: Collection[Key]
) -> dict[Key, list[Event]]:
    """Return the stored draft events of each person and item."""
    columns = (DraftEvent.id, DraftEvent.kind, DraftEvent.payload, DraftEvent.undoes_id)
    query = select(DraftEvent.person_id, DraftEvent.item_id, *columns, DraftEvent.at)  # type: ignore[call-overload]
    rows = rows_with(session, query.order_by(col(DraftEvent.id)), DraftEvent.item_id, items)
    return grouped(
        ((person, item), Event(*event)) for person, item, *event in rows if (person, item) in keys
    )


def _chain_heads(session: Session, items: Iterable[int]) -> dict[Key, int]:
    """Return the id of the newest submission or withdrawal of each person and item."""
    whose = col(Annotation.person_id), col(Annotation.item_id)
    query = select(*whose, func.max(col(Annotation.id))).group_by(*whose)
    rows = rows_with(session, query, Annotation.item_id, items)
    return {(person, item): head for person, item, head in rows}


def _candidate_sets(session: Session, ids: Iterable[int]) -> dict[int, tuple[int, ShownSet]]:
    """Return the item of each candidate set, and the set with its snapshot, by the set's id."""
    query = select(CandidateSet.item_id, CandidateSet.id, CandidateSet.snapshot_id)
    rows = rows_with(session, query, CandidateSet.id, ids)
    return {number: (item, ShownSet(number, law)) for item, number, law in rows}


def _item_states(
    session: Session,
    items: Iterable[int],
    logs: Mapping[Key, Sequence[Event]],
    heads: Mapping[Key, int],
) -> Known:
    """Return the last import, last act and current submission of each person and item."""
    made = select(ImportedLabel).order_by(col(ImportedLabel.id))
    rows = rows_with(session, made, ImportedLabel.item_id, items)
    imported = {(row.person_id, row.item_id): (row.event_id, row.said) for row in rows}
    acts = {
        key: max((event.id for event in log if event.kind not in _NOT_ACTS), default=0)
        for key, log in logs.items()
    }
    ids = {head: key for key, head in heads.items() if key in logs}
    kept = select(Annotation.id).where(Annotation.kind == "submit")
    submitted = {ids[number] for number in rows_with(session, kept, Annotation.id, ids)}
    return Known(imported, acts, submitted)
