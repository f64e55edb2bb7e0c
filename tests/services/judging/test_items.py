"""Names and order of answers for raters who are not to know which system gave them."""

from __future__ import annotations

from pathlib import Path

from sqlmodel import col, select

from services.judging.items import keep_cases
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from storage.tables.core import Item
from storage.tasks import Task, of_task
from tests.projects.answer_rows import judge_case


def _names(folder: Path, systems: str) -> list[str]:
    """Return what raters of three answers by these systems are shown, the first two alike."""
    ws = Workspace(folder)
    migrate(ws)
    create_project(ws, "p", "P", 2)
    rows = [
        judge_case(ws.clock(), "en-06", system, answer=answer)
        for system, answer in zip(systems, ("They do.", "They do.", "Nobody."), strict=True)
    ]
    with ws.writing() as session:
        keep_cases(session, 1, rows[:1], ws.clock())
        keep_cases(session, 1, rows[1:], ws.clock())
        query = select(Item.external_id).where(of_task(1, Task.ANSWER_RATING))
        return [name or "" for name in session.exec(query.order_by(col(Item.order)))]


def test_neither_name_nor_order_rests_on_the_system(tmp_path) -> None:
    one, other = (_names(tmp_path / systems, systems) for systems in ("abc", "cde"))
    assert one == other
    assert len(set(one)) == 3
