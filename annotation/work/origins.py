"""Origin of submissions imported from another tool: file, author there, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlmodel import Session, col, select

from annotation.work.submissions import made_as, stands
from storage.tables.core import Annotation, DraftEvent, Item
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tasks import Task, of_task

TOOLS = {"label-studio": "Label Studio", "argilla": "Argilla"}
"""Display name of each tool, by its name on the command line."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The tool and file a submission was imported from, and its author and time there.

    `user` is the tool's user name, "" if withheld; `made_at` is None if the file has no time.
    """

    tool: str
    file: str
    sha256: str
    user: str
    made_at: datetime | None

    def as_dict(self) -> dict[str, Any]:
        """Return the origin as JSON values, withheld ones left out; the time in ISO 8601."""
        said = {"tool": self.tool, "file": self.file, "sha256": self.sha256, "user": self.user}
        at = None if self.made_at is None else self.made_at.isoformat()
        return {name: value for name, value in said.items() if value} | {"made_at": at}

    def without_names(self) -> Origin:
        """Return a copy without what may identify people: user name and file name."""
        return replace(self, user="", file="")


@cache
def was_imported() -> ColumnElement[bool]:
    """Return the SQL condition that an `Annotation` row is an imported submission."""
    return exists().where(col(ImportedLabel.event_id) == col(Annotation.event_id))


def origins_in(session: Session, project_id: int) -> dict[int, Origin]:
    """Return the origin of each imported submission of a project, by its id.

    A migrated submission keeps the origin of the one it was migrated from.
    """
    query = (
        select(Annotation.id, LabelFile, ImportedLabel)
        .join(ImportedLabel, col(ImportedLabel.event_id) == Annotation.event_id)
        .join(LabelFile, col(LabelFile.id) == ImportedLabel.label_file_id)
        .where(LabelFile.project_id == project_id, Annotation.kind == "submit")
        .order_by(col(Annotation.id))
    )
    found = {number or 0: _origin(file, label) for number, file, label in session.exec(query)}
    if found:
        before = made_as(session, project_id, Task.CITATION_MAPPING)
        found |= {new: found[old] for new, old in before.items() if old in found}
    return found


def _origin(file: LabelFile, label: ImportedLabel) -> Origin:
    return Origin(file.tool, file.name, file.sha256, label.source_user, label.made_at)


def origins_of(
    session: Session, table: Any, ids: Sequence[int]
) -> dict[int, tuple[Origin, int | None]]:
    """Return the origin, and who imported it, of draft events or submission rows by id."""
    event = DraftEvent.id if table is DraftEvent else Annotation.event_id
    within = col(event).between(col(ImportedLabel.first_event_id), col(ImportedLabel.event_id))
    query = (
        select(table.id, LabelFile, ImportedLabel)
        .join(
            ImportedLabel,
            (col(ImportedLabel.person_id) == table.person_id)
            & (col(ImportedLabel.item_id) == table.item_id)
            & within,
        )
        .join(LabelFile, col(LabelFile.id) == ImportedLabel.label_file_id)
        .where(table.id.in_(ids))
    )
    return {n: (_origin(file, label), file.by_person_id) for n, file, label in session.exec(query)}


def imported_by_person(session: Session, project_id: int, task: str) -> Mapping[int, int]:
    """Return the number of current submissions imported per person; zeros are absent."""
    if task != Task.CITATION_MAPPING:
        return {}
    origins = origins_in(session, project_id)
    if not origins:
        return {}
    query = select(Annotation.id, Annotation.person_id).join(
        Item, col(Item.id) == Annotation.item_id
    )
    found: dict[int, int] = {}
    for number, person in session.exec(query.where(of_task(project_id, task), stands())):
        if number in origins:
            found[person] = found.get(person, 0) + 1
    return found
