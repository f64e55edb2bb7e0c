"""Cases and disputes of form tasks: submissions, decisions, and items that need an adjudicator.

Unless its task has a rule of its own, an item is disputed if its submissions differ in a field that
can be right or wrong, or if one of them is flagged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import RoundView, State
from annotation.adjudication.dispute_state import (
    ItemCase,
    case_reader,
    item_cases,
    own_answers,
    standing,
)
from annotation.forms.adjudication import Settled, current_settlements, settle
from annotation.forms.form import product_form
from annotation.people.roles import ProjectMember, adjudicator
from annotation.work.commands import UNSAID
from annotation.work.discussions import discussions
from annotation.work.submissions import Submission, complete, named
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import ONCE, Task, of_task


class FormCase(ItemCase[Submission, Settled]):
    """The submissions of one item, and the adjudicator's decision."""

    __slots__ = ()


def form_cases(
    session: Session, project_id: int, task: Task, item_id: int | None = None
) -> dict[int, FormCase]:
    """Return the case of each item that is complete or was sent back, in queue order.

    With `item_id`, only that item.
    """
    where = session, project_id, task, item_id
    found = item_cases(
        complete(*where),
        current_settlements(*where),
        discussions(session, project_id, item_id, task),
        partial(named, session, project_id),
        FormCase,
    )
    if not any(case.revising for case in found.values()):
        return found
    query = select(Item.id).where(of_task(project_id, task)).order_by(col(Item.order))
    return {item: found[item] for item in session.exec(query) if item in found}


@dataclass(frozen=True, slots=True)
class FormDispute:
    """A line of the queue: an item that needs or had an adjudicator, with its case.

    `own` is the time of the adjudicator's own submission on it, None if there is none.
    """

    item_id: int
    external_id: str
    title: str
    causes: tuple[str, ...]
    case: FormCase
    own: datetime | None = None

    @property
    def decision(self) -> Settled | None:
        """The current decision."""
        return self.case.decision

    @property
    def state(self) -> State:
        """State of the dispute."""
        return self.case.state_of(bool(self.causes) and self.case.decision is None)

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
        return None if self.settled is None else self.settled.settlement_id


class FormDisputes:
    """Disputes of a form task, following the protocol of `annotation.adjudication.tasks`.

    A decision is a set of form answers. A task subclasses it for its own rule of what is disputed,
    and for what it shows of an item.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def causes(self, case: FormCase) -> tuple[str, ...]:
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

    def queue(self, ws: Workspace, adjudicator_id: int) -> list[FormDispute]:
        """Return the items that are disputed, sent back or decided, in project order."""
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            found = self._found(session, who.project_id)
            own = own_answers(session, who.person_id, [item.id or 0 for item, *_ in found])
            return [
                FormDispute(*_item_names(item), causes, case, own.get(item.id or 0))
                for item, case, causes in found
            ]

    def states(self, session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each item of the queue."""
        return {
            item.id or 0: FormDispute(*_item_names(item), causes, case).state
            for item, case, causes in self._found(session, project_id)
        }

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> FormDisputeView:
        """Return a disputed item with all its submissions.

        Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
        no adjudicator or is not complete.
        """
        with ws.reading() as session:
            who, item = case_reader(session, adjudicator_id, item_id, ws.clock())
            found = self._found(session, who.project_id, item_id)
            if not found:
                raise UserError("case_closed_to_you")
            [(_, case, causes)] = found
            state = FormDispute(*_item_names(item), causes, case).state
            return FormDisputeView(
                item_id=item_id,
                external_id=item.external_id or "",
                disputes=causes,
                question=self.question(session, who, item),
                sides=tuple(case.submissions),
                settled=case.decision,
                earlier=tuple(case.earlier),
                **standing(session, who.person_id, item_id, case, state),
            )

    def in_dispute(
        self, session: Session, item: Item
    ) -> tuple[Sequence[Submission], tuple[str, ...]]:
        """Return the submissions of a complete item, and why it needs an adjudicator.

        Both may be empty; always for items with a single annotator.
        """
        found = self._found(session, item.project_id, item.id)
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

    def _found(
        self, session: Session, project_id: int, item_id: int | None = None
    ) -> list[tuple[Item, FormCase, tuple[str, ...]]]:
        cases = form_cases(session, project_id, self.task, item_id)
        done = self.done(session, project_id)
        query = select(Item).where(of_task(project_id, self.task)).order_by(col(Item.order))
        if item_id is not None:
            query = query.where(Item.id == item_id)
        found = []
        for item in session.exec(query):
            case = cases.get(item.id or 0)
            if case is None:
                continue
            causes = () if item.subject_id in done else self.causes(case)
            if causes or case.decision is not None or case.discussed:
                found.append((item, case, causes))
        return found


def _item_names(item: Item) -> tuple[int, str, str]:
    return item.id or 0, item.external_id or "", item.title or ""
