"""Answers whose claims and citations are scored, with the context shown to the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, func, select

from storage.tables.answers import AnswerRun, ModelAnswer
from storage.tables.core import QuestionRow

TEXTS = ("free", "per_provision")  # formats whose answers are texts


@dataclass(frozen=True, slots=True)
class ModelAnswerView:
    """The outcome of a question under a setting that shows the whole context.

    `case_id` is its `JudgeCase`, None where the answer is empty. `claims` are by provision id, None
    unless it answers by provision. `shown` are the ids of the provisions of its context.
    """

    case_id: int | None
    question: str
    system: str
    state: str
    format: str
    model: str
    context: Mapping[str, Any]
    claims: Mapping[str, Sequence[str]] | None
    shown: tuple[str, ...]
    snapshot_id: int


def model_answers(session: Session, project_id: int) -> list[ModelAnswerView]:
    """Return the newest text answer per (setting, question), in this order."""
    newest = (
        select(func.max(col(ModelAnswer.id)))
        .join(AnswerRun, col(AnswerRun.id) == col(ModelAnswer.answer_run_id))
        .where(
            AnswerRun.project_id == project_id,
            col(AnswerRun.format).in_(TEXTS),
            ModelAnswer.passage == 0,
        )
        .group_by(col(ModelAnswer.answer_run_id), col(ModelAnswer.question_id))
    )
    query = (
        sqlalchemy.select(
            col(ModelAnswer.judge_case_id).label("case_id"),
            col(QuestionRow.external_id).label("question"),
            col(AnswerRun.system),
            col(ModelAnswer.state),
            col(AnswerRun.format),
            col(AnswerRun.model),
            col(AnswerRun.context),
            col(ModelAnswer.claims),
            col(ModelAnswer.context).label("shown"),
            col(AnswerRun.snapshot_id),
        )
        .join(AnswerRun, col(AnswerRun.id) == col(ModelAnswer.answer_run_id))
        .join(QuestionRow, col(QuestionRow.id) == col(ModelAnswer.question_id))
        .where(col(ModelAnswer.id).in_(newest))
        .order_by(col(ModelAnswer.answer_run_id), col(ModelAnswer.question_id))
    )
    return [_view(dict(row._mapping)) for row in session.execute(query)]


def _view(values: dict[str, Any]) -> ModelAnswerView:
    shown = tuple(each["unit"] for each in values["shown"] if each.get("unit"))
    return ModelAnswerView(**(values | {"shown": shown}))
