"""The ferry's project with models: gold for four questions, a graph, a scripted server."""

from __future__ import annotations

from functools import partial
from typing import Any

from corpus.model import Choice, Question
from services.answers.asking import AnswersDone, ask_answers
from services.answers.planning import AnswerOptions, plan_answers
from services.background.tasks import watched
from storage.answers import AnswerView, standing_answers
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.runs.run_store import RunKey, keep_run
from tests.projects.closure_law import RAFTS, REPORT
from tests.projects.closure_project import SLUG

RUN = {"q1": [(REPORT, 2.0), (RAFTS, 1.0)], "q2": [(REPORT, 1.0)]}


def keep_bm25(ws: Workspace) -> int:
    """Keep a run that was asked two of the questions."""
    key = RunKey(1, 1, "bm25", {"k": 10, "tokeniser": "whitespace"}, "")
    with ws.writing() as session:
        return keep_run(session, key, RUN, ws.clock())


def keep_choices(ws: Workspace) -> None:
    """Bring in two questions to be answered by a choice: one with options, one with yes or no."""
    options = (Choice("1", "시장", True), Choice("2", "구청장", False), Choice("3", "경찰", False))
    asked = [
        Question("c1", "나룻배는 누구에게 신고합니까?", "시장", "ko", choices=options),
        Question("c2", "뗏목도 나룻배입니까?", "예", "ko"),
    ]
    keep_questions(ws, SLUG, asked, "choices.jsonl")


def answered(ws: Workspace, by: int | None = None, **options: Any) -> AnswersDone:
    """Plan and ask."""
    plan = plan_answers(ws, SLUG, AnswerOptions(**options), by)
    return watched(partial(ask_answers, ws, plan), lambda done, total: None)


def standing(ws: Workspace) -> list[AnswerView]:
    """Return what stands of every system."""
    with ws.reading() as session:
        return standing_answers(session, 1)
