"""Adding answers to be judged, each with its items of rating and of review."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlmodel import Session

from storage.subjects import Subject, add_items
from storage.tables.judging import JudgeCase
from storage.tasks import Task

_TITLE = 200  # characters of a question that lists show


def keep_cases(session: Session, project_id: int, rows: Sequence[JudgeCase], at: datetime) -> None:
    """Add the answers, and an item of each for raters and for reviewers.

    Raters get them in an order that is as good as random and the same every time: whatever they
    have rated, however far they come, is then a random sample, which estimates rest on
    (`evaluation.judging.estimate`), and the order does not tell which system answered.
    """
    session.add_all(rows)
    session.flush()
    rated = [_blind(row) for row in sorted(rows, key=_digest)]
    add_items(session, project_id, Task.ANSWER_RATING, rated, at)
    add_items(session, project_id, Task.JUDGE_REVIEW, [_named(row) for row in rows], at)


def _digest(row: JudgeCase) -> str:
    return sha256(f"{row.external_id}\n{row.system}\n{row.answer}".encode()).hexdigest()


def _blind(row: JudgeCase) -> Subject:
    """Return the case as raters see it: nothing tells which system answered."""
    name = f"{row.external_id}·{_digest(row)[:4]}"
    return Subject(row.id or 0, name, row.question[:_TITLE], {})


def _named(row: JudgeCase) -> Subject:
    name = f"{row.external_id} · {row.system}"
    return Subject(row.id or 0, name, row.question[:_TITLE], {"verdicts": []})
