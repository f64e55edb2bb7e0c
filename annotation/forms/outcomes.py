"""States of a task's items, by subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from sqlmodel import Session, col, select

from annotation.forms.adjudication import settled
from annotation.forms.disputes import FormCase, form_cases
from storage.tables.core import Item
from storage.tasks import Task, of_task

State = TypeVar("State")


class AnsweredItem(Protocol):
    """The attributes of a submission that decide an item's state."""

    @property
    def annotation_id(self) -> int:
        """Id of the submission."""

    @property
    def answers(self) -> Mapping[str, Any]:
        """Answers by field."""

    @property
    def flag(self) -> str:
        """Reason of the flag; empty if not flagged."""


def states_by_subject(
    session: Session,
    project_id: int,
    task: Task,
    state_of_case: Callable[[FormCase], State],
    state_of: Callable[[Sequence[AnsweredItem], Mapping[str, Any] | None], State],
) -> dict[int, State]:
    """Return the state of each item of a task, by its subject's id, in queue order.

    Items without a case are passed to `state_of`, with the adjudicator's answers, if any.
    """
    cases = form_cases(session, project_id, task)
    decided = settled(session, project_id, task)
    query = select(Item.id, Item.subject_id).where(of_task(project_id, task))
    states = {}
    for item_id, subject_id in session.exec(query.order_by(col(Item.order))):
        case, decision = cases.get(item_id or 0), decided.get(item_id or 0)
        if case is not None:
            states[subject_id or 0] = state_of_case(case)
        else:
            states[subject_id or 0] = state_of((), None if decision is None else decision.answers)
    return states
