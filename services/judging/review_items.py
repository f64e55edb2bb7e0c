"""What the items of reviews show: which verdicts there were."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from storage.judging.verdicts import standing_verdicts
from storage.subjects import show_anew
from storage.tables.core import CandidateSet, Item
from storage.tasks import Task, of_task


def show_verdicts(session: Session, project_id: int, at: datetime) -> None:
    """Let the review of every answer show the verdicts that stand now, where it shows others."""
    standing: dict[int, list[int]] = {}
    for row in standing_verdicts(session, project_id).values():
        standing.setdefault(row.case_id, []).append(row.id or 0)
    for item, case_id, before in _shown(session, project_id):
        now = sorted(standing.get(case_id, []))
        if before.get("verdicts", []) != now:
            show_anew(session, item, {"verdicts": now}, at)


def _shown(session: Session, project_id: int) -> list[tuple[int, int, dict[str, Any]]]:
    """Return each item of review, its case, and what it shows."""
    newest = (
        select(func.max(col(CandidateSet.id)))
        .join(Item, col(Item.id) == CandidateSet.item_id)
        .where(of_task(project_id, Task.JUDGE_REVIEW))
        .group_by(col(CandidateSet.item_id))
    )
    query = (
        select(Item.id, Item.subject_id, CandidateSet.shown)
        .join(CandidateSet, col(CandidateSet.item_id) == Item.id)
        .where(col(CandidateSet.id).in_(newest))
        .order_by(col(Item.order))
    )
    rows = session.exec(query).all()
    return [(item or 0, case_id or 0, dict(shown or {})) for item, case_id, shown in rows]
