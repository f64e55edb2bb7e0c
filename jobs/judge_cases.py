"""Adding answers to be judged, each with its items of rating and of review."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlmodel import Session

from storage.judge_tables import JudgeCase
from storage.subjects import Subject, add_items
from storage.tasks import Task

_TITLE = 200  # characters of a question that lists show


def keep_cases(session: Session, project_id: int, rows: Sequence[JudgeCase], at: datetime) -> None:
    """Add the answers, and an item of each for raters and for reviewers."""
    session.add_all(rows)
    session.flush()
    for task, subject in ((Task.ANSWER_RATING, _blind), (Task.JUDGE_REVIEW, _named)):
        add_items(session, project_id, task, [subject(row) for row in rows], at)


def _blind(row: JudgeCase) -> Subject:
    """Return the case as raters see it: nothing tells which system answered."""
    tell = sha256(f"{row.external_id}\n{row.system}\n{row.answer}".encode()).hexdigest()[:4]
    return Subject(row.id or 0, f"{row.external_id}·{tell}", row.question[:_TITLE], {})


def _named(row: JudgeCase) -> Subject:
    name = f"{row.external_id} · {row.system}"
    return Subject(row.id or 0, name, row.question[:_TITLE], {"verdicts": []})
