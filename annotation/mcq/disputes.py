"""Multiple-choice questions on which people differ: the queue of them, one with both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.dispute_state import own_answers, standing
from annotation.adjudication.dispute_views import RoundView, State
from annotation.forms.adjudication import Settled, settle
from annotation.forms.disputes import FormCase, form_cases
from annotation.forms.submissions import FormSubmission
from annotation.mcq.solvability import Stage
from annotation.mcq.state import Dispute, Fate, McqState, McqView, mcq_view, state_of_case
from annotation.people.roles import adjudicator, require_item
from annotation.work.item_session import UNSAID
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class DisputeEntry:
    """An item that needs or had an adjudicator; `fate` is what has become of it, and why.

    `waiting` are those who have yet to answer while it is sent back; `own` is when the adjudicator
    submitted an answer of their own on it, None if never.
    """

    item_id: int
    external_id: str
    title: str
    fate: McqState
    decision: Settled | None = None
    state: State = "open"
    waiting: tuple[str, ...] = ()
    own: datetime | None = None

    @property
    def causes(self) -> tuple[Dispute, ...]:
        """Why it needs an adjudicator."""
        return self.fate.disputes


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A disputed item: the question as a whole, what each person said, and what was decided.

    `earlier` is what they had said when it was sent back and stands no more; `state`, `rounds`,
    `revising` and `own` are as in `annotation.adjudication.dispute_views.CaseView`.
    """

    item_id: int
    external_id: str
    disputes: tuple[Dispute, ...]
    question: McqView
    sides: tuple[FormSubmission, ...]
    settled: Settled | None
    earlier: tuple[FormSubmission, ...] = ()
    state: State = "open"
    rounds: tuple[RoundView, ...] = ()
    revising: bool = False
    own: datetime | None = None

    @property
    def annotation_ids(self) -> tuple[int, ...]:
        """The submissions shown."""
        return tuple(each.annotation_id for each in self.sides)

    @property
    def before(self) -> int | None:
        """The number of the decision shown, None for none."""
        return None if self.settled is None else self.settled.settlement_id


def queue(ws: Workspace, adjudicator_id: int) -> list[DisputeEntry]:
    """Return the items that are disputed, sent back or settled, in the order of the project."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        here = of_task(who.project_id, Task.MCQ_SOLVABILITY)
        found = _disputed(session, who.project_id)
        own = own_answers(session, who.person_id, list(found))
        items = session.exec(select(Item).where(here).order_by(col(Item.order)))
        return [
            DisputeEntry(
                *(number, item.external_id or "", item.title or "", fate, case.decision),
                *(_state(case, fate), case.waiting, own.get(number)),
            )
            for item in items
            if (number := item.id or 0) in found
            for case, fate in [found[number]]
        ]


def open_dispute(ws: Workspace, adjudicator_id: int, item_id: int) -> DisputeView:
    """Return one of them with all that was said.

    Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
    no adjudicator or whose submissions are not all in.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        found = _disputed(session, who.project_id, item_id).get(item_id)
        if item.task != Task.MCQ_SOLVABILITY or found is None:
            raise UserError("case_closed_to_you")
        case, fate = found
        return DisputeView(
            item_id=item_id,
            external_id=item.external_id or "",
            disputes=fate.disputes,
            question=mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE),
            sides=tuple(case.submissions),
            settled=case.decision,
            earlier=tuple(case.earlier),
            **standing(session, who.person_id, item_id, case, _state(case, fate)),
        )


def _disputed(
    session: Session, project_id: int, item_id: int | None = None
) -> dict[int, tuple[FormCase, McqState]]:
    """Return the items that are disputed, were sent back or are settled, with their states."""
    cases = form_cases(session, project_id, Task.MCQ_SOLVABILITY, item_id)
    found = {item: (case, state_of_case(case)) for item, case in cases.items()}
    return {
        item: (case, fate)
        for item, (case, fate) in found.items()
        if fate.settled or fate.fate is Fate.DISPUTED or case.discussed
    }


def _state(case: FormCase, fate: McqState) -> State:
    return case.state_of(fate.fate is Fate.DISPUTED)


class McqDisputes:
    """These questions by the protocol of `annotation.adjudication.tasks`.

    A decision is what the task's form takes: a verdict with what goes with it.
    """

    queue = staticmethod(queue)
    open_dispute = staticmethod(open_dispute)

    @staticmethod
    def in_dispute(session: Session, item: Item) -> tuple[list[FormSubmission], tuple[str, ...]]:
        """Return the submissions of a complete question, and why it needs an adjudicator."""
        found = _disputed(session, item.project_id, item.id).get(item.id or 0)
        if found is None or found[0].revising:
            return [], ()
        return found[0].submissions, found[1].disputes

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
