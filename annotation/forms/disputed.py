"""Items of a task with a form on which people differ: the queue, one with its sides, deciding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.dispute_views import State
from annotation.forms.adjudication import Settled, settle, settled
from annotation.forms.form import form_of
from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.people.authorization import ProjectMember, adjudicator, require_item
from annotation.work.item_session import UNSAID
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class FormDispute:
    """An item that needs or had an adjudicator, with what people said: a line of the queue."""

    item_id: int
    external_id: str
    title: str
    causes: tuple[str, ...]
    sides: tuple[FormSubmission, ...]
    decision: Settled | None = None

    @property
    def state(self) -> State:
        """How it stands."""
        return "open" if self.decision is None else "decided"


@dataclass(frozen=True, slots=True)
class FormDisputeView:
    """A disputed item: `question` is what was asked, as the task shows it to an adjudicator."""

    item_id: int
    external_id: str
    disputes: tuple[str, ...]
    question: Any
    sides: tuple[FormSubmission, ...]
    settled: Settled | None

    @property
    def annotation_ids(self) -> tuple[int, ...]:
        """The submissions shown."""
        return tuple(each.annotation_id for each in self.sides)

    @property
    def before(self) -> int | None:
        """The number of the decision shown, None for none."""
        return None if self.settled is None else self.settled.settlement_id


class FormDisputes:
    """The disputes of a task with a form, by the protocol of `annotation.adjudication.tasks`.

    A decision is what the form takes. A task extends it where differing answers are not all that
    needs an adjudicator, and by what it shows of an item.
    """

    def __init__(self, task: Task) -> None:
        """Prepare the disputes of the task."""
        self.task = task

    def causes(self, said: Sequence[FormSubmission]) -> tuple[str, ...]:
        """Return why complete submissions need an adjudicator; empty if they need none."""
        form = form_of(self.task)
        graded = [form.graded(each.answers) for each in said]
        found = {
            "differ": any(each != graded[0] for each in graded),
            "flagged": any(each.flag for each in said),
        }
        return tuple(cause for cause, holds in found.items() if holds)

    def question(self, session: Session, who: ProjectMember, item: Item) -> Any:
        """Return what an adjudicator is shown of the item."""
        return None

    def done(self, session: Session, project_id: int) -> frozenset[int]:
        """Return the subjects on which nothing has to be settled any more."""
        return frozenset()

    def queue(self, ws: Workspace, adjudicator_id: int) -> list[FormDispute]:
        """Return the items that are disputed or settled, in the order of the project."""
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            return self._found(session, who.project_id)

    def open_dispute(self, ws: Workspace, adjudicator_id: int, item_id: int) -> FormDisputeView:
        """Return one of them with all that was said.

        Raises UserError for anybody but an adjudicator, for an unknown item, and for one that
        needs no adjudicator or whose submissions are not all in.
        """
        with ws.reading() as session:
            who = adjudicator(session, adjudicator_id)
            item = require_item(session, who, item_id)
            found = self._found(session, who.project_id, item_id)
            if not found:
                raise UserError("case_closed_to_you")
            [each] = found
            return FormDisputeView(
                item_id=item_id,
                external_id=each.external_id,
                disputes=each.causes,
                question=self.question(session, who, item),
                sides=each.sides,
                settled=each.decision,
            )

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
        """Settle the item as `annotation.forms.adjudication.settle` does; nothing of it is left."""
        settle(ws, adjudicator_id, item_id, answers, reason, annotation_ids, before)
        return 0

    def _found(
        self, session: Session, project_id: int, item_id: int | None = None
    ) -> list[FormDispute]:
        where = session, project_id, self.task, item_id
        said, made, done = form_submissions(*where), settled(*where), self.done(session, project_id)
        items = select(Item).where(of_task(project_id, self.task)).order_by(col(Item.order))
        if item_id is not None:
            items = items.where(Item.id == item_id)
        found = []
        for item in session.exec(items):
            number = item.id or 0
            sides = tuple(said.get(number, ()))
            causes = self.causes(sides) if sides and item.subject_id not in done else ()
            if causes or number in made:
                name = number, item.external_id or "", item.title or ""
                found.append(FormDispute(*name, causes, sides, made.get(number)))
        return found
