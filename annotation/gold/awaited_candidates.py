"""Candidate sets that a snapshot lacks before it can be put to use.

People continue with candidates of the item's newest method; whether "no provision" still holds is
decided by candidates of the method that was shown then (see `annotation.gold.validity`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.work.draft import Event, fold
from storage.mapping.candidates import pins, sets_by_method, wanted_methods
from storage.tables.core import DraftEvent, Item
from storage.tasks import of_task


@dataclass(frozen=True, slots=True)
class Want:
    """A candidate set that an item lacks, by the name of its method."""

    item_id: int
    method: str


def mapping_has_begun(session: Session, project_id: int) -> bool:
    """Return True if anybody has begun citation mapping in the project."""
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
    found = list(compared)
    again = {each.item_id for each in compared}
    for item_id, (law, method) in sorted(newest.items()):
        want = Want(item_id, method)
        if law != snapshot_id or item_id in again:
            if want in found:
                found.remove(want)
            found.append(want)
    return found


def sets_to_compare(session: Session, project_id: int, snapshot_id: int) -> list[Want]:
    """Return the candidate sets needed to decide whether "no provision" still holds."""
    asked = {
        (pin.item_id, pin.method)
        for pin in pins(session, _sets_with_no_provision(session, project_id)).values()
        if pin.snapshot_id != snapshot_id
    }
    there = sets_by_method(session, snapshot_id, asked)
    return [Want(*key) for key in sorted(asked) if key not in there]


def _sets_with_no_provision(session: Session, project_id: int) -> set[int]:
    """Return the candidate sets with an answer "no provision", in drafts or submissions."""
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
