"""Checks of texts and referrals: messages, confidence, documents, decisions, discussions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from normalization.grouping import grouped
from storage.projects import ProjectView
from storage.tables.augmentation import ClosureDecision
from storage.tables.core import (
    Adjudication,
    Annotation,
    DraftEvent,
    Item,
    Person,
    Settlement,
    UndoneDecision,
)
from storage.tables.law import LawCheck
from storage.tables.people import (
    ASKED,
    DECLINED,
    Comment,
    Confidence,
    Document,
    KnownAnswer,
    Referral,
)
from storage.tasks import rows_on_items

_TABLES_WITH_PERSON = (
    *(DraftEvent, Annotation, Adjudication, UndoneDecision, Comment, Referral),
    LawCheck,
    ClosureDecision,
)


def acts_of_outsiders(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``<table> <id>`` of rows in which somebody of another project acts on an item here."""
    for table in _TABLES_WITH_PERSON:
        query: Any = (
            select(table.id)
            .join(Item)
            .join(Person)
            .where(Item.project_id == project.id, Person.project_id != project.id)
        )
        for number in session.exec(query.order_by(col(table.id))):
            yield f"{table.__tablename__} {number}"


def unsound_chains(session: Session, project: ProjectView) -> Iterator[tuple[str, str]]:
    """Yield (code, row) if a row does not supersede the one before it on the same item."""
    tables: tuple[tuple[str, Any], ...] = (
        ("adjudication", Adjudication),
        ("known_answer", KnownAnswer),
        ("settlement", Settlement),
    )
    for code, table in tables:
        last: dict[int, int] = {}
        for row in session.exec(rows_on_items(table, Item.project_id == project.id)):
            if row.supersedes_id != last.get(row.item_id):
                yield code, f"{code} {row.id}"
            last[row.item_id] = row.id


def unsound_undone(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``undone_decision <id>`` of those that withdraw another item's or person's decision."""
    undone = col(UndoneDecision.item_id), col(UndoneDecision.person_id)
    for table in (Adjudication, Settlement):
        number = getattr(UndoneDecision, f"{table.__tablename__}_id")
        query = (
            select(UndoneDecision.id)
            .join(table, col(table.id) == number)
            .join(Item, col(Item.id) == UndoneDecision.item_id)
            .where(Item.project_id == project.id)
            .where(or_(undone[0] != table.item_id, undone[1] != table.person_id))
        )
        yield from (f"undone_decision {each}" for each in session.exec(query))


def unsound_comments(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``comment <id>`` of messages that reply to one of another item, or to a later one.

    Also refusals without a request.
    """
    rows = session.exec(rows_on_items(Comment, Item.project_id == project.id)).all()
    items: dict[int, int] = {}
    asked: set[int | None] = set()
    for row in rows:
        strange = row.reply_to_id is not None and items.get(row.reply_to_id) != row.item_id
        unasked = row.kind == DECLINED and row.reply_to_id not in asked
        if strange or unasked or row.kind not in ("", ASKED, DECLINED):
            yield f"comment {row.id}"
        items[row.id or 0] = row.item_id
        if row.kind == ASKED:
            asked.add(row.id)


def unsound_confidence(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``confidence <id>`` of rows that are not about a submission, or out of 1–5."""
    query = (
        select(Confidence.id, Confidence.value, Annotation.kind)
        .join(Annotation)
        .join(Item)
        .where(Item.project_id == project.id)
        .order_by(col(Confidence.id))
    )
    for number, value, kind in session.exec(query):
        if kind != "submit" or not 1 <= value <= 5:
            yield f"confidence {number}"


def unsound_documents(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield ``document <id>`` of guidelines and codebooks not numbered 1, 2, 3 … in order."""
    query = select(Document).where(Document.project_id == project.id)
    numbers: dict[tuple[str, str], list[int]] = {}
    for row in session.exec(query.order_by(col(Document.id))):
        seen = numbers.setdefault((row.kind, row.task), [0])
        if row.number not in (seen[-1], seen[-1] + 1) or row.number == 0:
            yield f"document {row.id}"
        seen.append(row.number)


def unsound_referrals(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield inconsistent rows, as ``referral <id>`` or ``annotation <id>``.

    Each referral names submissions of its item, of one person each, or recalls one that did. A
    submission made without withdrawing the one before it keeps one that was sent back, and its
    event says so.
    """
    rows = rows_on_items(Referral, Item.project_id == project.id)
    by_item = grouped((row.item_id, row) for row in session.exec(rows))
    made = _authors(session, by_item)
    for sent in by_item.values():
        yield from _inconsistent_referrals(sent, made)
    named = {number for sent in by_item.values() for row in sent for number in row.annotation_ids}
    yield from _inconsistent_resubmissions(session, project, named)


def _authors(session: Session, items: Mapping[int, object]) -> dict[int, tuple[int, int]]:
    """Return (item, person) of each submission on the items."""
    query = select(Annotation.id, Annotation.item_id, Annotation.person_id).where(
        Annotation.kind == "submit", col(Annotation.item_id).in_(sorted(items))
    )
    return {number or 0: (item, person) for number, item, person in session.exec(query)}


def _inconsistent_referrals(
    sent: Sequence[Referral], authors: Mapping[int, tuple[int, int]]
) -> Iterator[str]:
    """Yield ``referral <id>`` of those naming wrong or repeated submissions, or none to recall."""
    before: Referral | None = None
    for row in sent:
        known = [authors[number] for number in row.annotation_ids if number in authors]
        people = {person for item, person in known if item == row.item_id}
        recalls = before is not None and bool(before.annotation_ids)
        if len(people) != len(row.annotation_ids) or not (row.annotation_ids or recalls):
            yield f"referral {row.id}"
        before = row


def _inconsistent_resubmissions(
    session: Session, project: ProjectView, named: set[int]
) -> Iterator[str]:
    """Yield ``annotation <id>`` of those that supersede another undiscussed, or unmarked."""
    before = aliased(Annotation)
    query = (
        select(Annotation.id, before.id, before.kind, DraftEvent.payload)
        .join(before, col(before.id) == Annotation.supersedes_id)
        .join(DraftEvent, col(DraftEvent.id) == Annotation.event_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == project.id, Annotation.kind == "submit")
        .where(DraftEvent.kind == "submit")  # excludes migrations, which answer nobody
    )
    for number, earlier, kind, payload in session.exec(query):
        kept = bool(payload.get("kept"))
        if kept != (kind == "submit") or (kept and earlier not in named):
            yield f"annotation {number}"
