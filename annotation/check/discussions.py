"""Proving that what was sent back, and what was said to it, hangs together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from storage.projects import ProjectView
from storage.tables.core import Annotation, DraftEvent, Item
from storage.tables.people import Referral


def unsound_referrals(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the rows that do not hang together, as ``referral <id>`` or ``annotation <id>``.

    Each row names submissions of its item, of one person each, or recalls one that did. A
    submission made without withdrawing the one before it keeps one that was sent back, and its
    event says so.
    """
    rows = select(Referral).join(Item, col(Item.id) == Referral.item_id)
    rows = rows.where(Item.project_id == project.id).order_by(col(Referral.id))
    by_item: dict[int, list[Referral]] = {}
    for row in session.exec(rows):
        by_item.setdefault(row.item_id, []).append(row)
    made = _made(session, by_item)
    for sent in by_item.values():
        yield from _chain(sent, made)
    named = {number for sent in by_item.values() for row in sent for number in row.annotation_ids}
    yield from _kept(session, project, named)


def _made(session: Session, items: Mapping[int, object]) -> dict[int, tuple[int, int]]:
    """Return (item, person) of each submission on the items."""
    query = select(Annotation.id, Annotation.item_id, Annotation.person_id).where(
        Annotation.kind == "submit", col(Annotation.item_id).in_(sorted(items))
    )
    return {number or 0: (item, person) for number, item, person in session.exec(query)}


def _chain(sent: Sequence[Referral], made: Mapping[int, tuple[int, int]]) -> Iterator[str]:
    before: Referral | None = None
    for row in sent:
        known = [made[number] for number in row.annotation_ids if number in made]
        people = {person for item, person in known if item == row.item_id}
        recalls = before is not None and bool(before.annotation_ids)
        if len(people) != len(row.annotation_ids) or not (row.annotation_ids or recalls):
            yield f"referral {row.id}"
        before = row


def _kept(session: Session, project: ProjectView, named: set[int]) -> Iterator[str]:
    before = aliased(Annotation)
    query = (
        select(Annotation.id, before.id, before.kind, DraftEvent.payload)
        .join(before, col(before.id) == Annotation.supersedes_id)
        .join(DraftEvent, col(DraftEvent.id) == Annotation.event_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == project.id, Annotation.kind == "submit")
        .where(DraftEvent.kind == "submit")  # and no migration, which answers nobody
    )
    for number, earlier, kind, payload in session.exec(query):
        kept = bool(payload.get("kept"))
        if kept != (kind == "submit") or (kept and earlier not in named):
            yield f"annotation {number}"
