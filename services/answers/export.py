"""Export of models' answers as JSONL, reproducible byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, reading_as
from evaluation.tables import json_lines
from services.answers.replies import problems_of
from storage.answers.answers import AnswerRunView, AnswerView, runs, standing_answers
from storage.db.atomic_files import published
from storage.db.workspace import Workspace

_INNER = ("id", "project_id", "person_id", "answer_run_id", "question_id")


def export_answers(
    ws: Workspace, project_slug: str, folder: Path, by: int | None = None
) -> dict[str, int]:
    """Write settings and answers into a new folder; return the number of lines per file.

    ``systems.jsonl`` has each system's setting, ``answers.jsonl`` the result of every question,
    whatever its state, with the snapshot of its context, its prompt, cost and latency. Raises
    UserError for `by` without permission, and for a folder that cannot be written.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        settings = sorted(runs(session, project.id), key=lambda each: each.system)
        answers = standing_answers(session, project.id)
    answers.sort(key=lambda each: (each.system, each.external_id, each.passage))
    files = {
        "systems.jsonl": [_system(each) for each in settings],
        "answers.jsonl": [_answer(each) for each in answers],
    }
    with published(folder) as place:
        for name, lines in files.items():
            (place / name).write_text(json_lines(lines), encoding="utf-8", newline="\n")
    return {name: len(lines) for name, lines in files.items()}


def _system(run: AnswerRunView) -> dict[str, Any]:
    return _public_fields(asdict(run)) | {"at": run.at.isoformat()}


def _answer(answer: AnswerView) -> dict[str, Any]:
    line = _public_fields(asdict(answer)) | {"at": answer.at.isoformat()}
    for name in ("judge_case_id", "llm_call_id"):
        del line[name]
    line["context"] = [
        {name: value for name, value in each.items() if name != "call"} for each in answer.context
    ]
    return {"id": line.pop("external_id"), **line, "problems": list(problems_of(answer))}


def _public_fields(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in _INNER}
