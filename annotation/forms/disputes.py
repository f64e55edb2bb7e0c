"""Disputes: a task's items that need an adjudicator, one with every side, and its decision.

Unless its task has a rule of its own, an item is disputed if its submissions differ in a field that
can be right or wrong, or if one of them is flagged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import DisputeCase, Settled, State
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
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class Dispute:
    """A line of the queue: an item that needs or had an adjudicator, with its case.

    `open` are the causes that wait for a decision. Of an item that is decided part by part, the
    causes are its parts that are open, else those `decided`; `places` has what they are, by key.
    `own` is the time of the adjudicator's own submission on it, None if there is none.
    """

    item_id: int
    causes: tuple[str, ...]
    open: tuple[str, ...]
    case: ItemCase
    external_id: str = ""
    title: str = ""
    own: datetime | None = None
    decided: tuple[str, ...] = ()
    places: Mapping[str, Any] = field(default_factory=dict)

    @property
    def decision(self) -> Settled | None:
        """The current decision."""
        return self.case.decision

    @property
    def state(self) -> State:
        """State of the dispute: open, sent back, agreed since, or decided."""
        return self.case.state_of(bool(self.open))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of those who have yet to answer, while it is sent back."""
        return self.case.waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDisputeView(DisputeCase):
    """A disputed item with its sides; `question` is what the task shows an adjudicator of it."""

    disputes: tuple[str, ...]
    question: Any
    sides: tuple[Submission, ...]
    settled: Settled | None

    @property
    def annotation_ids(self) -> tuple[int, ...]:
        """Ids of the submissions shown."""
        return tuple(side.annotation_id for side in self.sides)

    @property
    def before(self) -> int | None:
        """Id of the decision shown, None if there is none."""
        return None if self.settled is None else self.settled.number


class Disputes:
    """Disputes of one task; what needs a permission raises UserError without it.

    A decision is a set of form answers. A task subclasses it for its own rule of what is disputed,
    and for what it shows of an item.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def in_project(self, session: Session, project_id: int) -> Disputes:
        """Return these disputes as a project declares them; the product's are alike in all."""
        return self

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

    def queue(self, ws: Workspace, adjudicator_id: int) -> list[Dispute]:
        """Return the items that are disputed, sent back or decided, in project order.

        Titles are shortened for lists.
        """
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            found = self.cases(session, who.project_id)
            own = own_answers(session, who.person_id, [each.item_id for each in found])
            names = item_names(session, who.project_id, self.task) if found else {}
        return [
            replace(each, external_id=name, title=title, own=own.get(each.item_id))
            for each in found
            for name, title in (names[each.item_id],)
        ]

    def states(self, session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each item of the queue."""
        return {each.item_id: each.state for each in self.cases(session, project_id)}

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> Any:
        """Return a disputed item with all its submissions, by default a `FormDisputeView`.

        Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
        no adjudicator or is not complete.
        """
        with ws.reading() as session:
            who, item = case_reader(session, adjudicator_id, item_id, ws.clock())
            found = self.require(session, who, item_id)
            return FormDisputeView(
                external_id=item.external_id or "",
                disputes=found.causes,
                question=self.question(session, who, item),
                sides=tuple(found.case.submissions),
                settled=found.decision,
                earlier=tuple(found.case.earlier),
                **standing(session, who.person_id, item_id, found.case, found.state),
            )

    def require(self, session: Session, who: ProjectMember, item_id: int) -> Dispute:
        """Return the dispute over an item. Raises UserError if it needs no adjudicator."""
        found = self.cases(session, who.project_id, item_id)
        if not found:
            raise UserError("case_closed_to_you")
        return found[0]

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
        and for answers that the task does not take. What is stored is what `decided` makes of
        `answers` (`annotation.forms.adjudication.settle`).
        """
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            found = complete(session, who.project_id, self.task, item_id)
            rules = self.in_project(session, who.project_id)
        said = rules.decided(answers, reason, found.get(item_id, []))
        settle(ws, adjudicator_id, item_id, said, reason, annotation_ids, before)
        return 0

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[Submission]
    ) -> Mapping[str, Any]:
        """Return a complete decision: `answers`, with fields the task takes from elsewhere."""
        return answers

    def cases(self, session: Session, project_id: int, item_id: int | None = None) -> list[Dispute]:
        """Return the items of the queue, or that item, in project order and without their names."""
        every = item_cases(session, project_id, self.task, item_id)
        done, rules = self.done(session, project_id), self.in_project(session, project_id)
        query = select(Item.id, Item.subject_id).where(of_task(project_id, self.task))
        if item_id is not None:
            query = query.where(Item.id == item_id)
        found = []
        for item, subject in session.exec(query.order_by(col(Item.order))):
            case = every.get(item or 0)
            if case is None:
                continue
            causes = () if subject in done else rules.causes(case)
            if causes or case.decision is not None or self.lists(case):
                open_ = causes if case.decision is None else ()
                found.append(Dispute(item or 0, causes, open_, case))
        return found
