"""Multiple-choice questions on which people differ: the queue of them, one with both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select

from annotation.adjudication.dispute_views import State
from annotation.forms.adjudication import Settled, settle, settled
from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.mcq.solvability import Stage
from annotation.mcq.state import Dispute, Fate, McqState, McqView, mcq_states, mcq_view
from annotation.people.roles import adjudicator, require_item
from annotation.work.item_session import UNSAID
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class DisputeEntry:
    """An item that needs or had an adjudicator; `fate` is what has become of it, and why."""

    item_id: int
    external_id: str
    title: str
    fate: McqState
    decision: Settled | None = None

    @property
    def causes(self) -> tuple[Dispute, ...]:
        """Why it needs an adjudicator."""
        return self.fate.disputes

    @property
    def state(self) -> State:
        """How it stands."""
        return "decided" if self.fate.settled else "open"


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A disputed item: the question as a whole, what each person said, and what was decided."""

    item_id: int
    external_id: str
    disputes: tuple[Dispute, ...]
    question: McqView
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


def queue(ws: Workspace, adjudicator_id: int) -> list[DisputeEntry]:
    """Return the items that are disputed or settled, in the order of the project."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        here = of_task(who.project_id, Task.MCQ_SOLVABILITY)
        states = mcq_states(session, who.project_id)
        decided = settled(session, who.project_id, Task.MCQ_SOLVABILITY)
        items = session.exec(select(Item).where(here).order_by(col(Item.order)))
        return [
            DisputeEntry(number, item.external_id or "", item.title or "", fate, made)
            for item in items
            if _is_case(fate := states[item.subject_id or 0])
            for number in [item.id or 0]
            for made in [decided.get(number)]
        ]


def open_dispute(ws: Workspace, adjudicator_id: int, item_id: int) -> DisputeView:
    """Return one of them with all that was said.

    Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
    no adjudicator or whose submissions are not all in.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        fate = mcq_states(session, who.project_id).get(item.subject_id or 0)
        if item.task != Task.MCQ_SOLVABILITY or fate is None or not _is_case(fate):
            raise UserError("case_closed_to_you")
        where = session, who.project_id, Task.MCQ_SOLVABILITY, item_id
        return DisputeView(
            item_id=item_id,
            external_id=item.external_id or "",
            disputes=fate.disputes,
            question=mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE),
            sides=tuple(form_submissions(*where).get(item_id, ())),
            settled=settled(*where).get(item_id),
        )


def _is_case(fate: McqState) -> bool:
    return fate.settled or fate.fate is Fate.DISPUTED


class McqDisputes:
    """These questions by the protocol of `annotation.adjudication.tasks`.

    A decision is what the task's form takes: a verdict with what goes with it.
    """

    queue = staticmethod(queue)
    open_dispute = staticmethod(open_dispute)

    @staticmethod
    def decide(
        ws: Workspace,
        adjudicator_id: int,
        item_id: int,
        answers: Mapping[str, Any],
        reason: str,
        annotation_ids: Sequence[int] | None = None,
        before: Any = UNSAID,
        seconds: float = 0.0,
    ) -> int:
        """Settle the question, for the reason that the form takes as well as the decision."""
        said = dict(answers) | ({"reason": reason} if reason.strip() else {})
        settle(ws, adjudicator_id, item_id, said, reason, annotation_ids, before)
        return 0


DISPUTES = McqDisputes()
