"""Decisions in citation mapping, and when an item needs an adjudicator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, exists, func
from sqlmodel import Session, col, select

from annotation.adjudication.dispute_views import Cause
from annotation.work.discussions import Discussion
from annotation.work.submissions import Submission
from storage.overlap import standing
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    Item,
    Person,
    Settlement,
    StatuteRow,
    UnitRow,
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A unit accepted by a decision; `label` is its citation form."""

    unit_id: int
    semantic_id: str
    label: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The current decision on an item: its row, adjudicator and units by semantic id.

    `conflict`: the adjudicator had submitted an answer of their own on the item.
    """

    row: Adjudication
    person: str
    units: tuple[Accepted, ...]
    conflict: bool = False


def causes(submissions: Sequence[Submission]) -> tuple[Cause, ...]:
    """Return why a complete item needs an adjudicator; empty if all agree and are sure.

    People differ if their accepted units differ, by semantic id, or if only some say that there is
    no provision.
    """
    found: list[Cause] = []
    if len({(submission.accepted, submission.no_provision) for submission in submissions}) > 1:
        found.append("differ")
    if any(submission.unsure for submission in submissions):
        found.append("unsure")
    if any(submission.flag for submission in submissions):
        found.append("flagged")
    return tuple(found)


def reasons(submissions: Sequence[Submission], talk: Discussion | None) -> tuple[Cause, ...]:
    """Return `causes`, or else "recalled" for a discussion recalled before all answered.

    Those who answered may then agree with others' earlier answers, but nobody confirmed it.
    """
    found = causes(submissions)
    if not found and talk is not None and talk.unanswered(submissions):
        return ("recalled",)
    return found


def settled(session: Session, project_id: int, item_id: int | None = None) -> dict[int, Settled]:
    """Return the current decision by item; with `item_id`, only on that item."""
    query = (
        select(Adjudication, Person.name, labelled_by(Adjudication))
        .join(Person, col(Person.id) == Adjudication.person_id)
        .join(Item, col(Item.id) == Adjudication.item_id)
        .where(Item.project_id == project_id, standing(Adjudication))
        .order_by(col(Item.order))
    )
    if item_id is not None:
        query = query.where(Adjudication.item_id == item_id)
    rows = session.exec(query).all()
    units = _units(session, project_id, item_id) if rows else {}
    return {
        row.item_id: Settled(row, name, tuple(units.get(row.id or 0, ())), bool(conflict))
        for row, name, conflict in rows
    }


def newest(session: Session, table: Any, item_id: int) -> int | None:
    """Return the id of the table's newest decision on an item, withdrawn or not."""
    found: int | None = session.exec(
        select(func.max(table.id)).where(table.item_id == item_id)
    ).one()
    return found


@cache
def labelled_by(table: type[Adjudication] | type[Settlement]) -> ColumnElement[bool]:
    """Return the SQL condition that the adjudicator had submitted an answer on the item.

    Withdrawn or not, they had a view.
    """
    return exists().where(
        col(Annotation.item_id) == col(table.item_id),
        col(Annotation.person_id) == col(table.person_id),
        col(Annotation.kind) == "submit",
    )


def _units(session: Session, project_id: int, item_id: int | None) -> dict[int, list[Accepted]]:
    """Return the accepted units of each decision, by its id."""
    query = (
        select(
            AdjudicationLabel.adjudication_id,
            UnitRow.id,
            UnitRow.semantic_id,
            StatuteRow.title,
            UnitRow.label,
        )  # type: ignore[call-overload]
        .join(UnitRow, col(UnitRow.id) == AdjudicationLabel.unit_id)
        .join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
        .join(Adjudication, col(Adjudication.id) == AdjudicationLabel.adjudication_id)
        .join(Item, col(Item.id) == Adjudication.item_id)
        .where(Item.project_id == project_id)
        .order_by(AdjudicationLabel.adjudication_id, UnitRow.semantic_id)
    )
    if item_id is not None:
        query = query.where(Item.id == item_id)
    found: dict[int, list[Accepted]] = {}
    for decision, unit_id, semantic_id, title, label in session.exec(query):
        accepted = Accepted(unit_id, semantic_id, f"{title} {label}")
        found.setdefault(decision, []).append(accepted)
    return found
