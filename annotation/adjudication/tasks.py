"""The common protocol of all tasks' disputes: queue, case, decision, referral."""

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

# The module whose DISPUTES are those of each task with adjudication.
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
"""The tasks with adjudication, in the order of the screens."""

SHORT = {
    "mapping": Task.CITATION_MAPPING,
    "mcq": Task.MCQ_SOLVABILITY,
    "rating": Task.ANSWER_RATING,
    "tagging": Task.FACTOR_TAGGING,
    "curation": Task.CURATION,
    "research": Task.RESEARCH,
    "attribution": Task.ATTRIBUTION,
}
"""Names of the tasks on the command line."""


class Made(Protocol):
    """A decision: by whom, when, and why."""

    @property
    def person(self) -> str:
        """Name of the adjudicator."""

    @property
    def at(self) -> datetime:
        """Time of the decision."""

    @property
    def reason(self) -> str:
        """Reason of the decision."""

    @property
    def number(self) -> int | None:
        """Id of the decision."""

    @property
    def conflict(self) -> bool:
        """Whether the adjudicator had submitted an answer of their own on the item."""


class Dispute(Protocol):
    """A line of the queue: an item that needs or had an adjudicator."""

    @property
    def item_id(self) -> int:
        """Id of the item."""

    @property
    def external_id(self) -> str:
        """Name of the item."""

    @property
    def causes(self) -> Sequence[str]:
        """Why it needs an adjudicator, or which parts do."""

    @property
    def state(self) -> State:
        """State: open, sent back, agreed since, or decided."""

    @property
    def decision(self) -> Made | None:
        """The current decision."""

    @property
    def waiting(self) -> Sequence[str]:
        """Names of those who have yet to answer, while it is sent back."""

    @property
    def own(self) -> datetime | None:
        """Time of the adjudicator's own submission on it, None if there is none."""


class DisputeCase(Protocol):
    """A case with all its submissions, as shown to an adjudicator."""

    @property
    def item_id(self) -> int:
        """Id of the item."""

    @property
    def annotation_ids(self) -> Sequence[int]:
        """Ids of the submissions shown."""

    @property
    def before(self) -> Any:
        """The decision shown, as :meth:`Disputes.decide` takes it; None if there is none."""

    @property
    def state(self) -> State:
        """State of the case."""

    @property
    def rounds(self) -> Sequence[RoundView]:
        """The referrals, oldest first."""

    @property
    def earlier(self) -> Sequence[Any]:
        """Superseded submissions that were sent back."""

    @property
    def revising(self) -> bool:
        """Whether somebody has withdrawn theirs to change it; then nothing can be decided."""

    @property
    def own(self) -> datetime | None:
        """Time of the adjudicator's own submission on it, None if there is none."""


class Sender(Protocol):
    """A task's check of which items can be sent back."""

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
        """Return the items that need or had an adjudicator, in project order."""

    def states(self, session: Session, project_id: int) -> Mapping[int, State]:
        """Return the state of each item of :meth:`queue`, for counting."""

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> DisputeCase:
        """Return a case with every side. Raises UserError for an item that is none."""

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
        """Decide on an item, or on the parts in `answers`; return the number of parts still open.

        A later decision supersedes. `annotation_ids` and `before`, of the case shown, refuse the
        decision if a submission or a decision has come in since. Raises UserError without a reason,
        and for answers that the task does not take.
        """


def disputes_of(task: Task) -> Disputes:
    """Return the disputes of a task with adjudication."""
    found: Disputes = import_module(_MODULES[task]).DISPUTES
    return found


def open_disputes(session: Session, project_id: int, tasks: Collection[str]) -> dict[Task, int]:
    """Return the number of open disputes of each of the tasks that have adjudication.

    Open ones wait for an adjudicator: not sent back, agreed on since, or decided.
    """
    found = {task: disputes_of(task).states(session, project_id) for task in TASKS if task in tasks}
    return {task: sum(each == "open" for each in of.values()) for task, of in found.items()}


def sender_of(task: str) -> Sender:
    """Return the object that decides whether an item of the task can be sent back."""
    if task in _MODULES:
        return disputes_of(Task(task))
    found: Sender = import_module("annotation.forms.disputes")
    return found


def task_called(name: str) -> Task:
    """Return the task by its short or full name. Raises UserError for one without adjudication."""
    task = SHORT.get(name) or next((each for each in TASKS if each == name), None)
    if task is None:
        raise UserError("task_undisputed", Where(field="task"), task=name, known=", ".join(SHORT))
    return task


def refuse_other(
    before: Any, now: Any, person: str, at: datetime | None, said: str, shown: Any = None
) -> None:
    """Raise UserError if the current decision `now` is not `before`, the one on the screen.

    `person`, `at` and `said` describe the current one; `shown` is what the screen then holds of it,
    by default `now`.
    """
    if before is UNSAID or before == now or at is None:
        return
    raise DecidedMeanwhileError(person, at, said, now if shown is None else shown)
