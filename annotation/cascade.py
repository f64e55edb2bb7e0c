"""Restoring a question that a layer rejected, and withdrawing that."""

from __future__ import annotations

from sqlmodel import Session

from annotation.people.roles import Act, writing_as
from annotation.work.submissions import checked_reason
from corpus.limits import NOTE
from errors import UserError
from storage.cascade.results import (
    RESTORE,
    WITHDRAW,
    QuestionState,
    question_called,
    states,
)
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.tables.augmentation import Restoration


def restore(
    ws: Workspace, slug: str, external_id: str, reason: str, by: int | None = None
) -> QuestionState:
    """Overrule the layer that rejected or could not judge a question; return its new state.

    Raises UserError without permission, for an unknown question, one that no layer holds up, and a
    reason that is empty or too long.
    """
    reason = checked_reason(reason, limit=NOTE)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        now = _question_state(session, project.id, external_id)
        held = next((each for each in now.results if each.layer == now.layer), None)
        if held is None:
            raise UserError("cascade_not_held", id=external_id)
        return _store_decision(session, ws, project, now, held.id, RESTORE, reason, by)


def withdraw(
    ws: Workspace, slug: str, external_id: str, reason: str, layer: str = "", by: int | None = None
) -> QuestionState:
    """Withdraw a restoration, so that the layer counts again; return the question's new state.

    The restoration is that of `layer`, else the newest current one. Raises UserError as `restore`
    does, and if there is no such restoration.
    """
    reason = checked_reason(reason, limit=NOTE)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        now = _question_state(session, project.id, external_id)
        standing = sorted(now.overruled.values(), key=lambda each: each.at)
        chosen = [each for each in standing if not layer or each.layer == layer]
        if not chosen:
            raise UserError("cascade_not_restored", id=external_id)
        return _store_decision(session, ws, project, now, chosen[-1].result, WITHDRAW, reason, by)


def _question_state(session: Session, project_id: int, external_id: str) -> QuestionState:
    """Return the cascade state of a question named by its external id."""
    number = question_called(session, project_id, external_id)
    return next(each for each in states(session, project_id) if each.question.id == number)


def _store_decision(
    session: Session,
    ws: Workspace,
    project: ProjectView,
    state: QuestionState,
    result_id: int,
    kind: str,
    reason: str,
    by: int | None,
) -> QuestionState:
    """Store a restoration or its withdrawal; return the question's new state."""
    question = state.question
    row = Restoration(
        augmented_question_id=question.id,
        layer_result_id=result_id,
        kind=kind,
        reason=reason,
        person_id=by,
        at=ws.clock(),
    )
    add_row(session, row)
    return _question_state(session, project.id, question.external_id)
