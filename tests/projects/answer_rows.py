"""Rows of answers, with what every such row has to have."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from storage.tables.answers import AnswerRun, JudgeCase


def answer_run(at: datetime, system: str, context: Any, form: str, **more: Any) -> AnswerRun:
    """Return the row of a system; `more` are columns that differ from the usual ones."""
    usual: dict[str, Any] = {"project_id": 1, "snapshot_id": 1, "seed": 0, "role": "solve"}
    usual |= {"model": "gpt", "server": "http://here/v1", "prompt_version": "1"} | more
    return AnswerRun(system=system, context=dict(context), format=form, at=at, **usual)


def judge_case(at: datetime, name: str, system: str, **more: Any) -> JudgeCase:
    """Return the row of an answer of `system` to be judged."""
    usual: dict[str, Any] = {"project_id": 1, "question": "Which?", "reference": "This."}
    usual |= {"answer": "Yes.", "language": "en"} | more
    return JudgeCase(external_id=name, system=system, at=at, **usual)
