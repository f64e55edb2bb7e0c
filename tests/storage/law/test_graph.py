from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from corpus.citations.model import Status
from storage.db.workspace import Workspace
from storage.law.graph import edge_facts, load_graph, reference_facts, unit_facts
from storage.tables.law import ReferenceRow
from tests.conftest import FakeClock
from tests.pages.law_with_graph import law, project_with_graph


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    ws = Workspace(tmp_path / "ws", clock)
    project_with_graph(ws)
    return ws


def _boats(texts: Iterable[str]) -> Iterator[int]:
    return (text.count("나룻배") for text in texts)


def test_every_unit_has_its_facts(ws: Workspace):
    with ws.reading() as session:
        found = list(unit_facts(session, 1, _boats))
    units = [(unit, statute) for statute in law() for unit in statute.units]
    assert [(each.unit_id, each.statute_id, each.tier) for each in found] == [
        (unit.semantic_id, statute.semantic_id, statute.tier) for unit, statute in units
    ]
    assert [each.characters for each in found] == [len(unit.text) for unit, _ in units]
    assert [each.tokens for each in found] == [unit.text.count("나룻배") for unit, _ in units]


def test_counts_of_references_are_those_of_the_references(ws: Workspace):
    with ws.reading() as session:
        facts = reference_facts(session, 1)
        references = session.exec(select(ReferenceRow.status)).all()
    assert sum(each.count for each in facts) == len(references)
    resolved = sum(each.count for each in facts if each.status is Status.RESOLVED)
    assert resolved == sum(each == Status.RESOLVED for each in references)


def test_edges_are_those_of_the_graph(ws: Workspace):
    with ws.reading() as session:
        units = unit_facts(session, 1, _boats)
        found = list(edge_facts(session, 1, list(units)))
        edges = load_graph(session, 1).edges
    assert sorted((e.source, e.target, e.type, e.origin) for e in found) == sorted(
        (e.source, e.target, e.type, e.origin) for e in edges
    )
