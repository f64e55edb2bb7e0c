"""Where submissions came from that were made in another tool: which file, by whom there, when."""

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
"""What the tools call themselves, by the names that commands have for them."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The tool and the file that a submission came with, and who made it there and when.

    `user` is the tool's own word for them, "" where it is kept back; `made_at` is None where the
    file does not say when.
    """

    tool: str
    file: str
    sha256: str
    user: str
    made_at: datetime | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values; the time in ISO 8601. What is kept back is left out."""
        said = {"tool": self.tool, "file": self.file, "sha256": self.sha256, "user": self.user}
        at = None if self.made_at is None else self.made_at.isoformat()
        return {name: value for name, value in said.items() if value} | {"made_at": at}

    def without_names(self) -> Origin:
        """Return it without what may name people: their user names, and the file's."""
        return replace(self, user="", file="")


@cache
def was_imported() -> ColumnElement[bool]:
    """Return the condition that an `Annotation` row is a submission that came from a file."""
    return exists().where(col(ImportedLabel.event_id) == col(Annotation.event_id))


def origins_in(session: Session, project_id: int) -> dict[int, Origin]:
    """Return where each submission of a project came from, by its id; of most there is nothing.

    One that was taken over to a new version of a document came from where it came before.
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
    """Return where events of drafts or rows of submissions came from, and who brought them in."""
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
    """Return how many standing submissions of each person came from files, none where none did."""
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
