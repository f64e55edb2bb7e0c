"""Cases that were put into a further standard group after a person tagged them.

A typology that adds a group asks more of the case. The submission stays current, under its own
groups; the person is told, and can withdraw it to answer the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.forms.submissions import FormSubmission
from annotation.people.roles import Act, require
from annotation.work.submissions import stands
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, CandidateSet, Item
from storage.tasks import Task, of_task

_TOGETHER = 500  # items per query


@dataclass(frozen=True, slots=True)
class Joined:
    """An item whose case was put into more groups since the person submitted it."""

    item_id: int
    external_id: str
    groups: tuple[str, ...]


def joined_by(ws: Workspace, person_id: int) -> list[Joined]:
    """Return the person's own regrouped items, in queue order.

    Raises UserError for an unknown or inactive person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        return joined(session, who.project_id, who.person_id)


def shown_when_made_anew(
    session: Session, submissions: Sequence[FormSubmission]
) -> dict[int, dict[str, object]]:
    """Return the item's material when a submission was made again, by annotation.

    For resubmissions: the draft keeps the candidate set it was begun on, although all that the
    item's groups asked by then was answered. Only if these are more than the draft's.
    """
    anew = {each.item_id: each for each in submissions if each.taken_back}
    found: dict[int, dict[str, object]] = {}
    items = sorted(anew)
    for start in range(0, len(items), _TOGETHER):
        some = col(CandidateSet.item_id).in_(items[start : start + _TOGETHER])
        query = select(CandidateSet).where(some).order_by(col(CandidateSet.id))
        sets: dict[int, list[CandidateSet]] = {}
        for row in session.exec(query):
            sets.setdefault(row.item_id, []).append(row)
        for made in (each for each in submissions if each.taken_back and each.item_id in sets):
            begun = [row for row in sets[made.item_id] if row.id == made.candidate_set_id]
            by_then = [row for row in sets[made.item_id] if row.created_at <= made.at]
            if begun and by_then and _groups(by_then[-1]) > _groups(begun[0]):
                found[made.annotation_id] = dict(by_then[-1].shown or {})
    return found


def _groups(row: CandidateSet) -> set[str]:
    return set((row.shown or {}).get("groups", ()))


def joined(
    session: Session, project_id: int, person_id: int, item_id: int | None = None
) -> list[Joined]:
    """Return the items, or that item, with more groups than the person's submission had."""
    seen, now, later = aliased(CandidateSet), aliased(CandidateSet), aliased(CandidateSet)
    newest = select(func.max(col(later.id))).where(col(later.item_id) == col(Item.id))
    query = (
        select(Item.id, Item.external_id, seen.shown, now.shown)
        .join(Annotation, col(Annotation.item_id) == col(Item.id))
        .join(seen, col(seen.id) == col(Annotation.candidate_set_id))
        .join(now, col(now.item_id) == col(Item.id))
        .where(of_task(project_id, Task.FACTOR_TAGGING), stands())
        .where(Annotation.person_id == person_id, col(seen.id) != col(now.id))
        .where(col(Annotation.at) < col(now.created_at))  # otherwise all is answered
        .where(col(now.id) == newest.correlate(Item).scalar_subquery())
        .order_by(col(Item.order))
    )
    if item_id is not None:
        query = query.where(col(Item.id) == item_id)
    found = []
    for number, name, before, after in session.exec(query):
        had = set((before or {}).get("groups", ()))
        more = tuple(each for each in (after or {}).get("groups", ()) if each not in had)
        if more:
            found.append(Joined(number or 0, name or "", more))
    return found
