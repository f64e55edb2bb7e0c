"""Answers to judge, with their rating and review items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from normalization.grouping import grouped
from services.gold.gold_set import gold_set
from storage.db.workspace import Workspace
from storage.judging import blind_digests, blind_name, standing_verdicts
from storage.law.corpus import id_in_use
from storage.law.passages import passages_by_id
from storage.projects import find_project
from storage.subjects import Subject, add_candidate_set, add_items, shown_items
from storage.tables.answers import JudgeCase
from storage.tasks import Task


def provisions_of_gold(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None
) -> dict[str, list[dict[str, str]]]:
    """Return the provisions of every question with people's gold, by the question's external id.

    Gold and law are those of a snapshot of the project, by default the one in use. Raters see them,
    so they are people's decisions, never source labels.
    """
    gold = gold_set(ws, project_slug, snapshot_id)
    with ws.reading() as session:
        snapshot = snapshot_id or id_in_use(session, find_project(session, project_slug).id)
        if snapshot is None or not gold.items:
            return {}
        passages = passages_by_id(session, snapshot, gold.units)
    return {
        item.external_id: [
            {"unit": unit, "label": passages[unit].title, "text": passages[unit].text}
            for unit in item.units
            if unit in passages
        ]
        for item in gold.items
    }


def show_verdicts(session: Session, project_id: int, at: datetime) -> None:
    """Update the review items to show the latest verdicts."""
    rows = standing_verdicts(session, project_id).values()
    standing = grouped((row.case_id, row.id or 0) for row in rows)
    for each in shown_items(session, project_id, Task.JUDGE_REVIEW):
        now = sorted(standing.get(each.subject_id, ()))
        if each.shown.get("verdicts", []) != now:
            add_candidate_set(session, each.item_id, {"verdicts": now}, at)


_TITLE = 200  # characters of a question shown in lists


def keep_cases(session: Session, project_id: int, rows: Sequence[JudgeCase], at: datetime) -> None:
    """Store the answers, with an item each for raters and for reviewers.

    Raters get them in a fixed pseudo-random order: whatever they have rated so far is then a random
    sample, which estimates require (`evaluation.judging.estimate`), and the order does not reveal
    the system.
    """
    session.add_all(rows)
    session.flush()
    digests = blind_digests(session, project_id)
    rated, reviewed = [], []
    for row in sorted(rows, key=lambda row: (digests[row.id or 0], row.id or 0)):
        name = blind_name(row.external_id, digests[row.id or 0])  # without a hint at the system
        rated.append(Subject(row.id or 0, name, row.question[:_TITLE], {}))
    for row in rows:
        name = f"{row.external_id} · {row.system}"
        reviewed.append(Subject(row.id or 0, name, row.question[:_TITLE], {"verdicts": []}))
    add_items(session, project_id, Task.ANSWER_RATING, rated, at)
    add_items(session, project_id, Task.JUDGE_REVIEW, reviewed, at)
