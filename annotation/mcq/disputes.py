"""Multiple-choice questions on which people differ: the queue of them, and one with both sides.

The decision itself is `annotation.forms.adjudication.settle`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from annotation.forms.adjudication import Settled, settled
from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.mcq.solvability import Stage
from annotation.mcq.state import Dispute, Fate, McqState, mcq_states
from annotation.mcq.views import McqView, mcq_view
from annotation.people.authorization import adjudicator, require_item
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class DisputeEntry:
    """An item that needs or had an adjudicator."""

    item_id: int
    external_id: str
    title: str
    state: McqState


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A disputed item: the question as a whole, what each person said, and what was decided."""

    item_id: int
    external_id: str
    disputes: tuple[Dispute, ...]
    question: McqView
    sides: tuple[FormSubmission, ...]
    settled: Settled | None


def disputes(ws: Workspace, adjudicator_id: int) -> list[DisputeEntry]:
    """Return the items that are disputed or settled, in the order of the project."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        states = mcq_states(session, who.project_id)
        return [
            DisputeEntry(item.id or 0, item.external_id or "", item.title or "", state)
            for item in _items(session, who.project_id)
            if (state := states[item.subject_id or 0]).settled or state.fate is Fate.DISPUTED
        ]


def open_dispute(ws: Workspace, adjudicator_id: int, item_id: int) -> DisputeView:
    """Return one of them with all that was said.

    Raises UserError for anybody but an adjudicator, for an unknown item, and for one that needs
    no adjudicator or whose submissions are not all in.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        state = mcq_states(session, who.project_id).get(item.subject_id or 0)
        if item.task != Task.MCQ_SOLVABILITY or state is None or not _is_case(state):
            raise UserError("case_closed_to_you")
        where = session, who.project_id, Task.MCQ_SOLVABILITY, item_id
        return DisputeView(
            item_id=item_id,
            external_id=item.external_id or "",
            disputes=state.disputes,
            question=mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE),
            sides=tuple(form_submissions(*where).get(item_id, ())),
            settled=settled(*where).get(item_id),
        )


def _is_case(state: McqState) -> bool:
    return state.settled or state.fate is Fate.DISPUTED


def _items(session: Session, project_id: int) -> list[Item]:
    query = select(Item).where(of_task(project_id, Task.MCQ_SOLVABILITY))
    return list(session.exec(query.order_by(col(Item.order))))
