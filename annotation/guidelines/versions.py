"""Versions of a guideline or codebook, and the current decisions made under each.

Readers of others' labels, and the operator, see everybody's decisions; others see their own. Only
the fact of a decision is shown, not its content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, select

from annotation.adjudication.decisions import current_decisions
from annotation.guidelines.documents import Edition, versions_in
from annotation.people.roles import Act, ProjectMember, may, reading_as
from annotation.work.submissions import is_current
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tasks import NAME

_VERSION = re.compile(r"(\d+)-[0-9a-f]{12}")
_Counts = Counter[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class VersionView:
    """A version: author, time, note, and the number of current decisions under it.

    `person` is None for the operator and for the packaged text, of which `at` is None too until
    there is a later version. `known`: its text is stored here; imported decisions may name an
    unknown version.
    """

    version: str
    number: int
    person: str | None = None
    at: datetime | None = None
    note: str = ""
    submissions: int = 0
    adjudications: int = 0
    current: bool = False
    packaged: bool = False
    known: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Return the version as JSON values; the time in ISO 8601."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"at": None if self.at is None else self.at.isoformat()}


@dataclass(frozen=True, slots=True)
class Made:
    """A current decision: question, author, time and version."""

    kind: Literal["submission", "adjudication"]
    id: int
    item_id: int
    external_id: str
    person: str
    at: datetime
    version: str

    def as_dict(self) -> dict[str, Any]:
        """Return the decision as JSON values; the time in ISO 8601."""
        return {
            "kind": self.kind,
            "question": self.external_id,
            "person": self.person,
            "at": self.at.isoformat(),
            "version": self.version,
        }


def number_of(version: str) -> int:
    """Return the number in a version string ``<number>-<hash>``; 0 if it is invalid."""
    found = _VERSION.fullmatch(version)
    return int(found[1]) if found else 0


def list_versions(
    ws: Workspace, project_slug: str, kind: str, task: str, by: int | None = None
) -> list[VersionView]:
    """Return the versions of a document, newest first. Raises UserError for an unknown one."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, who):
        found = versions_in(session, project.id, kind, task)
        made = current_work(session, project.id, kind, task, who)
        names = dict(session.exec(select(Person.id, Person.name)).all())
        counts: _Counts = Counter((each.kind, number_of(each.version)) for each in made)
        views = [_version_view(each, names, counts, each is found[-1]) for each in found]
    known = {each.number for each in found}
    lost = {number_of(each.version) for each in made} - known
    views += [_unknown_version_view(number, made, counts) for number in lost]
    return sorted(views, key=lambda each: -each.number)


def decisions(
    ws: Workspace, project_slug: str, kind: str, task: str, number: int, by: int | None = None
) -> list[Made]:
    """Return the current decisions made under the version of that number, in queue order.

    Raises UserError for an unknown document, and a number without version and decisions.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, who):
        made = current_work(session, project.id, kind, task, who)
        found = [each for each in made if number_of(each.version) == number]
        known = {each.number for each in versions_in(session, project.id, kind, task)}
    if not found and number not in known:
        raise UserError("document_number", Where(field="version"), kind=kind, number=number)
    return found


def current_work(
    session: Session, project_id: int, kind: str, task: str, who: ProjectMember | None
) -> list[Made]:
    """Return current submissions and decisions that `who` may see, with their version of `kind`."""
    column = {"guideline": "guideline_version", "codebook": "codebook_version"}.get(kind, "")
    query = (
        select(Annotation, Item, NAME, Person.name)
        .join(Item)
        .outerjoin(QuestionRow)
        .join(Person)
        .where(Item.project_id == project_id, Item.task == task, is_current())
    )
    everybody = who is None or may(who.role, Act.READ_OTHERS_LABELS)
    if who is not None and not everybody:
        query = query.where(Annotation.person_id == who.person_id)
    placed: list[tuple[int, Made]] = []
    for row, item, external_id, name in session.exec(query):
        version = getattr(row, column)
        made = Made("submission", row.id or 0, item.id or 0, external_id, name, row.at, version)
        placed.append((item.order, made))
    if everybody:
        placed += _ordered_adjudications(session, project_id, task, column)
    placed.sort(key=lambda each: (each[0], each[1].kind != "submission", each[1].person))
    return [made for _, made in placed]


def _ordered_adjudications(
    session: Session, project_id: int, task: str, column: str
) -> Iterable[tuple[int, Made]]:
    """Yield (queue position, decision) of citation mapping; nothing for any other task."""
    query = select(Item, QuestionRow.external_id).join(QuestionRow)
    here = query.where(Item.project_id == project_id, Item.task == task)
    asked = {item.id: (item, external_id) for item, external_id in session.exec(here)}
    for item_id, decision in current_decisions(session, project_id).items():
        if item_id in asked:
            item, external_id = asked[item_id]
            whose = (item_id, external_id, decision.person, decision.at)
            version = getattr(decision, column)
            yield item.order, Made("adjudication", decision.number, *whose, version)


def _version_view(
    each: Edition, names: dict[int | None, str], counts: _Counts, newest: bool
) -> VersionView:
    row = each.rows[0] if each.rows else None
    return VersionView(
        version=each.version,
        number=each.number,
        person=names.get(row.by_person_id) if row else None,
        at=row.at if row else None,
        note=row.note if row else "",
        submissions=counts["submission", each.number],
        adjudications=counts["adjudication", each.number],
        current=newest,
        packaged=each.packaged,
    )


def _unknown_version_view(number: int, decisions: list[Made], counts: _Counts) -> VersionView:
    """Return the view of a version without stored text, known from `decisions` alone."""
    return VersionView(
        version=next(e.version for e in decisions if number_of(e.version) == number),
        number=number,
        submissions=counts["submission", number],
        adjudications=counts["adjudication", number],
        known=False,
    )
