"""Label files of other tools imported into a project."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select

from annotation.people.roles import Act, reading_as
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot, units_called
from storage.tables.core import Person
from storage.tables.exchange import ImportedLabel, LabelFile


@dataclass(frozen=True, slots=True)
class BroughtFile:
    """An imported file with its first importer and time; `by` is None for the operator.

    `came` of its `labels` are imported; fewer where an import was interrupted, or where a label no
    longer fitted.
    """

    tool: str
    name: str
    sha256: str
    labels: int
    came: int
    at: datetime
    by: str | None


def brought_files(
    ws: Workspace, project_slug: str, by: int | None = None
) -> tuple[BroughtFile, ...]:
    """Return the imported files, newest first. Raises UserError without permission."""
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        counts = select(ImportedLabel.label_file_id, func.count()).group_by(
            col(ImportedLabel.label_file_id)
        )
        came = dict(session.exec(counts).all())
        query = (
            select(LabelFile, Person.name)
            .outerjoin(Person, col(Person.id) == LabelFile.by_person_id)
            .where(LabelFile.project_id == project.id)
            .order_by(col(LabelFile.id).desc())
        )
        return tuple(
            BroughtFile(
                *(row.tool, row.name, row.sha256, row.labels), came.get(row.id or 0, 0), row.at, who
            )
            for row, who in session.exec(query)
        )


def unit_choices(
    ws: Workspace, project_slug: str, choices: Iterable[str], by: int | None = None
) -> Collection[str]:
    """Return the choices that are ids of units of the law in use.

    Raises UserError for `by` who may not import labels, and for a project without law.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        snapshot = required_snapshot(session, project)
        return frozenset(units_called(session, snapshot.id, frozenset(choices)))
