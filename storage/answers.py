"""Answer settings, and the answers of models to each question under them.

States of answers in free text, without the texts.

Outcomes per question, without the texts; the answers to one question in full.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, func, select

from storage.db.columns import newest_ids, view_of
from storage.tables.answers import AnswerRun, JudgeCase, ModelAnswer, Verdict
from storage.tables.core import Annotation, QuestionRow, Settlement, UndoneDecision
from storage.tables.mcq import Reformulation, ReformulationDecision
from storage.tables.models import LlmCall

STATES = (
    *("answered", "refused", "empty", "cut_off", "invalid", "unread", "no_logprobs"),
    "failed",
)
FORMATS = ("free", "per_provision", "choice_generated", "choice_likelihood")


@dataclass(frozen=True, slots=True)
class AnswerRunView:
    """A setting; the fields are those of `AnswerRun`."""

    id: int
    project_id: int
    snapshot_id: int | None
    system: str
    context: Mapping[str, Any]
    format: str
    seed: int
    role: str
    server: str
    model: str
    prompt_version: str
    person_id: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class AnswerView:
    """The outcome of a question under a setting; the first fields are those of `ModelAnswer`.

    `external_id` is the question's id in its file, `system` and `format` are the run's. `cost`,
    `seconds`, `tokens_in` and `tokens_out` are those of the call, None where unknown; `parameters`
    is what it was asked with, the model's own seed if one was set, and `form` how JSON was asked
    for.
    """

    id: int
    answer_run_id: int
    question_id: int
    passage: int
    state: str
    raw: str
    answer: str
    claims: Mapping[str, Any] | None
    context: list[Mapping[str, Any]]
    choice: str | None
    logprobs: Mapping[str, float] | None
    judge_case_id: int | None
    llm_call_id: int | None
    prompt_version: str
    at: datetime
    external_id: str
    system: str
    format: str
    cost: float | None
    seconds: float | None
    tokens_in: int | None
    tokens_out: int | None
    parameters: Mapping[str, Any] | None = None
    form: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """The counted columns of a question's latest answer; the fields are those of `AnswerView`."""

    answer_run_id: int
    question_id: int
    state: str
    cost: float | None
    seconds: float | None
    tokens_in: int | None
    tokens_out: int | None


def runs(session: Session, project_id: int) -> list[AnswerRunView]:
    """Return the settings of a project, in the order of their first use."""
    query = select(AnswerRun).where(AnswerRun.project_id == project_id)
    return [run_view(row) for row in session.exec(query.order_by(col(AnswerRun.id)))]


def run_view(row: AnswerRun) -> AnswerRunView:
    """Return the row as a value that needs no session."""
    return view_of(AnswerRunView, row)


def standing_answers(
    session: Session, project_id: int, run_ids: Collection[int] | int | None = None
) -> list[AnswerView]:
    """Return the latest answer per (setting, question, passage), in this order.

    Of all settings, of some, or of one. Questions are in the order in which they came into the
    project.
    """
    query = _newest_answers(_columns(AnswerView), project_id, run_ids)
    return [AnswerView(*row) for row in session.execute(query)]


def standing_figures(session: Session, project_id: int) -> list[AnswerFigures]:
    """Return the counted columns of each row of `standing_answers`, without its texts."""
    query = _newest_answers(_columns(AnswerFigures), project_id, None)
    return [AnswerFigures(*row) for row in session.execute(query)]


def standing_states(
    session: Session, project_id: int, run_ids: Collection[int] | int | None = None
) -> dict[tuple[int, int, int], str]:
    """Return the state of each latest answer by setting, question and passage."""
    names = ("answer_run_id", "question_id", "passage", "state")
    query = sqlalchemy.select(*(getattr(ModelAnswer, name) for name in names))
    query = query.where(col(ModelAnswer.id).in_(_newest(project_id, run_ids)))
    return {(row[0], row[1], row[2]): row[3] for row in session.execute(query)}


def _newest_answers(
    columns: list[Any], project_id: int, run_ids: Collection[int] | int | None
) -> Any:
    """Return the query of the newest answer per run, question and passage."""
    row = ModelAnswer
    return (
        sqlalchemy.select(*columns)
        .select_from(ModelAnswer)
        .join(AnswerRun, col(AnswerRun.id) == col(row.answer_run_id))
        .join(QuestionRow, col(QuestionRow.id) == col(row.question_id))
        .outerjoin(LlmCall, col(LlmCall.id) == col(row.llm_call_id))
        .where(col(row.id).in_(_newest(project_id, run_ids)))
        .order_by(col(row.answer_run_id), col(row.question_id), col(row.passage))
    )


def _newest(project_id: int, run_ids: Collection[int] | int | None) -> Any:
    """Query of the newest answer of each question and passage."""
    query = (
        select(func.max(col(ModelAnswer.id)))
        .join(AnswerRun, col(AnswerRun.id) == ModelAnswer.answer_run_id)
        .where(col(AnswerRun.project_id) == project_id)
        .group_by(
            col(ModelAnswer.answer_run_id), col(ModelAnswer.question_id), col(ModelAnswer.passage)
        )
    )
    if run_ids is None:
        return query
    wanted = [run_ids] if isinstance(run_ids, int) else sorted(run_ids)
    return query.where(col(AnswerRun.id).in_(wanted))


_OF_OTHERS: dict[str, Any] = {
    **{"external_id": QuestionRow, "system": AnswerRun, "format": AnswerRun},
    **dict.fromkeys(("cost", "seconds", "tokens_in", "tokens_out", "parameters", "form"), LlmCall),
}


def _columns(view: type[AnswerView] | type[AnswerFigures]) -> list[Any]:
    """Return the columns that a view shows."""
    return [getattr(_OF_OTHERS.get(each.name, ModelAnswer), each.name) for each in fields(view)]


TEXT_FORMATS = ("free", "per_provision")


def text_states(session: Session, project_id: int) -> dict[tuple[str, str], str]:
    """Return the state of the newest answer to each question by each system, by their names.

    Only of settings that ask for a text and show the whole context.
    """
    newest = _newest(project_id, None).where(
        col(AnswerRun.format).in_(TEXT_FORMATS), col(ModelAnswer.passage) == 0
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
