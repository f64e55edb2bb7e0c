"""Disputes: a task's items that need an adjudicator, one with every side, and its decision.

Unless its task has a rule of its own, an item is disputed if its submissions differ in a field that
can be right or wrong, or if one of them is flagged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import RoundView, Settled, State
from annotation.adjudication.dispute_state import (
    ItemCase,
    case_reader,
    item_cases,
    own_answers,
    standing,
)
from annotation.forms.adjudication import settle
from annotation.forms.form import product_form
from annotation.people.roles import ProjectMember, adjudicator
from annotation.work.commands import UNSAID
from annotation.work.queue_service import item_names
from annotation.work.submissions import Submission, complete
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import ONCE, Task, of_task


@dataclass(frozen=True, slots=True)
class FormDispute:
    """A line of the queue: an item that needs or had an adjudicator, with its case.

    `own` is the time of the adjudicator's own submission on it, None if there is none.
    """

    item_id: int
    external_id: str
    title: str
    causes: tuple[str, ...]
    case: ItemCase
    own: datetime | None = None

    @property
    def decision(self) -> Settled | None:
        """The current decision."""
        return self.case.decision

    @property
    def state(self) -> State:
        """State of the dispute."""
        return _state(self.case, self.causes)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of those who have yet to answer, while it is sent back."""
        return self.case.waiting


@dataclass(frozen=True, slots=True)
class FormDisputeView:
    """A disputed item with its sides; `question` is what the task shows an adjudicator of it.

    `earlier` are the superseded submissions that were sent back; `state`, `rounds`, `revising` and
    `own` are as in `annotation.adjudication.decisions.CaseView`.
    """

    item_id: int
    external_id: str
    disputes: tuple[str, ...]
    question: Any
    sides: tuple[Submission, ...]
    settled: Settled | None
    earlier: tuple[Submission, ...] = ()
    state: State = "open"
    rounds: tuple[RoundView, ...] = ()
    revising: bool = False
    own: datetime | None = None

    @property
    def annotation_ids(self) -> tuple[int, ...]:
        """Ids of the submissions shown."""
        return tuple(side.annotation_id for side in self.sides)

    @property
    def before(self) -> int | None:
        """Id of the decision shown, None if there is none."""
        return None if self.settled is None else self.settled.number


class FormDisputes:
    """Disputes of a form task, following the protocol of `annotation.adjudication.tasks`.

    A decision is a set of form answers. A task subclasses it for its own rule of what is disputed,
    and for what it shows of an item.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def causes(self, case: ItemCase) -> tuple[str, ...]:
        """Return why the item needs or needed an adjudicator; empty if it does not."""
        form = product_form(self.task)
        graded = [form.graded(submission.answers) for submission in case.submissions]
        found = {
            "differ": any(each != graded[0] for each in graded),
            "flagged": any(submission.flag for submission in case.submissions),
            "recalled": case.unconfirmed,
        }
        return tuple(cause for cause, holds in found.items() if holds)

    def question(self, session: Session, who: ProjectMember, item: Item) -> Any:
        """Return the view of the item for an adjudicator; None by default."""
        return None

    def done(self, session: Session, project_id: int) -> frozenset[int]:
        """Return the ids of subjects that need no decision any more."""
        return frozenset()

    def lists(self, case: ItemCase) -> bool:
        """Return True if an item that needs no decision is in the queue: it was discussed."""
        return case.discussed

    def queue(self, ws: Workspace, adjudicator_id: int) -> list[FormDispute]:
        """Return the items that are disputed, sent back or decided, in project order.

        Titles are shortened for lists.
        """
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            found = self.cases(session, who.project_id)
            own = own_answers(session, who.person_id, [item for item, *_ in found])
            names = item_names(session, who.project_id, self.task) if found else {}
            return [
                FormDispute(item, *names[item], causes, case, own.get(item))
                for item, case, causes in found
            ]

    def states(self, session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each item of the queue."""
        found = self.cases(session, project_id)
        return {item: _state(case, causes) for item, case, causes in found}

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> FormDisputeView:
        """Return a disputed item with all its submissions.

        Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
        no adjudicator or is not complete.
        """
        with ws.reading() as session:
            who, item = case_reader(session, adjudicator_id, item_id, ws.clock())
            found = self.cases(session, who.project_id, item_id)
            if not found:
                raise UserError("case_closed_to_you")
            [(_, case, causes)] = found
            return FormDisputeView(
                item_id=item_id,
                external_id=item.external_id or "",
                disputes=causes,
                question=self.question(session, who, item),
                sides=tuple(case.submissions),
                settled=case.decision,
                earlier=tuple(case.earlier),
                **standing(session, who.person_id, item_id, case, _state(case, causes)),
            )

    def in_dispute(
        self, session: Session, item: Item
    ) -> tuple[Sequence[Submission], tuple[str, ...]]:
        """Return the submissions of a complete item, and why it needs an adjudicator.

        Both may be empty; always for items with a single annotator.
        """
        found = self.cases(session, item.project_id, item.id)
        if self.task in ONCE or not found or found[0][1].revising:
            return (), ()
        _, case, causes = found[0]
        return case.submissions, causes

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
        """Decide the item as `annotation.forms.adjudication.settle` does; return 0 open parts.

        The stored decision is what `decided` makes of `answers`.
        """
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            found = complete(session, who.project_id, self.task, item_id)
        said = self.decided(answers, reason, found.get(item_id, []))
        settle(ws, adjudicator_id, item_id, said, reason, annotation_ids, before)
        return 0

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[Submission]
    ) -> Mapping[str, Any]:
        """Return a complete decision: `answers`, with fields the task takes from elsewhere."""
        return answers

    def cases(
        self, session: Session, project_id: int, item_id: int | None = None
    ) -> list[tuple[int, ItemCase, tuple[str, ...]]]:
        """Return the items of the queue in project order, with case and causes."""
        every = item_cases(session, project_id, self.task, item_id)
        done = self.done(session, project_id)
        query = select(Item.id, Item.subject_id).where(of_task(project_id, self.task))
        if item_id is not None:
            query = query.where(Item.id == item_id)
        found = []
        for item, subject in session.exec(query.order_by(col(Item.order))):
            case = every.get(item or 0)
            if case is None:
                continue
            causes = () if subject in done else self.causes(case)
            if causes or case.decision is not None or self.lists(case):
                found.append((item or 0, case, causes))
        return found


def _state(case: ItemCase, causes: Sequence[str]) -> State:
    """Return whether the dispute is open, sent back, decided or agreed."""
    return case.state_of(bool(causes) and case.decision is None)
