"""What has become of the items of a task, by the thing that each is about."""

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
    """A submission, as far as it decides what becomes of an item."""

    @property
    def annotation_id(self) -> int:
        """Its number."""

    @property
    def answers(self) -> Mapping[str, Any]:
        """What it answers, by field."""

    @property
    def flag(self) -> str:
        """Why it was flagged; empty if it was not."""


def states_by_subject(
    session: Session,
    project_id: int,
    task: Task,
    state_of_case: Callable[[FormCase], State],
    state_of: Callable[[Sequence[AnsweredItem], Mapping[str, Any] | None], State],
) -> dict[int, State]:
    """Return the state of each item of a task, by its subject's id, in queue order.

    `state_of` is asked where nothing was submitted, with what an adjudicator settled, if anything.
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
