"""Outcomes per question, without the texts; the answers to one question in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, select

from storage.db.columns import newest_ids
from storage.db.views import view_of
from storage.tables.answers import AnswerRun, ModelAnswer
from storage.tables.core import Annotation, QuestionRow, Settlement, UndoneDecision
from storage.tables.judging import JudgeCase, Verdict
from storage.tables.reformulation import Reformulation, ReformulationDecision

_MADE_OF = (
    *(AnswerRun, ModelAnswer, QuestionRow, JudgeCase, Verdict, Annotation, Settlement),
    *(UndoneDecision, Reformulation, ReformulationDecision),
)  # rows are only added to these


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """Outcome of a question under a setting and passage; fields are `ModelAnswer`'s."""

    answer_run_id: int
    external_id: str
    passage: int
    state: str
    choice: str | None
    logprobs: Mapping[str, float | None] | None
    judge_case_id: int | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer with the context shown to the model; the fields are those of `ModelAnswer`."""

    passage: int
    state: str
    raw: str
    choice: str | None
    logprobs: Mapping[str, float | None] | None
    context: list[dict[str, Any]]


def standing_outcomes(session: Session, project_id: int) -> list[OutcomeView]:
    """Return the latest row per (setting, question, passage)."""
    query = (
        sqlalchemy.select(
            col(ModelAnswer.answer_run_id),
            col(QuestionRow.external_id),
            col(ModelAnswer.passage),
            col(ModelAnswer.state),
            col(ModelAnswer.choice),
            col(ModelAnswer.logprobs),
            col(ModelAnswer.judge_case_id),
        )
        .join(AnswerRun, col(AnswerRun.id) == col(ModelAnswer.answer_run_id))
        .join(QuestionRow, col(QuestionRow.id) == col(ModelAnswer.question_id))
        .where(col(AnswerRun.project_id) == project_id)
        .order_by(col(ModelAnswer.id))
    )
    return list({row[:3]: OutcomeView(*row) for row in session.execute(query)}.values())


def answers_to(session: Session, run_id: int, question: str) -> dict[int, ShownAnswer]:
    """Return the latest answers of a setting to a question (external id), by passage."""
    query = (
        select(ModelAnswer)
        .join(QuestionRow, col(QuestionRow.id) == col(ModelAnswer.question_id))
        .where(ModelAnswer.answer_run_id == run_id, QuestionRow.external_id == question)
        .order_by(col(ModelAnswer.id))
    )
    found = {row.passage: view_of(ShownAnswer, row) for row in session.exec(query)}
    return {place: found[place] for place in sorted(found)}


def outcomes_revision(session: Session) -> str:
    """Return a key that changes whenever an answer or the gold may have changed."""
    return newest_ids(session, _MADE_OF)
