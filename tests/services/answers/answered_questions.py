"""A project of twelve questions in two languages that two systems answered, judged and rated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlmodel import select

from services.judging.importing import import_cases, import_ratings
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.answers import ModelAnswer
from storage.tables.core import QuestionRow, Snapshot
from tests.annotation.judging.answered import SLUG, Answered, jsonl
from tests.annotation.judging.answered import build as build_small
from tests.projects.answer_rows import answer_run

COUNT = 12
OFFICIAL = "특정소방대상물의 관계인은 소화기를 설치하여야 한다."
GOOD = OFFICIAL
POOR = "그런 규정은 찾을 수 없습니다."
AT = datetime(2026, 3, 1, tzinfo=UTC)
EVERYONE = ("strong", "weak")


def line(number: int, system: str, answer: str, **more: Any) -> Mapping[str, Any]:
    """Return a line of a file of answers."""
    return {
        "id": f"k{number:02}",
        "system": system,
        "question": f"소화기를 설치하여야 하는가 {number}?",
        "reference": OFFICIAL,
        "answer": answer,
        "kind": "의무" if number % 2 else "절차",
        "language": "ko",
        **more,
    }


def build(folder: Any, clock: Any) -> Answered:
    """Make the project: `strong` repeats the official answer in ten of twelve, `weak` in two."""
    made = build_small(folder, clock)
    lines = [
        line(number, system, GOOD if right else POOR)
        for system, least in (("strong", 2), ("weak", COUNT - 2))
        for number in range(COUNT)
        for right in [number >= least]
    ]
    import_cases(made.ws, SLUG, jsonl(made.folder / "korean.jsonl", lines))
    return made


def rate(made: Answered) -> None:
    """Let two people rate all answers in Korean: correct is what repeats the official answer."""
    lines = [
        {
            "id": state.case.external_id,
            "system": state.case.system,
            "person": person,
            "rating": state.case.answer == GOOD,
        }
        for state in made.states()
        if state.case.system in EVERYONE
        for person in ("Ann", "Ben")
    ]
    import_ratings(made.ws, SLUG, jsonl(made.folder / "ratings.jsonl", lines))


def reply(
    ws: Workspace,
    system: str,
    states: Mapping[str, str],
    form: str = "free",
    context: str = "none",
) -> None:
    """Keep what came of questions that a model was asked, some of them anew."""
    with ws.writing() as session:
        project = find_project(session, SLUG).id
        questions = {
            row.external_id: row.id
            for row in session.exec(select(QuestionRow).where(QuestionRow.project_id == project))
        }
        snapshot = Snapshot(project_id=project, name=system, content_hash=system, created_at=AT)
        about = {"project_id": project, "snapshot_id": add_row(session, snapshot)}
        run = add_row(session, answer_run(AT, system, {"kind": context}, form, **about))
        for at_first in (True, False):  # what came first does not count
            for name, state in states.items():
                row = ModelAnswer(
                    answer_run_id=run,
                    question_id=questions[name] or 0,
                    state="failed" if at_first else state,
                    raw="",
                    context=[],
                    at=AT,
                )
                session.add(row)
            session.flush()
