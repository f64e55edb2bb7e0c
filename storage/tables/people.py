"""Accounts, roles, batches, leases, documents and messages.

`storage.tables.core.Account` is a person across projects, `storage.tables.core.Person` their
membership in one project. Tables that are not append-only hold the current state; every change of
them has an event row.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlalchemy import text as sql_text
from sqlmodel import Field

from storage.db.columns import (
    AppendOnly,
    Authored,
    Dated,
    Row,
    UtcDateTime,
    between,
    first_of,
    one_of,
)
from storage.tables import core as _tables
from storage.tables.core import Account

_OTHERS = (Account, _tables.Person, _tables.Item)  # what these tables refer to

ASKED, DECLINED = "asked", "declined"  # kinds of messages besides plain ones


def _object() -> Any:
    """Return a JSON column with an object as default."""
    return Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class AccountEvent(Dated, table=True):
    """An event of an account: made, signed_in, refused, password, deactivated, …"""

    account_id: int = Field(foreign_key="account.id", index=True)
    kind: str
    payload: dict[str, Any] = _object()
    by_account_id: int | None = Field(default=None, foreign_key="account.id")


class PersonEvent(Authored, table=True):
    """An event of a person in a project: added, role, deactivated, renamed, keys, …"""

    person_id: int = Field(foreign_key="person.id", index=True)
    kind: str
    payload: dict[str, Any] = _object()


class Invitation(Row, table=True):
    """A single-use link to join a project in a role, with an expiry.

    Only the hash of the link's secret is stored.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    role: str
    note: str = ""
    secret_hash: str = Field(unique=True)
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    person_id: int | None = Field(default=None, foreign_key="person.id")  # who took it


class Batch(Row, table=True):
    """Items assigned to people: overlap, order and deadline.

    `sequence` is how each person's queue is ordered: as given, at random per person (by `seed`), or
    most informative first. `practice` batches give feedback and never make gold.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        one_of("sequence", "given", "random", "informative"),
    )
    project_id: int = Field(foreign_key="project.id")
    task: str
    name: str
    overlap: int
    sequence: str
    seed: int
    practice: bool = False
    deadline: datetime | None = Field(default=None, sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)


class BatchItem(Row, table=True):
    """An item of a batch; `calibration` ones have a known answer and go to everybody."""

    __table_args__ = (
        UniqueConstraint("batch_id", "position"),
        UniqueConstraint("item_id"),
    )
    batch_id: int = Field(foreign_key="batch.id")
    item_id: int = Field(foreign_key="item.id")
    position: int
    calibration: bool


class BatchPerson(Row, table=True):
    """A person to whom a batch is assigned."""

    __table_args__ = (UniqueConstraint("batch_id", "person_id"),)
    batch_id: int = Field(foreign_key="batch.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    added_at: datetime = Field(sa_type=UtcDateTime)


class BatchEvent(Authored, table=True):
    """An event of a batch: made, items, people, overlap, deadline, closed, reopened."""

    batch_id: int = Field(foreign_key="batch.id", index=True)
    kind: str
    payload: dict[str, Any] = _object()


class Lease(Row, table=True):
    """One of an item's slots, held by a person who works on it; free again once expired."""

    __table_args__ = (UniqueConstraint("item_id", "person_id"),)
    item_id: int = Field(foreign_key="item.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    taken_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)


class KnownAnswer(Authored, table=True):
    """The known answer of a calibration or practice item; newer rows supersede.

    `answer` has the task's own shape; for citation mapping {units: [semantic id], no_provision}.
    """

    __table_args__ = (first_of("ux_known_answer_first", "item_id"),)
    item_id: int = Field(foreign_key="item.id", index=True)
    answer: dict[str, Any] = _object()
    explanation: str = ""
    supersedes_id: int | None = Field(default=None, foreign_key="known_answer.id", unique=True)


class Document(Authored, table=True):
    """One version of a guideline or codebook in one language; `number` counts from 1.

    The packaged text is in force where a project has no version of its own.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "kind", "task", "number", "language"),
        one_of("kind", "guideline", "codebook"),
    )
    project_id: int = Field(foreign_key="project.id")
    kind: str
    task: str
    number: int
    language: str
    text: str
    note: str = ""


class DocumentMigration(Authored, table=True):
    """A migration of answers from one version of a document to another, with author and reason.

    `answers` maps each answer: ``same``, another answer, or ``again`` where it is to be given anew.
    The result for each submission is its draft event of kind migrate.
    """

    __table_args__ = (one_of("kind", "guideline", "codebook"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    kind: str
    task: str
    from_number: int
    to_number: int
    to_version: str
    answers: dict[str, Any] = _object()
    reason: str


class Comment(Dated, table=True):
    """One message of the thread on an item; hidden from people who still owe the item.

    The kind `ASKED` is a request to reopen the writer's submission, `DECLINED` a refusal of it.
    """

    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    reply_to_id: int | None = Field(default=None, foreign_key="comment.id")
    text: str
    kind: str = Field(default="", sa_column_kwargs={"server_default": sql_text("''")})


class Referral(Dated, table=True):
    """A referral of an item back to its annotators, who see each other's labels and discuss.

    `annotation_ids` are the submissions that differed. What they submit afterwards is consensus. A
    single submission is returned to its person, to be redone without seeing the others'.
    """

    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    reason: str
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class Confidence(AppendOnly, table=True):
    """A person's confidence in a submission: 1 (guessing) to 5 (certain), where given."""

    __table_args__ = (between("value", 1, 5),)
    annotation_id: int = Field(foreign_key="annotation.id", unique=True)
    value: int
