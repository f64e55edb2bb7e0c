"""Disputes of every task by one protocol: the queue, one with its sides, deciding, sending back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, Protocol

from sqlmodel import Session

from annotation.adjudication.dispute_views import RoundView, State
from annotation.work.discussions import SubmissionLike
from annotation.work.item_session import UNSAID, DecidedMeanwhileError
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task

# Where the disputes of each task that settles any are: the module that has them as DISPUTES.
_MODULES: dict[Task, str] = {
    Task.CITATION_MAPPING: "annotation.adjudication.disputes",
    Task.MCQ_SOLVABILITY: "annotation.mcq.disputes",
    Task.ANSWER_RATING: "annotation.judging.disputes",
    Task.FACTOR_TAGGING: "annotation.tagging.disputes",
    Task.CURATION: "annotation.curation.disputes",
    Task.RESEARCH: "annotation.research.disputes",
    Task.ATTRIBUTION: "annotation.attribution.disputes",
}
TASKS = tuple(_MODULES)
"""The tasks that have something to settle, in the order of the screens."""

SHORT = {
    "mapping": Task.CITATION_MAPPING,
    "mcq": Task.MCQ_SOLVABILITY,
    "rating": Task.ANSWER_RATING,
    "tagging": Task.FACTOR_TAGGING,
    "curation": Task.CURATION,
    "research": Task.RESEARCH,
    "attribution": Task.ATTRIBUTION,
}
"""What the tasks are called on the command line."""


class Made(Protocol):
    """A decision: by whom, when, and why."""

    @property
    def person(self) -> str:
        """Whoever decided."""

    @property
    def at(self) -> datetime:
        """When."""

    @property
    def reason(self) -> str:
        """Why."""

    @property
    def number(self) -> int | None:
        """What tells it from other decisions on the item."""

    @property
    def conflict(self) -> bool:
        """Whether they had submitted an answer of their own on the item."""


class Dispute(Protocol):
    """An item that needs or had an adjudicator: a line of the queue."""

    @property
    def item_id(self) -> int:
        """The item."""

    @property
    def external_id(self) -> str:
        """What people call it."""

    @property
    def causes(self) -> Sequence[str]:
        """Why it needs an adjudicator, or what of it does."""

    @property
    def state(self) -> State:
        """Whether it is open, sent back, agreed since, or decided."""

    @property
    def decision(self) -> Made | None:
        """The decision that stands."""

    @property
    def waiting(self) -> Sequence[str]:
        """Who has yet to answer, while it is sent back."""

    @property
    def own(self) -> datetime | None:
        """When the adjudicator submitted an answer of their own on it, None if never."""


class DisputeCase(Protocol):
    """One of them with all that was said, as an adjudicator is shown it."""

    @property
    def item_id(self) -> int:
        """The item."""

    @property
    def annotation_ids(self) -> Sequence[int]:
        """The submissions shown."""

    @property
    def before(self) -> Any:
        """The decision shown, as :meth:`Disputes.decide` takes it; None for none."""

    @property
    def state(self) -> State:
        """How it stands."""

    @property
    def rounds(self) -> Sequence[RoundView]:
        """Each time that it was sent back, oldest first."""

    @property
    def earlier(self) -> Sequence[Any]:
        """What was sent back and stands no more."""

    @property
    def revising(self) -> bool:
        """Whether somebody has taken theirs back to change it: then nothing can be decided."""

    @property
    def own(self) -> datetime | None:
        """When the adjudicator submitted an answer of their own on it, None if never."""


class Sender(Protocol):
    """What a task says of an item that is to be sent back."""

    def in_dispute(
        self, session: Session, item: Item
    ) -> tuple[Sequence[SubmissionLike], Sequence[str]]:
        """Return the submissions of a complete item, and why it needs an adjudicator.

        Both may be empty.
        """


class Disputes(Sender, Protocol):
    """The disputes of one task.

    Every method that names an adjudicator raises UserError for anybody else.
    """

    def queue(self, ws: Workspace, adjudicator_id: int) -> Sequence[Dispute]:
        """Return the items that need or had an adjudicator, in the order of the project."""

    def states(self, session: Session, project_id: int) -> Mapping[int, State]:
        """Return how each item of :meth:`queue` stands, for who counts them."""

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> DisputeCase:
        """Return one of them with every side. Raises UserError for an item that is none."""

    def decide(
        self,
        ws: Workspace,
        adjudicator_id: int,
        item_id: int,
        answers: Mapping[str, Any],
        reason: str,
        annotation_ids: Sequence[int] | None = None,
        before: Any = UNSAID,
        seconds: float = 0.0,
    ) -> int:
        """Decide on an item, or on the parts of it that `answers` names; a later one supersedes.

        Returns how many parts of it are still open.
        `annotation_ids` and `before`, of the case shown, refuse the decision where a submission
        or a decision has come in since. Raises UserError without a reason, and for answers that
        the task does not take.
        """


def disputes_of(task: Task) -> Disputes:
    """Return the disputes of a task that has some."""
    found: Disputes = import_module(_MODULES[task]).DISPUTES
    return found


def open_disputes(session: Session, project_id: int, tasks: Collection[str]) -> dict[Task, int]:
    """Return how many disputes of each of the tasks are open, of those that have disputes.

    Open is what waits for an adjudicator: not what was sent back, agreed on since, or decided.
    """
    found = {task: disputes_of(task).states(session, project_id) for task in TASKS if task in tasks}
    return {task: sum(each == "open" for each in of.values()) for task, of in found.items()}


def sender_of(task: str) -> Sender:
    """Return what says of an item of the task whether it can be sent back."""
    if task in _MODULES:
        return disputes_of(Task(task))
    found: Sender = import_module("annotation.forms.disputes")
    return found


def task_called(name: str) -> Task:
    """Return the task of that name, short or whole. Raises UserError for one without disputes."""
    task = SHORT.get(name) or next((each for each in TASKS if each == name), None)
    if task is None:
        raise UserError("task_undisputed", Where(field="task"), task=name, known=", ".join(SHORT))
    return task


def refuse_other(
    before: Any, now: Any, person: str, at: datetime | None, said: str, shown: Any = None
) -> None:
    """Raise UserError where another decision stands `now` than `before`, the one on the screen.

    `person`, `at` and `said` tell of the one that stands; `shown` is what the screen is to hold of
    it, `now` unless it holds more.
    """
    if before is UNSAID or before == now or at is None:
        return
    raise DecidedMeanwhileError(person, at, said, now if shown is None else shown)
