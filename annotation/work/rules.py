"""The rules of each task, by its name: everything that differs between tasks.

A task's module is imported on first use, so its rules may build on the modules that use them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any, ClassVar, Protocol

from sqlmodel import Session

from annotation.people.roles import ProjectMember
from annotation.work.draft import Draft
from annotation.work.slots import SlotState, load_slots
from annotation.work.taking_over import Step, TakenOver
from errors import UserError
from storage.tables.core import Annotation, CandidateSet
from storage.tasks import Task

# Import path of each task's rules.
_PLACES: dict[Task, str] = {
    Task.CITATION_MAPPING: "annotation.mapping.rules.RULES",
    Task.ANSWER_RATING: "annotation.judging.forms.RATING_FORM",
    Task.ATTRIBUTION: "annotation.attribution.form.FORM",
    Task.CURATION: "annotation.curation.form.FORM",
    Task.FACTOR_TAGGING: "annotation.tagging.form.FORM",
    Task.JUDGE_REVIEW: "annotation.judging.forms.REVIEW_FORM",
    Task.MCQ_SOLVABILITY: "annotation.mcq.solvability.FORM",
    Task.OCR_CORRECTION: "annotation.ocr.forms.CORRECTION_FORM",
    Task.OCR_VERIFICATION: "annotation.ocr.forms.VERIFICATION_FORM",
    Task.RESEARCH: "annotation.research.form.FORM",
}


class ItemContext(Protocol):
    """An item as rules may read it, in the transaction that submits or withdraws it."""

    @property
    def session(self) -> Session:
        """The writing transaction."""

    @property
    def room(self) -> SlotState:
        """The item's task and slots."""

    @property
    def item_id(self) -> int:
        """The item's id."""

    @property
    def at(self) -> datetime:
        """The time of the act."""

    @property
    def draft(self) -> Draft:
        """The person's draft before the act."""

    @property
    def set_id(self) -> int:
        """Id of the candidate set shown when the draft was begun."""

    @property
    def candidates(self) -> CandidateSet:
        """The candidate set shown when the draft was begun."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open item: person, slots, draft and time."""

    session: Session
    who: ProjectMember
    room: SlotState
    draft: Draft
    now: datetime


class TaskRules:
    """Base class of a task's rules; a task subclasses it and is listed in this module."""

    task: ClassVar[Task]

    def content(self, at: Opened) -> dict[str, Any]:
        """Return the fields of an `ItemView` that depend on the task, by name."""
        raise NotImplementedError

    def validate(self, writer: ItemContext) -> None:
        """Raise UserError if the draft cannot be submitted, naming what is missing."""
        raise NotImplementedError

    def store_labels(self, writer: ItemContext, annotation_id: int) -> None:
        """Store the labels of a submission, in its transaction."""
        raise NotImplementedError

    def submitted(self, writer: ItemContext, annotation_id: int) -> None:
        """Run the task's follow-up of a submission, in its transaction."""

    def withdrawn(self, session: Session, item_id: int) -> None:
        """Raise UserError if a submission of the item can no longer be withdrawn."""

    def taken_over(
        self, session: Session, step: Step, made: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return each submission as migrated to another version of a document, by id.

        Raises UserError for answers that are not the task's, or that cannot be mapped that way.
        """
        raise NotImplementedError

    def store_taken(self, session: Session, annotation_id: int, after: TakenOver) -> None:
        """Store the labels of a migrated submission."""
        raise NotImplementedError

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        """Return the items of the task that are hidden from the person for now."""
        return frozenset()


def rules_of(task: str) -> TaskRules:
    """Return the rules of a task."""
    module, _, name = _PLACES[Task(task)].rpartition(".")
    found: TaskRules = getattr(import_module(module), name)
    return found


def admit(
    session: Session, person_id: int, item_id: int, now: datetime, tasks: Collection[str] | None
) -> tuple[ProjectMember, SlotState]:
    """Return the person and the item's slots, as `load_slots` does, after checking the task.

    Raises UserError as that does, for an item of none of the `tasks` (None: of any), and for one
    that its task hides from the person, unless they submitted it.
    """
    who, room = load_slots(session, person_id, item_id, now)
    if tasks is not None and room.task not in tasks:
        raise UserError("item_unknown", item=item_id)
    if not room.mine and item_id in rules_of(room.task).hidden(session, who):
        raise UserError("item_not_yours")
    return who, room
