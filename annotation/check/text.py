"""Proving that what people wrote beside their labels refers to what it can refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmodel import Session, col, select

from storage.projects import ProjectView
from storage.tables.answers import Settlement
from storage.tables.core import Adjudication, Annotation, DraftEvent, Item, Person
from storage.tables.people import (
    ASKED,
    DECLINED,
    Comment,
    Confidence,
    Document,
    KnownAnswer,
    Referral,
)

_OF_SOMEBODY = (DraftEvent, Annotation, Adjudication, Comment, Referral)


def strangers(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the rows in which somebody of another project acts on an item of this one."""
    for table in _OF_SOMEBODY:
        query: Any = (
            select(table.id)
            .join(Item, col(Item.id) == table.item_id)
            .join(Person, col(Person.id) == table.person_id)
            .where(Item.project_id == project.id, Person.project_id != project.id)
        )
        for number in session.exec(query.order_by(col(table.id))):
            yield f"{table.__tablename__} {number}"


def unsound_chains(session: Session, project: ProjectView) -> Iterator[tuple[str, str]]:
    """Yield (code, row) where a newer row does not follow the one before it on the same item."""
    tables: tuple[tuple[str, Any], ...] = (
        ("adjudication", Adjudication),
        ("known_answer", KnownAnswer),
        ("settlement", Settlement),
    )
    for code, table in tables:
        query = select(table).join(Item, col(Item.id) == table.item_id)
        last: dict[int, int] = {}
        for row in session.exec(query.where(Item.project_id == project.id).order_by(table.id)):
            if row.supersedes_id != last.get(row.item_id):
                yield code, f"{code} {row.id}"
            last[row.item_id] = row.id


def unsound_comments(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the messages that answer one of another item, or one that came after them.

    And those that decline what was not asked for.
    """
    query = select(Comment).join(Item, col(Item.id) == Comment.item_id)
    rows = session.exec(query.where(Item.project_id == project.id).order_by(col(Comment.id))).all()
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
    """Yield the rows that say how sure somebody was of anything but a submission, or out of 1–5."""
    query = (
        select(Confidence.id, Confidence.value, Annotation.kind)
        .join(Annotation, col(Annotation.id) == Confidence.annotation_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == project.id)
        .order_by(col(Confidence.id))
    )
    for number, value, kind in session.exec(query):
        if kind != "submit" or not 1 <= value <= 5:
            yield f"confidence {number}"


def unsound_documents(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the guidelines and codebooks whose versions do not count 1, 2, 3 … in their order."""
    query = select(Document).where(Document.project_id == project.id)
    numbers: dict[tuple[str, str], list[int]] = {}
    for row in session.exec(query.order_by(col(Document.id))):
        seen = numbers.setdefault((row.kind, row.task), [0])
        if row.number not in (seen[-1], seen[-1] + 1) or row.number == 0:
            yield f"document {row.id}"
        seen.append(row.number)
