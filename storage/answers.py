"""Answer settings, and the answers of models to each question under them.

Whole answers, or without their texts: states, outcomes and figures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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
from storage.tables.runs import SplitRow

STATES = (
    *("answered", "refused", "empty", "cut_off", "invalid", "unread", "no_logprobs"),
    "failed",
)
FORMATS = ("free", "per_provision", "choice_generated", "choice_likelihood")


@dataclass(frozen=True, slots=True)
class AnswerRunView:
    """A setting under which a model answers questions; the fields are those of `AnswerRun`."""

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
    """Return the answer settings (system, model, context) of a project, in order of first use."""
    query = select(AnswerRun).where(AnswerRun.project_id == project_id)
    return [view_of(AnswerRunView, row) for row in session.exec(query.order_by(col(AnswerRun.id)))]


def newest_answers(
    session: Session, project_id: int, columns: Iterable[Any], *where: Any
) -> Iterable[Any]:
    """Return columns of the newest answer per setting, question and passage, in this order.

    Questions are in the order in which they came into the project. `where` limits the settings and
    the answers.
    """
    row = ModelAnswer
    newest = (
        select(func.max(col(row.id)))
        .join(AnswerRun)
        .where(AnswerRun.project_id == project_id, *where)
        .group_by(col(row.answer_run_id), col(row.question_id), col(row.passage))
    )
    query = (
        sqlalchemy.select(*columns)
        .select_from(ModelAnswer)
        .join(AnswerRun)
        .join(QuestionRow)
        .outerjoin(LlmCall)
        .where(col(row.id).in_(newest))
        .order_by(col(row.answer_run_id), col(row.question_id), col(row.passage))
    )
    return session.execute(query)


def standing_answers(
    session: Session,
    project_id: int,
    run_ids: Collection[int] | int | None = None,
    question: str = "",
) -> list[AnswerView]:
    """Return the latest answers of all settings, of some, or of one, as `newest_answers` does.

    To one question only if it is named, by its external id.
    """
    where = _of_runs(run_ids)
    if question:
        asked = select(QuestionRow.id).where(QuestionRow.external_id == question)
        where.append(col(ModelAnswer.question_id).in_(asked))
    rows = newest_answers(session, project_id, _columns(AnswerView), *where)
    return [AnswerView(*row) for row in rows]


def standing_figures(session: Session, project_id: int) -> list[AnswerFigures]:
    """Return the counted columns of each row of `standing_answers`, without its texts."""
    rows = newest_answers(session, project_id, _columns(AnswerFigures))
    return [AnswerFigures(*row) for row in rows]


def standing_states(
    session: Session, project_id: int, run_ids: Collection[int] | int | None = None
) -> dict[tuple[int, int, int], str]:
    """Return the state of each latest answer by setting, question and passage."""
    row = ModelAnswer
    columns = row.answer_run_id, row.question_id, row.passage, row.state
    found = newest_answers(session, project_id, columns, *_of_runs(run_ids))
    return {(run, question, passage): state for run, question, passage, state in found}


def _of_runs(run_ids: Collection[int] | int | None) -> list[Any]:
    """Return the SQL conditions of answers of these settings; [] for None, which means all."""
    if run_ids is None:
        return []
    wanted = [run_ids] if isinstance(run_ids, int) else sorted(run_ids)
    return [col(AnswerRun.id).in_(wanted)]


_OF_OTHERS: dict[str, Any] = {
    **{"external_id": QuestionRow, "system": AnswerRun, "format": AnswerRun},
    **dict.fromkeys(("cost", "seconds", "tokens_in", "tokens_out", "parameters", "form"), LlmCall),
}


def _columns(view: type) -> list[Any]:
    """Return the columns that a view shows."""
    return [getattr(_OF_OTHERS.get(each.name, ModelAnswer), each.name) for each in fields(view)]


TEXT_FORMATS = ("free", "per_provision")
WHOLE_TEXTS = (col(AnswerRun.format).in_(TEXT_FORMATS), col(ModelAnswer.passage) == 0)
"""The conditions of answers that are texts and were given with the whole context."""


def text_states(session: Session, project_id: int) -> dict[tuple[str, str], str]:
    """Return the state of the newest whole text to each question by each system, by their names."""
    columns = QuestionRow.external_id, AnswerRun.system, ModelAnswer.state
    found = newest_answers(session, project_id, columns, *WHOLE_TEXTS)
    return {(question, system): state for question, system, state in found}


_MADE_OF = (
    *(AnswerRun, ModelAnswer, QuestionRow, JudgeCase, Verdict, Annotation, Settlement),
    *(UndoneDecision, Reformulation, ReformulationDecision, SplitRow),
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


def standing_outcomes(session: Session, project_id: int) -> list[OutcomeView]:
    """Return the outcome of each row of `standing_answers`, without its texts."""
    return [OutcomeView(*row) for row in newest_answers(session, project_id, _columns(OutcomeView))]


def outcomes_revision(session: Session) -> str:
    """Return a key that changes whenever an answer or the gold may have changed."""
    return newest_ids(session, _MADE_OF)
