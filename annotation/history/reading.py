"""The history of a project: every event on any item and person, newest first.

It is read from the records themselves, which are never changed or removed, so it cannot differ from
them. For what each reader may see, see `annotation.history.sources`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, func
from sqlalchemy import select as rows_of
from sqlmodel import Session, col, select

from annotation.history.details import Teller
from annotation.history.entry import FAMILIES, Entry, Filter
from annotation.history.sources import visible_rows
from annotation.people.roles import Act, reading_as, require_by
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project
from storage.tables.core import Item, Person, QuestionRow
from storage.tasks import NAME

__all__ = ["FAMILIES", "Entry", "Filter", "Page", "everything", "filter_by_names", "read"]

PAGE = 50  # entries
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a history, newest first; `total` counts all entries that match the filter."""

    entries: tuple[Entry, ...]
    total: int


def filter_by_names(
    ws: Workspace,
    project_slug: str,
    item: str | None = None,
    person: str | None = None,
    kinds: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
) -> Filter:
    """Return the filter for a question's external id, a person's name and kinds.

    Raises UserError for an unknown question, person or kind.
    """
    for kind in kinds:
        if kind.partition(".")[0] not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise UserError("history_kind", Where(field="kind"), kind=kind, known=known)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        item_id = None if item is None else _item_id(session, project, item)
        person_id = None if person is None else _person_id(session, project, person)
    return Filter(item_id, person_id, tuple(kinds), since, until)


def read(
    ws: Workspace,
    project_slug: str,
    part: Filter | None = None,
    offset: int = 0,
    limit: int = PAGE,
    by: int | None = None,
) -> Page:
    """Return `limit` entries after the first `offset`, as `by` may see them (None: the operator).

    Entries of the same time are in the order of `FAMILIES`, later rows first. Raises UserError for
    an unknown project or person.
    """
    with ws.reading() as session:
        project, query = _project_and_query(session, project_slug, part, by)
        total = session.exec(rows_of(func.count()).select_from(query.subquery())).one()[0]  # type: ignore[call-overload]
        page = _newest_first(query).offset(max(offset, 0)).limit(max(limit, 0))
        found = session.exec(page).all()  # type: ignore[call-overload]
        entries = Teller(session, project.id).tell(row[:3] for row in found)
        return Page(tuple(entries), int(total))


def everything(
    ws: Workspace, project_slug: str, part: Filter | None = None, by: int | None = None
) -> Iterator[Entry]:
    """Yield all entries that match the filter, newest first.

    Raises UserError as `read` does, and without permission to export histories.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_HISTORY) as (session, _, _):
        project, query = _project_and_query(session, project_slug, part, by)
        teller = Teller(session, project.id)
        found = session.exec(_newest_first(query)).all()  # type: ignore[call-overload]
        for start in range(0, len(found), _AT_ONCE):
            yield from teller.tell(row[:3] for row in found[start : start + _AT_ONCE])


def _project_and_query(
    session: Session, project_slug: str, part: Filter | None, by: int | None
) -> tuple[ProjectView, Select[Any]]:
    project = find_project(session, project_slug)
    # Every role has access; the query decides what they see.
    who = require_by(session, project.id, by, Act.READ_LAW)
    return project, visible_rows(project.id, who, part or Filter())


def _newest_first(query: Select[Any]) -> Select[Any]:
    """Order a query of history newest first, then by family and number."""
    rank = {family: at for at, family in enumerate(FAMILIES)}
    family, number, _, at = query.selected_columns
    return query.order_by(at.desc(), case(rank, value=family), number.desc())


def _item_id(session: Session, project: ProjectView, external_id: str) -> int:
    """Return the id of an item by its external id. Raises UserError if there is none."""
    query = (
        select(Item.id)
        .outerjoin(QuestionRow)
        .where(Item.project_id == project.id)
        .where(external_id == NAME)
    )
    found = session.exec(query.order_by(col(Item.id))).first()
    if found is None:
        raise UserError("history_item", Where(field="item"), item=external_id)
    return found


def _person_id(session: Session, project: ProjectView, name: str) -> int:
    query = select(Person.id).where(Person.project_id == project.id, Person.name == name)
    found = session.exec(query).first()
    if found is None:
        raise UserError("history_person", Where(field="person"), name=name)
    return found
