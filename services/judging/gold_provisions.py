"""The provisions that are gold for questions, as they stand beside an answer to be judged."""

from __future__ import annotations

from services.gold.gold_set import gold_set
from storage.db.workspace import Workspace
from storage.law.passages import passages_by_id
from storage.law.snapshot_use import id_in_use
from storage.projects import find_project


def provisions_of_gold(ws: Workspace, project_slug: str) -> dict[str, list[dict[str, str]]]:
    """Return the provisions of every question whose gold is settled, by the question's id."""
    gold = gold_set(ws, project_slug)
    with ws.reading() as session:
        snapshot = id_in_use(session, find_project(session, project_slug).id)
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
