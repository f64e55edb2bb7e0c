"""Projects: creation, listing, lookup by slug."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from errors import UserError, Where
from normalization import composed
from storage.db.columns import view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import Person, Project

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
TITLE_LIMIT = 200
OVERLAPS = range(1, 6)


@dataclass(frozen=True, slots=True)
class ProjectView:
    """A project; `overlap` is the number of submissions wanted per item.

    `open_pool` and `evidence` are those of the table.
    """

    id: int
    slug: str
    title: str
    overlap: int
    open_pool: bool
    evidence: bool


def create_project(ws: Workspace, slug: str, title: str, overlap: int = 2) -> ProjectView:
    """Create a project and return it. Raises UserError for a bad value or a taken slug.

    `slug` is its short name (lower-case letters, digits, hyphens), `overlap` how many people
    annotate each item independently (1 to 5; fixed from then on, as gold rests on it). Raises
    UserError for a value out of bounds, a title that is not one line of printable text, or a slug
    that is taken.
    """
    with ws.writing() as session:
        return insert_project(session, slug, title, overlap, ws.clock())


def insert_project(
    session: Session, slug: str, title: str, overlap: int, at: datetime
) -> ProjectView:
    """Create a project inside a writing transaction; see :func:`create_project`."""
    title = composed(title.strip())
    if not _SLUG.fullmatch(slug):
        raise UserError("project_slug", Where(field="slug"), slug=slug)
    if not 0 < len(title) <= TITLE_LIMIT or not title.isprintable():
        raise UserError("project_title", Where(field="title"))
    if overlap not in OVERLAPS:
        raise UserError("project_overlap", Where(field="overlap"), overlap=overlap)
    if session.exec(select(Project.id).where(Project.slug == slug)).first() is not None:
        raise UserError("project_exists", Where(field="slug"), slug=slug)
    row = Project(slug=slug, title=title, overlap=overlap, created_at=at)
    add_row(session, row)
    return view_of(ProjectView, row)


def list_projects(ws: Workspace) -> list[ProjectView]:
    """Return every project, oldest first."""
    with ws.reading() as session:
        return [
            view_of(ProjectView, row)
            for row in session.exec(select(Project).order_by(col(Project.id)))
        ]


def project_by_slug(ws: Workspace, slug: str) -> ProjectView:
    """Return the project of that slug. Raises UserError if there is none."""
    with ws.reading() as session:
        return find_project(session, slug)


def find_project(session: Session, slug: str) -> ProjectView:
    """Return the project of that slug within an open session; UserError if there is none."""
    row = session.exec(select(Project).where(Project.slug == slug)).first()
    if row is None:
        known = session.exec(select(Project.slug).order_by(Project.slug)).all()
        raise UserError("project_unknown", slug=slug, known=", ".join(known) or "–")
    return view_of(ProjectView, row)


def authored(session: Session, table: Any, *conditions: Any) -> list[tuple[Any, str | None]]:
    """Return the rows of a table that meet the conditions, by id, with their authors' names.

    The name is None for the operator.
    """
    author = table.by_person_id if hasattr(table, "by_person_id") else table.person_id
    query = select(table, Person.name).outerjoin(Person, col(Person.id) == author)
    return list(session.exec(query.where(*conditions).order_by(col(table.id))).all())
