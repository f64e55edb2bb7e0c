"""Labels imported from other tools: the files, and the label per item.

A label becomes ordinary draft events and a submission; these rows record their origin. An
interrupted import has fewer rows than its file's `labels`.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, Authored, UtcDateTime, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.Person, _tables.Item)  # what these tables refer to


class LabelFile(Authored, table=True):
    """A file of another tool, imported under one mapping of its labels.

    `sha256` is of the file's bytes, `guide_sha256` of the mapping, `labels` how many of its labels
    were to be imported at the start.
    """

    __table_args__ = (UniqueConstraint("project_id", "tool", "sha256", "guide_sha256"),)
    project_id: int = Field(foreign_key="project.id")
    tool: str
    name: str
    sha256: str
    guide_sha256: str
    labels: int


class ImportedFile(Authored, table=True):
    """An imported file of questions, votes or verdicts, and its importer.

    `lines` are how many of its lines were new then, or completed an existing question. `sha256` is
    of the file's bytes, of a folder's of all that was read in it. Votes that came with a file have
    its `at`.
    """

    __table_args__ = (one_of("kind", "votes", "verdicts", "questions"),)
    project_id: int = Field(foreign_key="project.id")
    kind: str
    name: str
    sha256: str
    lines: int


class ImportedLabel(AppendOnly, table=True):
    """One imported label: a person's newest on an item supersedes the others.

    `source_user` is its author in the tool's own terms, `made_at` when, where the file has it.
    `said` is a hash of its content. The events made from it are those of its person on the item
    from `first_event_id` to `event_id`.
    """

    __table_args__ = (
        Index("ix_imported_label_person_item", "person_id", "item_id"),
        one_of("status", "submitted", "draft", "discarded"),
    )
    label_file_id: int = Field(foreign_key="label_file.id", index=True)
    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    place: str
    source_user: str
    made_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    status: str
    said: str
    first_event_id: int = Field(foreign_key="draft_event.id")
    event_id: int = Field(foreign_key="draft_event.id", unique=True)
