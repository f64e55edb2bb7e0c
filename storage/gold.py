"""Versions of a project's split of its gold: storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from construction.gold.splitting import Recipe
from errors import UserError, Where
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.tables.core import Person, QuestionRow
from storage.tables.runs import SplitMember, SplitRow

SPLIT = "split"
"""The name of the column of questions that holds the part."""


@dataclass(frozen=True, slots=True)
class SplitView:
    """A version of a split without its questions; `person` is None for the operator.

    `snapshot_id` and `gold_hash` identify the gold that was split, `size` is how many questions are
    in a part.
    """

    id: int
    number: int
    recipe: Recipe
    snapshot_id: int
    gold_hash: str
    note: str
    person: str | None
    at: datetime
    size: int


def split_list(session: Session, project_id: int) -> list[SplitView]:
    """Return the versions of a project's split, the newest first; [] without a split."""
    size = (
        select(func.count(col(SplitMember.id)))
        .where(SplitMember.split_id == SplitRow.id)
        .scalar_subquery()
    )
    query = (
        select(SplitRow, Person.name, size)
        .outerjoin(Person)
        .where(SplitRow.project_id == project_id)
        .order_by(col(SplitRow.number).desc())
    )
    return [
        view_of(SplitView, row, recipe=Recipe.from_json(row.recipe), person=name, size=count)
        for row, name, count in session.exec(query)
    ]


def find_split(session: Session, project_id: int, number: int | None = None) -> SplitView | None:
    """Return the version of that number, else the newest, None without a split.

    Raises UserError for an unknown number.
    """
    known = split_list(session, project_id)
    if number is None:
        return known[0] if known else None
    for each in known:
        if each.number == number:
            return each
    named = ", ".join(str(each.number) for each in known) or "–"
    raise UserError("split_unknown", Where(field="split"), number=number, known=named)


def members_of(session: Session, split_id: int) -> dict[str, str]:
    """Return the part of each question of a version, by ascending external id."""
    query = (
        select(QuestionRow.external_id, SplitMember.part)
        .join(SplitMember)
        .where(SplitMember.split_id == usable_id(split_id))
    )
    return dict(sorted(session.exec(query).all()))


def parts_now(session: Session, project_id: int) -> dict[str, str]:
    """Return the part of each question by the newest version; {} without a split."""
    query = select(SplitRow.id).where(SplitRow.project_id == project_id)
    newest = session.exec(query.order_by(col(SplitRow.number).desc()).limit(1)).first()
    return {} if newest is None else members_of(session, newest)


def keep_split(
    session: Session,
    project_id: int,
    recipe: Recipe,
    parts: Mapping[str, str],
    *,
    snapshot_id: int,
    gold_hash: str,
    note: str,
    by: int | None,
    at: datetime,
) -> int:
    """Store the next version; return its number."""
    newest = select(func.max(SplitRow.number)).where(SplitRow.project_id == project_id)
    row = SplitRow(
        project_id=project_id,
        number=(session.exec(newest).one() or 0) + 1,
        recipe=recipe.as_json(),
        snapshot_id=snapshot_id,
        gold_hash=gold_hash,
        note=note,
        by_person_id=by,
        at=at,
    )
    split_id = add_row(session, row)
    asked = select(QuestionRow.external_id, QuestionRow.id)
    ids = dict(session.exec(asked.where(QuestionRow.project_id == project_id)).all())
    session.add_all(
        SplitMember(split_id=split_id, question_id=ids[name] or 0, part=part)
        for name, part in sorted(parts.items())
    )
    session.flush()
    return row.number
