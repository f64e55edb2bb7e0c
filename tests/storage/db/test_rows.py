"""Many rows written at once are the rows that one at a time would be."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, delete, select

from storage.db.rows import insert_rows
from storage.db.workspace import Workspace
from storage.tables.core import UnitRow
from tests.conftest import FakeClock
from tests.pages.law_with_graph import project_with_graph

COLUMNS = (
    *("snapshot_id", "statute_id", "semantic_id", "level", "label", "heading", "text", "order"),
    *("path", "parts", "deleted", "text_missing", "effective"),
)


def written(number: int) -> tuple[object, ...]:
    said = f"u{number}", "article", "제1조", '"%s" ? :x', "본문\n\u2028", number
    return (*said, ["제1장"], [["1항", 0, 2]], bool(number % 2), False, date(2024, 1, number))


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    ws = Workspace(tmp_path / "ws", clock)
    project_with_graph(ws)
    return ws


def test_rows_come_back_as_the_model_writes_them(ws: Workspace):
    with ws.writing() as session:
        there = session.exec(select(UnitRow)).all()[0]
        ends = there.snapshot_id, there.statute_id
        rows = [(*ends, *written(number)) for number in (1, 2, 3)]
        told: list[int] = []
        insert_rows(session, UnitRow, COLUMNS, iter(rows), told.append)
        fast = _kept(session)
        session.exec(delete(UnitRow).where(col(UnitRow.semantic_id).startswith("u")))
        for row in rows:
            values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
            session.add(UnitRow(**values))
        session.flush()
        assert fast == _kept(session) == [row[2:] for row in rows]
        assert told == [3]


def _kept(session) -> list[tuple[object, ...]]:
    query = (
        select(UnitRow).where(col(UnitRow.semantic_id).startswith("u")).order_by(col(UnitRow.order))
    )
    rows = session.exec(query.execution_options(populate_existing=True)).all()
    kept = [tuple(getattr(row, name) for name in COLUMNS[2:]) for row in rows]
    session.expunge_all()
    return kept
