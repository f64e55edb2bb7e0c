from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

import services.law.graph.citation_graph
import storage.db.rows
import storage.law.graph
from annotation.people.members import add_person
from corpus.graph.build import build_graph, graph_of
from corpus.graph.law_map import positions
from corpus.graph.model import WALKED, EdgeType
from corpus.model import Level, Tier, split_id
from services.law.graph import law_map as maps
from services.law.graph.citation_graph import (
    Neighbourhood,
    UnitPage,
    build,
    neighbourhood,
    unit_page,
)
from services.law.graph.law_map import (
    TYPES,
    LawMap,
    MapQuery,
    Nodes,
    as_csv,
    as_json,
    communities_of,
    law_map,
)
from services.law.graph.report import graph_report
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
    """Return a workspace with ferry law, whose graph has not been built."""
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("ferries", workspace, lambda: _made(workspace, False))
    return workspace


@pytest.fixture
def mapped(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a workspace with ferry law and its graph."""
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("ferries with their graph", workspace, lambda: _made(workspace, True))
    return workspace


def _made(workspace: Workspace, built: bool) -> None:
    migrate(workspace)
    create_project(workspace, SLUG, "Ferries")
    keep_statutes(workspace, SLUG, ferry_law(), "first")
    if built:
        build(workspace, SLUG)


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


def test_neighbours_come_from_the_database_as_from_memory(mapped: Workspace) -> None:
    graph = graph_of(ferry_law(), build_graph(ferry_law()))
    for unit in (u.semantic_id for one in ferry_law() for u in one.units):
        for hops in (1, 2):
            found = neighbourhood(mapped, 1, unit, None, hops)
            assert _ids(found)[0] == unit
            assert set(_ids(found)[1:]) == set(graph.neighbours(unit, WALKED, hops=hops))
            ends = {end for e in found.edges for end in (e.source, e.target)}
            assert ends <= set(_ids(found)) and not found.capped


def test_a_neighbourhood_can_be_narrowed_and_is_capped(mapped: Workspace) -> None:
    only = neighbourhood(mapped, 1, f"{ACT}_5조", [EdgeType.DELEGATES_TO])
    assert _ids(only) == [f"{ACT}_5조", f"{DECREE}_3조", f"{RULE}_2조"]
    assert {e.type for e in only.edges} == {EdgeType.DELEGATES_TO}
    capped = neighbourhood(mapped, 1, f"{ACT}_5조", limit=2)
    assert len(capped.nodes) == 2 and capped.capped


def test_statutes_join_a_neighbourhood_when_asked_for(mapped: Workspace) -> None:
    types = [EdgeType.DELEGATES_TO, EdgeType.PART_OF]
    found = neighbourhood(mapped, 1, f"{ACT}_5조", types)
    assert _ids(found)[3:] == [ACT, DECREE, RULE, *(f"{ACT}_5조/{n}항" for n in (1, 2, 3))]
    up = {(edge.source, edge.target) for edge in found.edges if edge.type is EdgeType.PART_OF}
    assert {(f"{ACT}_5조", ACT), (f"{ACT}_5조/1항", f"{ACT}_5조")} < up
    assert found.nodes[3].label == "" and found.nodes[3].tier is Tier.ACT


def test_a_units_page_shows_both_directions(
    mapped: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    page: UnitPage = unit_page(mapped, 1, f"{ACT}_5조")
    assert page.unit.semantic_id == f"{ACT}_5조" and page.unit.level is Level.ARTICLE
    assert (page.statute.title, page.statute.units) == ("나루안전법", ())
    assert all(link.edge.source == f"{ACT}_5조" for link in page.cites)
    assert f"{DECREE}_3조" in {link.node.unit_id for link in page.cited_by}
    assert [r.text for r in page.references] == [
        r.text for r in build_graph(ferry_law()).references if r.unit_id == f"{ACT}_5조"
    ]
    monkeypatch.setattr(services.law.graph.citation_graph, "SHOWN", 1)
    page = unit_page(mapped, 1, f"{ACT}_5조")
    assert len(page.cited_by) == 1


def test_what_cannot_be_shown_is_refused(ws: Workspace) -> None:
    assert code_of(unit_page, ws, 1, f"{ACT}_5조") == "graph_missing"
    assert code_of(neighbourhood, ws, 1, "no_1조") == "graph_unit_unknown"
    create_project(ws, "empty", "Empty")
    assert code_of(build, ws, "empty") == "corpus_missing"


def test_progress_tells_of_every_statute_and_then_of_what_is_kept(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.db.rows, "BATCH", 2)
    told: list[tuple[int, int]] = []
    report = build(ws, SLUG, lambda done, total: told.append((done, total)))
    assert told[:3] == [(n, 3) for n in (1, 2, 3)]
    kept = report.edges - report.by_type[EdgeType.PART_OF.value] + report.references
    assert told[-1] == (kept, kept) and told[3] == (2, kept)
    assert told[3:] == sorted(told[3:])


@pytest.mark.parametrize("wanted", [f"{ACT}_99조", "나루안전볍_1조", "없음"])
def test_a_unit_that_is_not_there_is_answered_with_some_that_are(
    mapped: Workspace, wanted: str
) -> None:
    with refused("graph_unit_unknown") as caught:
        neighbourhood(mapped, 1, wanted)
    near = str(caught.value.params["near"]).split(", ")
    assert near and all(neighbourhood(mapped, 1, each).nodes for each in near)
    if wanted != "없음":
        assert all(each.startswith(ACT) for each in near)


UNITS = MapQuery(Nodes.UNITS)


def _edges(drawn: LawMap) -> dict[tuple[str, str, EdgeType], int]:
    return {(e.source, e.target, e.type): e.count for e in drawn.edges}


def _expected(mapped: Workspace, by_statute: bool) -> dict[tuple[str, str, EdgeType], int]:
    """Count the edges of the graph as it is kept, one by one."""
    with mapped.reading() as session:
        graph = load_graph(session, 1)
    counts: Counter[tuple[str, str, EdgeType]] = Counter()
    for edge in graph.edges:
        ends = [split_id(end)[0] if by_statute else end for end in (edge.source, edge.target)]
        if edge.type in TYPES and ends[0] != ends[1]:
            counts[ends[0], ends[1], edge.type] += 1
    return dict(counts)


@pytest.mark.parametrize("nodes", list(Nodes))
def test_a_small_law_is_drawn_whole(mapped: Workspace, nodes: Nodes) -> None:
    drawn = law_map(mapped, SLUG, MapQuery(nodes))
    expected = _expected(mapped, nodes is Nodes.STATUTES)
    assert expected and _edges(drawn) == expected
    whole = [law.semantic_id for law in ferry_law()]
    units = [unit.semantic_id for law in ferry_law() for unit in law.units]
    known = whole if nodes is Nodes.STATUTES else units
    assert {node.id for node in drawn.nodes} == set(known)
    assert drawn.total == drawn.matching == len(known)
    assert drawn.among == drawn.joining == len(expected)
    joined = {node.id: set[str]() for node in drawn.nodes}
    for source, target, _ in expected:
        joined[source].add(target)
        joined[target].add(source)
    assert {node.id: node.degree for node in drawn.nodes} == {k: len(v) for k, v in joined.items()}
    assert len({(node.x, node.y) for node in drawn.nodes}) == len(drawn.nodes)


def test_the_same_question_has_the_same_map_after_a_restart(mapped: Workspace) -> None:
    first = law_map(mapped, SLUG, UNITS)
    for each in (maps._map, maps._arrays, positions):
        each.cache_clear()
    assert law_map(mapped, SLUG, UNITS) == first


def test_the_most_joined_are_drawn_and_the_rest_is_counted(mapped: Workspace) -> None:
    whole, few = law_map(mapped, SLUG, UNITS), law_map(mapped, SLUG, replace(UNITS, most=3))
    assert [node.id for node in few.nodes] == [node.id for node in whole.nodes[:3]]
    assert [node.degree for node in few.nodes] == [node.degree for node in whole.nodes[:3]]
    assert (few.matching, few.joining) == (whole.matching, whole.joining)
    assert few.among == len(few.edges) < whole.among


def test_a_map_can_be_narrowed(mapped: Workspace) -> None:
    of_act = law_map(mapped, SLUG, replace(UNITS, statute=ACT))
    assert {split_id(node.id)[0] for node in of_act.nodes} == {ACT}
    decree = law_map(mapped, SLUG, replace(UNITS, tiers=(Tier.DECREE,)))
    assert {split_id(node.id)[0] for node in decree.nodes} == {DECREE}
    applied = law_map(mapped, SLUG, replace(UNITS, types=(EdgeType.DELEGATES_TO,)))
    assert {edge.type for edge in applied.edges} == {EdgeType.DELEGATES_TO}
    around = law_map(mapped, SLUG, MapQuery(statute=DECREE, types=(EdgeType.SPECIFIES,)))
    assert DECREE in {node.id for node in around.nodes} and len(around.nodes) < 4


@pytest.mark.parametrize("nodes", list(Nodes))
def test_a_name_is_found_as_it_is_written_or_decomposed(mapped: Workspace, nodes: Nodes) -> None:

    for text in ("시행령", unicodedata.normalize("NFD", "시행령"), "  시행령 "):
        found = law_map(mapped, SLUG, MapQuery(nodes, text=text))
        assert {split_id(node.id)[0] or node.id for node in found.nodes} == {DECREE}, text
    for text in ("%", "_", "' OR 1=1 --", "\u202e"):
        assert not law_map(mapped, SLUG, MapQuery(nodes, text=text)).nodes


def test_communities_are_those_of_the_report(mapped: Workspace) -> None:
    lines = communities_of(mapped, SLUG)
    said = graph_report(mapped, SLUG).communities
    assert said.count and tuple(line.units for line in lines) == said.sizes
    found = [law_map(mapped, SLUG, replace(UNITS, community=line.number)) for line in lines]
    assert [drawn.matching for drawn in found] == [line.units for line in lines]
    ids = [node.id for drawn in found for node in drawn.nodes]
    assert len(ids) == len(set(ids))
    assert all(0 < line.share <= line.units and line.statutes for line in lines)


def test_files_say_what_is_drawn(mapped: Workspace) -> None:
    drawn = law_map(mapped, SLUG, UNITS)
    rows = list(csv.DictReader(io.StringIO(as_csv(drawn))))
    assert Counter(row["kind"] for row in rows) == {
        "node": len(drawn.nodes),
        "edge": len(drawn.edges),
    }
    said = json.loads(as_json(drawn))
    assert [node["id"] for node in said["nodes"]] == [node.id for node in drawn.nodes]
    assert (said["nodes"][0]["x"], said["nodes"][0]["y"]) == (drawn.nodes[0].x, drawn.nodes[0].y)
    assert said["joining"] == drawn.joining


def test_what_is_not_there_or_of_another_project_is_refused(mapped: Workspace) -> None:
    for query, code in (
        (MapQuery(Nodes.UNITS, statute="nothing"), "map_statute_unknown"),
        (MapQuery(Nodes.UNITS, community=99), "map_community_unknown"),
    ):
        assert code_of(law_map, mapped, SLUG, query) == code
    create_project(mapped, "other", "Other")
    stranger = add_person(mapped, "other", "Kim Ara", "annotator").id
    assert code_of(law_map, mapped, SLUG, MapQuery(), stranger) == "person_unknown"
    assert code_of(communities_of, mapped, SLUG, stranger) == "person_unknown"
    assert code_of(law_map, mapped, "other", MapQuery(), stranger) == "corpus_missing"
    keep_statutes(mapped, "other", ferry_law()[:1], "first")
    assert code_of(law_map, mapped, "other", MapQuery(), stranger) == "graph_missing"
