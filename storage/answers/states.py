"""States of answers in free text, without the texts."""

from __future__ import annotations

import sqlalchemy
from sqlmodel import Session, col, func, select

from storage.tables.answers import AnswerRun, ModelAnswer
from storage.tables.core import QuestionRow

TEXT_FORMATS = ("free", "per_provision")


def text_states(session: Session, project_id: int) -> dict[tuple[str, str], str]:
    """Return the state of the newest answer to each question by each system, by their names.

    Only of settings that ask for a text and show the whole context.
    """
    newest = (
        select(func.max(col(ModelAnswer.id)))
        .join(AnswerRun, col(AnswerRun.id) == ModelAnswer.answer_run_id)
        .where(
            col(AnswerRun.project_id) == project_id,
            col(AnswerRun.format).in_(TEXT_FORMATS),
            col(ModelAnswer.passage) == 0,
        )
        .group_by(col(ModelAnswer.answer_run_id), col(ModelAnswer.question_id))
    )
    query = (
        sqlalchemy.select(
            col(QuestionRow.external_id), col(AnswerRun.system), col(ModelAnswer.state)
        )
        .join(AnswerRun, col(AnswerRun.id) == col(ModelAnswer.answer_run_id))
        .join(QuestionRow, col(QuestionRow.id) == col(ModelAnswer.question_id))
        .where(col(ModelAnswer.id).in_(newest))
        .order_by(col(ModelAnswer.id))
    )
    return {(question, system): state for question, system, state in session.execute(query)}
