"""Labels that came from other tools: the files, and what each said of an item.

What was made of a label are rows of the log and a submission as of everybody's; these rows say
where they came from. An import that was broken off has fewer rows than its file's `labels`.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.Person, _tables.Item)  # what these tables refer to


class LabelFile(AppendOnly, table=True):
    """A file of another tool that was brought in under one guide to its words.

    `sha256` is of the file's bytes, `guide_sha256` of what its words were said to mean, `labels`
    how many of its labels were to be brought in when that began.
    """

    __table_args__ = (UniqueConstraint("project_id", "tool", "sha256", "guide_sha256"),)
    project_id: int = Field(foreign_key="project.id")
    tool: str
    name: str
    sha256: str
    guide_sha256: str
    labels: int
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ImportedFile(AppendOnly, table=True):
    """A file of questions, or of what models or judges said elsewhere, and who brought it in.

    `lines` are how many of its lines were new then, or said more of a question that was there.
    `sha256` is of the file's bytes, of a folder's of all that was read in it. Votes that came with
    a file have its `at`.
    """

    __table_args__ = (one_of("kind", "votes", "verdicts", "questions"),)
    project_id: int = Field(foreign_key="project.id")
    kind: str
    name: str
    sha256: str
    lines: int
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ImportedLabel(AppendOnly, table=True):
    """One label that was brought in: the newest of a person on an item supersedes the others.

    `source_user` is who made it in the tool's own words, `made_at` when, where the file says so.
    `said` is a hash of all that it said. The events that it became are those of its person on the
    item from `first_event_id` to `event_id`.
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
