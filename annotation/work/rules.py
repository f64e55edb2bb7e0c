"""The rules of each task, by its name: everything that differs between tasks.

A task's module is imported on first use, so its rules may build on the modules that use them.

Values for migrating answers to a later version of a guideline or codebook.

An answer becomes ``same``, ``again`` if it is to be given anew, or another answer. Answers are
named: in citation mapping by decision or ``no_provision``; in a form by field, or by an option of
one, ``field.option``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session

from annotation.people.roles import ProjectMember
from annotation.work.draft import Draft
from annotation.work.registry import ENTRIES, object_of
from annotation.work.slots import SlotState
from storage.tables.core import Annotation
from storage.tasks import Task

SAME, AGAIN = "same", "again"
Fate = Literal["same", "mapped", "again", "settled", "referred", "held", "closed", "away"]
FATES: tuple[Fate, ...] = (
    *("same", "mapped", "again"),
    *("settled", "referred", "held", "closed", "away"),
)
LEFT: tuple[Fate, ...] = FATES[3:]
# Why an answer is to be given again; `idle` is dropped instead.
Code = Literal["said", "item", "changed", "gone", "asked", "unfit", "idle"]


@dataclass(frozen=True, slots=True)
class Why:
    """Reason why a submission changes: code, field, and option of the field."""

    code: Code
    field: str = ""
    option: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return code, field and option as JSON values."""
        return {"why": self.code, "field": self.field, "option": self.option}


@dataclass(frozen=True, slots=True)
class Becomes:
    """The answer after migration, and why if it is to be given again."""

    now: str
    code: Code = "said"


@dataclass(frozen=True, slots=True)
class Step:
    """A later version of one of a task's documents, and the mapping of answers to it.

    `old` and `new` are the texts by language; `old` is None if it is not stored here. `answers` is
    the lead's mapping; `items` are to be answered again in any case.
    """

    project_id: int
    kind: str
    old: Mapping[str, str] | None
    new: Mapping[str, str]
    answers: Mapping[str, str]
    items: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A migrated submission: `said` has its answers by unit or field, `payload` is logged."""

    fate: Fate
    said: Mapping[Any, Any]
    payload: Mapping[str, Any]
    no_provision: bool = False
    why: tuple[Why, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """An open item: person, slots, draft, time, and the candidate set that the draft shows."""

    session: Session
    who: ProjectMember
    room: SlotState
    draft: Draft
    at: datetime
    set_id: int = 0


class TaskRules:
    """Base class of a task's rules; a task subclasses it and is listed in this module."""

    task: Task

    def content(self, at: Opened) -> dict[str, Any]:
        """Return the fields of an `ItemView` that depend on the task, by name."""
        raise NotImplementedError

    def begun(self, session: Session, who: ProjectMember, item_id: int, at: datetime) -> None:
        """Run the task's part of a person's first opening of an item, in its transaction."""

    def validate(self, writer: Opened) -> None:
        """Raise UserError if the draft cannot be submitted, naming what is missing."""
        raise NotImplementedError

    def store_labels(self, writer: Opened, annotation_id: int) -> None:
        """Store the labels of a submission, in its transaction."""
        raise NotImplementedError

    def submitted(self, writer: Opened, annotation_id: int) -> None:
        """Run the task's follow-up of a submission, in its transaction."""

    def withdrawn(self, session: Session, item_id: int) -> None:
        """Raise UserError if a submission of the item can no longer be withdrawn."""

    def migrated(
        self, session: Session, step: Step, submissions: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return each submission as migrated to another version of a document, by id.

        Raises UserError for answers that are not the task's, or that cannot be mapped that way.
        """
        raise NotImplementedError

    def store_taken(self, session: Session, annotation_id: int, after: TakenOver) -> None:
        """Store the labels of a migrated submission."""
        raise NotImplementedError


def rules_of(session: Session, project_id: int, task: str) -> TaskRules:
    """Return the rules of a task; those of a project's own are made of its declaration."""
    found = object_of(Task(task), "rules")
    rules: TaskRules = found if task in ENTRIES else found(session, project_id, task)
    return rules


def product_rules(task: Task) -> TaskRules:
    """Return the rules of one of the product's tasks."""
    found: TaskRules = object_of(task, "rules")
    return found
