"""The ferry's project with models: gold for four questions, a graph, a scripted server."""

from __future__ import annotations

from functools import partial
from typing import Any

from services.answers.asking import AnswersDone, ask_answers
from services.answers.planning import AnswerOptions, plan_answers
from services.background.tasks import watched
from storage.answers.answers import AnswerView, standing_answers
from storage.db.workspace import Workspace
from storage.runs.run_store import RunKey, keep_run
from tests.llm.server import Server
from tests.projects.closure_law import RAFTS, REPORT
from tests.projects.closure_project import SLUG

RUN = {"q1": [(REPORT, 2.0), (RAFTS, 1.0)], "q2": [(REPORT, 1.0)]}


def set_model(ws: Workspace, server: Server, more: str = "") -> None:
    """Let every role be played by the scripted server."""
    text = f'base_url = "{server.base_url}"\nmodel = "gpt"\nattempts = 1\n{more}'
    (ws.folder / "models.toml").write_text(text, "utf-8")


def keep_bm25(ws: Workspace) -> int:
    """Keep a run that was asked two of the questions."""
    key = RunKey(1, 1, "bm25", {"k": 10, "tokeniser": "whitespace"}, "")
    with ws.writing() as session:
        return keep_run(session, key, RUN, ws.clock())


def answered(ws: Workspace, by: int | None = None, **options: Any) -> AnswersDone:
    """Plan and ask."""
    plan = plan_answers(ws, SLUG, AnswerOptions(**options), by)
    return watched(partial(ask_answers, ws, plan), lambda done, total: None)


def standing(ws: Workspace) -> list[AnswerView]:
    """Return what stands of every system."""
    with ws.reading() as session:
        return standing_answers(session, 1)
