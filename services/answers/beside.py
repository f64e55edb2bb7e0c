"""Answers to one question side by side, compared word by word with the official one."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, select

from annotation.people.roles import Act, reading_as
from errors import UserError
from evaluation.judging.answer_diff import Compared, compare
from services.answers.report_views import QuestionAnswers
from services.answers.scores import without_references
from storage.db.workspace import Workspace
from storage.tables.answers import JudgeCase


def answers_to(
    ws: Workspace, project_slug: str, question: str, by: int | None = None
) -> QuestionAnswers:
    """Return every system's answer that people can judge, to a question given by external id.

    Raises UserError for `by` without permission, and where nobody has answered it.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        query = select(JudgeCase).where(
            JudgeCase.project_id == project.id, JudgeCase.external_id == question
        )
        rows = list(session.exec(query.order_by(col(JudgeCase.system))))
        if not rows:
            raise UserError("answer_report_question", question=question)
        first = rows[0]
        answers = {row.system: row.answer for row in rows}
        return QuestionAnswers(question, first.question, first.reference, first.language, answers)


@dataclass(frozen=True, slots=True)
class Beside:
    """Comparison of two answers, with their footers of references, which are not compared.

    `footers` are in the order of `compared`: of the other side, then of the system's answer.
    """

    compared: Compared
    footers: tuple[str, str]


def compare_answers(those: QuestionAnswers, system: str, other: str = "") -> Beside:
    """Compare a system's answer with that of `other`, by default the official one."""
    # Footers are stripped from models' answers only.
    left = those.answers[other] if other else those.reference
    right = those.answers[system]
    bare = (without_references(left) if other else left, without_references(right))
    return Beside(compare(*bare), (left[len(bare[0]) :], right[len(bare[1]) :]))
