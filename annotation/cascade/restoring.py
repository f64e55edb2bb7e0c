"""Restoring a question that a layer holds up, and withdrawing that."""

from __future__ import annotations

from sqlmodel import Session

from annotation.people.roles import Act, writing_as
from annotation.work.submissions import checked_text
from corpus.limits import NOTE
from errors import UserError, Where
from storage.cascade.results import RESTORE, WITHDRAW, add_restoration, question_called
from storage.cascade.state import QuestionState, states
from storage.db.workspace import Workspace
from storage.tables.cascade import Restoration


def restore(
    ws: Workspace, slug: str, external_id: str, reason: str, by: int | None = None
) -> QuestionState:
    """Overrule the layer that rejected a question, or had nothing to go by; return its state then.

    Raises UserError for who may not, an unknown question, one that no layer holds up, and a reason
    that is empty or too long.
    """
    reason = _reason(reason)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, who):
        now = _state_of(session, project.id, external_id)
        held = next((each for each in now.results if each.layer == now.layer), None)
        if held is None:
            raise UserError("cascade_not_held", id=external_id)
        person = None if who is None else who.person_id
        add_restoration(session, _row(now, held.id, RESTORE, reason, person, ws))
        return _state_of(session, project.id, external_id)


def withdraw(
    ws: Workspace, slug: str, external_id: str, reason: str, layer: str = "", by: int | None = None
) -> QuestionState:
    """Withdraw a restoration of a question, so that its layer counts again; return its state then.

    It is that of `layer`, else the newest that stands. Raises UserError as `restore` does, and
    where there is no such restoration.
    """
    reason = _reason(reason)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, who):
        now = _state_of(session, project.id, external_id)
        standing = sorted(now.overruled.values(), key=lambda each: each.at)
        chosen = [each for each in standing if not layer or each.layer == layer]
        if not chosen:
            raise UserError("cascade_not_restored", id=external_id)
        person = None if who is None else who.person_id
        add_restoration(session, _row(now, chosen[-1].result, WITHDRAW, reason, person, ws))
        return _state_of(session, project.id, external_id)


def _state_of(session: Session, project_id: int, external_id: str) -> QuestionState:
    number = question_called(session, project_id, external_id)
    return next(each for each in states(session, project_id) if each.question.id == number)


def _reason(text: str) -> str:
    reason = checked_text(text, "reason", NOTE).strip()
    if not reason:
        raise UserError("reason_missing", Where(field="reason"))
    return reason


def _row(
    now: QuestionState, result_id: int, kind: str, reason: str, person: int | None, ws: Workspace
) -> Restoration:
    return Restoration(
        augmented_question_id=now.question.id,
        layer_result_id=result_id,
        kind=kind,
        reason=reason,
        person_id=person,
        at=ws.clock(),
    )
