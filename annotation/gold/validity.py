"""Whether gold holds for a snapshot of the law other than the one it was decided on.

Gold with units holds if each has the label, heading and text that were judged under the same
semantic id. Gold "no provision" holds on the snapshot that it was decided on, and on another one if
everything suggested for the question was in the law decided on with the same wording: then nothing
new or amended answers the question. Only suggestions by the method whose candidates were shown at
the decision count. If that method has no candidates from the other snapshot yet, the gold waits for
them.

Candidate sets that a snapshot lacks before it can be put to use.

People continue with candidates of the item's newest method; whether "no provision" still holds is
decided by candidates of the method that was shown then (see `annotation.gold.validity`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.work.draft import Event, fold
from storage.law.counterparts import counterparts
from storage.mapping import Pin, pins, sets_by_method, units_of_sets, wanted_methods
from storage.tables.core import DraftEvent, Item
from storage.tasks import of_task


@dataclass(frozen=True, slots=True)
class GoldBasis:
    """The basis of an item's gold.

    `units` are the database ids of all units that its decisions accept; empty for "no provision".
    `sets` are the candidate sets that were shown when the decisions were made.
    """

    item_id: int
    units: tuple[int, ...]
    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LostGold:
    """Why the gold of an item does not hold for a snapshot.

    `units` are the semantic ids, ascending, of the units that differ from what was judged, or for
    "no provision" of new suggestions that the law decided on did not have. `waiting`: unknown, as
    no candidates have been built from the snapshot.
    """

    units: tuple[str, ...]
    waiting: bool


def lost_gold(
    session: Session, grounds: Sequence[GoldBasis], snapshot_id: int
) -> dict[int, LostGold]:
    """Return the items whose gold does not hold for the snapshot, and why."""
    units = {number for ground in grounds for number in ground.units}
    found = counterparts(session, units, snapshot_id)
    denied = {number for ground in grounds if not ground.units for number in ground.sets}
    come = arrived(session, denied, snapshot_id) if denied else {}
    broken: dict[int, LostGold] = {}
    for ground in grounds:
        changed = {found[unit].semantic_id for unit in ground.units if not found[unit].same}
        told = [] if ground.units else [come[each] for each in ground.sets]
        changed.update(*filter(None, told))
        if changed or None in told:
            broken[ground.item_id] = LostGold(tuple(sorted(changed)), waiting=not changed)
    return broken


def arrived(
    session: Session, set_ids: Iterable[int], snapshot_id: int
) -> dict[int, frozenset[str] | None]:
    """Return the semantic ids newly suggested after "no provision", by set; None if not built yet.

    `set_ids` are the candidate sets of those answers. For each, the semantic ids that the same
    method suggests from the snapshot and that have no identical wording in the law of that set;
    None if the method has no candidates from the snapshot yet.
    """
    made = pins(session, set_ids)
    there = {number: pin for number, pin in made.items() if pin.snapshot_id != snapshot_id}
    by_method = sets_by_method(
        session, snapshot_id, {_item_and_method(pin) for pin in there.values()}
    )
    shown = units_of_sets(session, by_method.values())
    found: dict[int, frozenset[str] | None] = dict.fromkeys(made, frozenset())
    for law in sorted({pin.snapshot_id for pin in there.values()}):
        of_law = {number: pin for number, pin in there.items() if pin.snapshot_id == law}
        found |= _new_suggestions(session, of_law, by_method, shown)
    return found


def _new_suggestions(
    session: Session,
    of_law: Mapping[int, Pin],
    by_method: Mapping[tuple[int, str], int],
    candidates: Mapping[int, Collection[int]],
) -> dict[int, frozenset[str] | None]:
    """Return the current suggestions that lack identical wording in the sets' own snapshot."""
    now = {number: by_method.get(_item_and_method(pin)) for number, pin in of_law.items()}
    suggested = {unit for each in now.values() if each for unit in candidates.get(each, ())}
    law = next(pin.snapshot_id for pin in of_law.values())
    before = counterparts(session, suggested, law)
    return {
        number: None
        if set_id is None
        else frozenset(
            before[unit].semantic_id for unit in candidates.get(set_id, ()) if not before[unit].same
        )
        for number, set_id in now.items()
    }


def _item_and_method(pin: Pin) -> tuple[int, str]:
    """Return the key by which candidate sets of different snapshots correspond."""
    return pin.item_id, pin.method


@dataclass(frozen=True, slots=True)
class Want:
    """A candidate set that an item lacks, by the name of its method."""

    item_id: int
    method: str


def mapping_has_begun(session: Session, project_id: int) -> bool:
    """Return True if anybody has opened an item of citation mapping in the project."""
    query = select(func.count()).select_from(DraftEvent).join(Item)
    return session.exec(query.where(of_task(project_id))).one() > 0


def missing_candidate_sets(session: Session, project_id: int, snapshot_id: int) -> list[Want]:
    """Return the candidate sets that the snapshot lacks, in the order to build them.

    Those that people will work on come last, item by item, since the newest set is the one shown.
    Nothing is lacking before anybody has begun, nor for items that never had candidates.
    """
    if not mapping_has_begun(session, project_id):
        return []
    compared = sets_to_compare(session, project_id, snapshot_id)
    newest = wanted_methods(session, project_id)
    again = {each.item_id for each in compared}
    last = [
        Want(item_id, method)
        for item_id, (law, method) in sorted(newest.items())
        if law != snapshot_id or item_id in again
    ]
    return [*(want for want in compared if want not in {*last}), *last]


def sets_to_compare(session: Session, project_id: int, snapshot_id: int) -> list[Want]:
    """Return the candidate sets still lacking to decide whether "no provision" holds there."""
    asked = {
        (pin.item_id, pin.method)
        for pin in pins(session, _sets_with_no_provision(session, project_id)).values()
        if pin.snapshot_id != snapshot_id
    }
    there = sets_by_method(session, snapshot_id, asked)
    return [Want(*key) for key in sorted(asked) if key not in there]


def _sets_with_no_provision(session: Session, project_id: int) -> set[int]:
    """Return the ids of candidate sets answered "no provision", in drafts or decisions too."""
    denied = (
        select(DraftEvent.item_id, DraftEvent.person_id)
        .join(Item)
        .where(of_task(project_id), DraftEvent.kind == "no_provision")
        .distinct()
    )
    logs: dict[tuple[int, int], list[Event]] = {
        (item, who): [] for item, who in session.exec(denied)
    }
    rows = select(DraftEvent).join(Item).where(of_task(project_id)).order_by(col(DraftEvent.id))
    for row in session.exec(rows) if logs else ():
        if (row.item_id, row.person_id) in logs:
            event = Event(row.id or 0, row.kind, row.payload, row.undoes_id, row.at)
            logs[row.item_id, row.person_id].append(event)
    drafts = [fold(log) for log in logs.values()]
    sets = {each.candidate_set_id or 0 for each in drafts if each.no_provision}
    decisions = current_decisions(session, project_id).values()
    return sets | {each.candidate_set_id for each in decisions if each.no_provision}
