from __future__ import annotations

from pathlib import Path

import pytest

from corpus.graph.communities import GREEDY
from errors import UserError
from services.law.graph.citation_graph import build
from services.law.graph.report import graph_report
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from tests.conftest import FakeClock
from tests.pages.law_with_graph import law, project_with_graph
from tests.pages.small_project import SLUG


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    ws = Workspace(tmp_path / "ws", clock)
    project_with_graph(ws)
    return ws


def test_the_stored_graph_is_described(ws: Workspace):
    done = graph_report(ws, SLUG)
    assert (done.statutes, done.units) == (2, 4)
    assert done.nodes["article"] == 4
    assert done.edges["part_of"] == {"structure": 4}
    assert done.edges["delegates_to"] == {"text": 1}
    assert done.orphans["article"] == 1  # the article on the purpose
    assert done.without_part_of.largest == 3
    assert done.without_part_of.statutes == 2
    assert done.cited[0].unit_id == "나루안전법_2조"
    assert done.communities.method == GREEDY
    rows = {row.form: row for row in done.references}
    assert rows["title"].unresolved == 1


def test_lengths_are_of_the_texts(ws: Workspace):
    done = graph_report(ws, SLUG)
    texts = [unit.text for statute in law() for unit in statute.units]
    assert done.characters is not None
    assert done.tokens is not None
    assert done.characters.largest == max(len(text) for text in texts)
    assert done.tokens.mean == pytest.approx(sum(len(t.split()) for t in texts) / len(texts))


def test_the_report_is_of_the_newest_snapshot(ws: Workspace):
    graph_report(ws, SLUG)
    keep_statutes(ws, SLUG, law()[:1], "the act alone")
    with pytest.raises(UserError) as caught:
        graph_report(ws, SLUG)
    assert caught.value.code == "graph_missing"
    build(ws, SLUG)
    assert graph_report(ws, SLUG).statutes == 1
