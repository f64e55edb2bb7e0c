from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import Session, col, select

import services.law.graph.citation_graph
import storage.db.bulk_insert
import storage.law.graph
from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import WALKED, EdgeType
from corpus.model import Level, Tier
from services.law.graph.citation_graph import (
    Neighbourhood,
    UnitPage,
    build,
    neighbourhood,
    unit_page,
)
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.graph import graph_view, load_graph, reference_of
from storage.law.imports import keep_statutes
from storage.projects import create_project
from storage.tables.core import UnitRow
from storage.tables.law import ReferenceRow
from tests.conftest import FakeClock
from tests.corpus.graph.ferry_law import ACT, DECREE, RULE, ferry_law
from tests.projects.project_cache import kept
from tests.support.refusals import code_of, refused

SLUG = "ferry"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("ferries", workspace, lambda: _made(workspace))
    return workspace


def _made(workspace: Workspace) -> None:
    migrate(workspace)
    create_project(workspace, SLUG, "Ferries")
    keep_statutes(workspace, SLUG, ferry_law(), "first")


def _ids(found: Neighbourhood) -> list[str]:
    return [node.unit_id for node in found.nodes]


def test_a_graph_is_kept_whole_and_comes_back_equal(ws: Workspace) -> None:
    built = build_graph(ferry_law())
    report = build(ws, SLUG)
    assert report.new and report.edges == len(built.edges)
    assert sum(report.by_type.values()) == report.edges
    with ws.reading() as session:
        kept = load_graph(session, report.snapshot_id)
        query = select(ReferenceRow, UnitRow.semantic_id).join(
            UnitRow, col(UnitRow.id) == ReferenceRow.unit_id
        )
        rows = session.exec(query.order_by(col(ReferenceRow.id)))
        references = [reference_of(row, unit_id) for row, unit_id in rows]
    below = {f"{u.semantic_id}/{p}" for s in ferry_law() for u in s.units for p in u.paragraphs()}
    assert set(kept.edges) == {edge for edge in built.edges if edge.source not in below}
    assert set(kept.ids) == set(graph_of(ferry_law(), built).ids) - below
    assert references == built.references
    again = build(ws, SLUG)
    assert not again.new and (again.edges, again.references) == (report.edges, report.references)


def test_a_build_that_breaks_keeps_nothing_and_can_start_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(session: Session, *_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr("storage.law.graph._reference_values", broken)
        with pytest.raises(RuntimeError, match="killed"):
            build(ws, SLUG)
    with ws.reading() as session:
        assert graph_view(session, 1) is None
        assert load_graph(session, 1).edges[-1].type is EdgeType.PART_OF
    assert build(ws, SLUG).new


def test_neighbours_come_from_the_database_as_from_memory(ws: Workspace) -> None:
    build(ws, SLUG)
    graph = graph_of(ferry_law(), build_graph(ferry_law()))
    for unit in (u.semantic_id for one in ferry_law() for u in one.units):
        for hops in (1, 2):
            found = neighbourhood(ws, 1, unit, None, hops)
            assert _ids(found)[0] == unit
            assert set(_ids(found)[1:]) == set(graph.neighbours(unit, WALKED, hops=hops))
            ends = {end for e in found.edges for end in (e.source, e.target)}
            assert ends <= set(_ids(found)) and not found.capped


def test_a_neighbourhood_can_be_narrowed_and_is_capped(ws: Workspace) -> None:
    build(ws, SLUG)
    only = neighbourhood(ws, 1, f"{ACT}_5조", [EdgeType.DELEGATES_TO])
    assert _ids(only) == [f"{ACT}_5조", f"{DECREE}_3조", f"{RULE}_2조"]
    assert {e.type for e in only.edges} == {EdgeType.DELEGATES_TO}
    capped = neighbourhood(ws, 1, f"{ACT}_5조", limit=2)
    assert len(capped.nodes) == 2 and capped.capped


def test_statutes_join_a_neighbourhood_when_asked_for(ws: Workspace) -> None:
    build(ws, SLUG)
    types = [EdgeType.DELEGATES_TO, EdgeType.PART_OF]
    found = neighbourhood(ws, 1, f"{ACT}_5조", types)
    assert _ids(found)[3:] == [ACT, DECREE, RULE, *(f"{ACT}_5조/{n}항" for n in (1, 2, 3))]
    up = {(edge.source, edge.target) for edge in found.edges if edge.type is EdgeType.PART_OF}
    assert {(f"{ACT}_5조", ACT), (f"{ACT}_5조/1항", f"{ACT}_5조")} < up
    assert found.nodes[3].label == "" and found.nodes[3].tier is Tier.ACT


def test_a_units_page_shows_both_directions(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    build(ws, SLUG)
    page: UnitPage = unit_page(ws, 1, f"{ACT}_5조")
    assert page.unit.semantic_id == f"{ACT}_5조" and page.unit.level is Level.ARTICLE
    assert (page.statute.title, page.statute.units) == ("나루안전법", ())
    assert all(link.edge.source == f"{ACT}_5조" for link in page.cites)
    assert f"{DECREE}_3조" in {link.node.unit_id for link in page.cited_by}
    assert [r.text for r in page.references] == [
        r.text for r in build_graph(ferry_law()).references if r.unit_id == f"{ACT}_5조"
    ]
    assert not page.capped
    monkeypatch.setattr(services.law.graph.citation_graph, "SHOWN", 1)
    page = unit_page(ws, 1, f"{ACT}_5조")
    assert page.capped and len(page.cited_by) == 1


def test_what_cannot_be_shown_is_refused(ws: Workspace) -> None:
    assert code_of(unit_page, ws, 1, f"{ACT}_5조") == "graph_missing"
    assert code_of(neighbourhood, ws, 1, "no_1조") == "graph_unit_unknown"
    create_project(ws, "empty", "Empty")
    assert code_of(build, ws, "empty") == "corpus_missing"


def test_progress_tells_of_every_statute_and_then_of_what_is_kept(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.db.bulk_insert, "BATCH", 2)
    told: list[tuple[int, int]] = []
    report = build(ws, SLUG, lambda done, total: told.append((done, total)))
    assert told[:3] == [(n, 3) for n in (1, 2, 3)]
    kept = report.edges - report.by_type[EdgeType.PART_OF.value] + report.references
    assert told[-1] == (kept, kept) and told[3] == (2, kept)
    assert told[3:] == sorted(told[3:])


@pytest.mark.parametrize("wanted", [f"{ACT}_99조", "나루안전볍_1조", "없음"])
def test_a_unit_that_is_not_there_is_answered_with_some_that_are(
    ws: Workspace, wanted: str
) -> None:
    build(ws, SLUG)
    with refused("graph_unit_unknown") as caught:
        neighbourhood(ws, 1, wanted)
    near = str(caught.value.params["near"]).split(", ")
    assert near and all(neighbourhood(ws, 1, each).nodes for each in near)
    if wanted != "없음":
        assert all(each.startswith(ACT) for each in near)
