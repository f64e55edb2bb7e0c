"""States of a task's items, by subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from sqlmodel import Session, col, select

from annotation.forms.adjudication import current_settlements
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


@dataclass(frozen=True)
class Outcomes(Generic[State]):
    """How complete submissions and an adjudicator's decision make the state of a task's items.

    `state` is called with a fate, `disputes` and `annotation_ids`; `fates` has ``waiting`` and
    ``disputed``, `recalled` is the dispute of a recalled discussion. `disputes_of` returns why
    submissions need an adjudicator. `agreed` returns the state that answers without dispute, or a
    decision alone, make, given the disputes, the submissions' ids and whether it is settled.
    """

    task: Task
    state: Callable[..., State]
    fates: type[StrEnum]
    recalled: StrEnum
    disputes_of: Callable[[Sequence[AnsweredItem]], tuple[Any, ...]]
    agreed: Callable[[Sequence[Mapping[str, Any]], tuple[Any, ...], tuple[int, ...], bool], State]

    def of(
        self, said: Sequence[AnsweredItem], settlement: Mapping[str, Any] | None = None
    ) -> State:
        """Return the state of an item with these complete submissions and this decision."""
        ids = tuple(sorted(each.annotation_id for each in said))
        disputes = self.disputes_of(said)
        if settlement is not None:
            return self.agreed([settlement], disputes, ids, True)
        if not said:
            return self.state(self.fates("waiting"))
        if disputes:
            return self.state(self.fates("disputed"), disputes=disputes, annotation_ids=ids)
        return self.agreed([each.answers for each in said], (), ids, False)

    def of_case(self, case: FormCase) -> State:
        """Return the state of an item; during a discussion it is waiting."""
        decision = case.decision
        found: Any = self.of(case.submissions, None if decision is None else decision.answers)
        ids = found.annotation_ids
        if case.unsaid:
            fate = self.fates("waiting")
            return self.state(fate, disputes=found.disputes, annotation_ids=ids)
        if case.unconfirmed and not found.disputes and not found.settled:
            fate = self.fates("disputed")
            return self.state(fate, disputes=(self.recalled,), annotation_ids=ids)
        state: State = found
        return state

    def by_subject(self, session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each item of the task, by its subject's id, in queue order."""
        cases = form_cases(session, project_id, self.task)
        decided = current_settlements(session, project_id, self.task)
        query = select(Item.id, Item.subject_id).where(of_task(project_id, self.task))
        states = {}
        for item_id, subject_id in session.exec(query.order_by(col(Item.order))):
            case, decision = cases.get(item_id or 0), decided.get(item_id or 0)
            if case is not None:
                states[subject_id or 0] = self.of_case(case)
            else:
                states[subject_id or 0] = self.of(
                    (), None if decision is None else decision.answers
                )
        return states
