"""Cases that are in one more standard group than when a person tagged them.

A typology that puts a case into another group asks more of it. What somebody submitted stands as it
is, under the groups that it was made under; they are told, and take it back to answer the rest.
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

_TOGETHER = 500  # items in one query


@dataclass(frozen=True, slots=True)
class Joined:
    """An item whose case came into more groups since the person submitted it: which ones."""

    item_id: int
    external_id: str
    groups: tuple[str, ...]


def joined_by(ws: Workspace, person_id: int) -> list[Joined]:
    """Return the person's own items of this kind, in queue order.

    Raises UserError for an unknown or inactive person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        return joined(session, who.project_id, who.person_id)


def shown_when_made_anew(
    session: Session, submissions: Sequence[FormSubmission]
) -> dict[int, dict[str, object]]:
    """Return what the item showed when a submission was made anew, by annotation.

    Of those that their person took back: the draft keeps what it was begun on, and yet all was
    asked that the groups of the item asked by then. Only where these are more than the draft's.
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
    """Return the items, or that item, whose groups are more than the person's submission had."""
    seen, now, later = aliased(CandidateSet), aliased(CandidateSet), aliased(CandidateSet)
    newest = select(func.max(col(later.id))).where(col(later.item_id) == col(Item.id))
    query = (
        select(Item.id, Item.external_id, seen.shown, now.shown)
        .join(Annotation, col(Annotation.item_id) == col(Item.id))
        .join(seen, col(seen.id) == col(Annotation.candidate_set_id))
        .join(now, col(now.item_id) == col(Item.id))
        .where(of_task(project_id, Task.FACTOR_TAGGING), stands())
        .where(Annotation.person_id == person_id, col(seen.id) != col(now.id))
        .where(col(Annotation.at) < col(now.created_at))  # else they have answered it all
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
