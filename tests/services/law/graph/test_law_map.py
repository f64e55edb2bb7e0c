from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.people.members import add_person
from corpus.graph.law_map import positions
from corpus.graph.model import EdgeType
from corpus.model import Tier, split_id
from services.law.graph import law_map as maps
from services.law.graph.citation_graph import build
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
from storage.law.graph import load_graph
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.corpus.graph.ferry_law import ACT, DECREE, ferry_law
from tests.projects.project_cache import kept
from tests.support.refusals import code_of

SLUG = "ferry"
UNITS = MapQuery(Nodes.UNITS)


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("ferries with their graph", workspace, lambda: _made(workspace))
    return workspace


def _made(workspace: Workspace) -> None:
    migrate(workspace)
    create_project(workspace, SLUG, "Ferries")
    keep_statutes(workspace, SLUG, ferry_law(), "first")
    build(workspace, SLUG)


def _edges(drawn: LawMap) -> dict[tuple[str, str, EdgeType], int]:
    return {(e.source, e.target, e.type): e.count for e in drawn.edges}


def _expected(ws: Workspace, by_statute: bool) -> dict[tuple[str, str, EdgeType], int]:
    """Count the edges of the graph as it is kept, one by one."""
    with ws.reading() as session:
        graph = load_graph(session, 1)
    counts: Counter[tuple[str, str, EdgeType]] = Counter()
    for edge in graph.edges:
        ends = [split_id(end)[0] if by_statute else end for end in (edge.source, edge.target)]
        if edge.type in TYPES and ends[0] != ends[1]:
            counts[ends[0], ends[1], edge.type] += 1
    return dict(counts)


@pytest.mark.parametrize("nodes", list(Nodes))
def test_a_small_law_is_drawn_whole(ws: Workspace, nodes: Nodes) -> None:
    drawn = law_map(ws, SLUG, MapQuery(nodes))
    expected = _expected(ws, nodes is Nodes.STATUTES)
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


def test_the_same_question_has_the_same_map_after_a_restart(ws: Workspace) -> None:
    first = law_map(ws, SLUG, UNITS)
    for each in (maps._map, maps._arrays, positions):
        each.cache_clear()
    assert law_map(ws, SLUG, UNITS) == first


def test_the_most_joined_are_drawn_and_the_rest_is_counted(ws: Workspace) -> None:
    whole, few = law_map(ws, SLUG, UNITS), law_map(ws, SLUG, replace(UNITS, most=3))
    assert [node.id for node in few.nodes] == [node.id for node in whole.nodes[:3]]
    assert [node.degree for node in few.nodes] == [node.degree for node in whole.nodes[:3]]
    assert (few.matching, few.joining) == (whole.matching, whole.joining)
    assert few.among == len(few.edges) < whole.among


def test_a_map_can_be_narrowed(ws: Workspace) -> None:
    of_act = law_map(ws, SLUG, replace(UNITS, statute=ACT))
    assert {split_id(node.id)[0] for node in of_act.nodes} == {ACT}
    decree = law_map(ws, SLUG, replace(UNITS, tiers=(Tier.DECREE,)))
    assert {split_id(node.id)[0] for node in decree.nodes} == {DECREE}
    applied = law_map(ws, SLUG, replace(UNITS, types=(EdgeType.DELEGATES_TO,)))
    assert {edge.type for edge in applied.edges} == {EdgeType.DELEGATES_TO}
    around = law_map(ws, SLUG, MapQuery(statute=DECREE, types=(EdgeType.SPECIFIES,)))
    assert DECREE in {node.id for node in around.nodes} and len(around.nodes) < 4


@pytest.mark.parametrize("nodes", list(Nodes))
def test_a_name_is_found_as_it_is_written_or_decomposed(ws: Workspace, nodes: Nodes) -> None:

    for text in ("시행령", unicodedata.normalize("NFD", "시행령"), "  시행령 "):
        found = law_map(ws, SLUG, MapQuery(nodes, text=text))
        assert {split_id(node.id)[0] or node.id for node in found.nodes} == {DECREE}, text
    for text in ("%", "_", "' OR 1=1 --", "\u202e"):
        assert not law_map(ws, SLUG, MapQuery(nodes, text=text)).nodes


def test_communities_are_those_of_the_report(ws: Workspace) -> None:
    lines = communities_of(ws, SLUG)
    said = graph_report(ws, SLUG).communities
    assert said.count and tuple(line.units for line in lines) == said.sizes
    found = [law_map(ws, SLUG, replace(UNITS, community=line.number)) for line in lines]
    assert [drawn.matching for drawn in found] == [line.units for line in lines]
    ids = [node.id for drawn in found for node in drawn.nodes]
    assert len(ids) == len(set(ids))
    assert all(0 < line.share <= line.units and line.statutes for line in lines)


def test_files_say_what_is_drawn(ws: Workspace) -> None:
    drawn = law_map(ws, SLUG, UNITS)
    rows = list(csv.DictReader(io.StringIO(as_csv(drawn))))
    assert Counter(row["kind"] for row in rows) == {
        "node": len(drawn.nodes),
        "edge": len(drawn.edges),
    }
    said = json.loads(as_json(drawn))
    assert [node["id"] for node in said["nodes"]] == [node.id for node in drawn.nodes]
    assert (said["nodes"][0]["x"], said["nodes"][0]["y"]) == (drawn.nodes[0].x, drawn.nodes[0].y)
    assert said["joining"] == drawn.joining


def test_what_is_not_there_or_of_another_project_is_refused(ws: Workspace) -> None:
    for query, code in (
        (MapQuery(Nodes.UNITS, statute="nothing"), "map_statute_unknown"),
        (MapQuery(Nodes.UNITS, community=99), "map_community_unknown"),
    ):
        assert code_of(law_map, ws, SLUG, query) == code
    create_project(ws, "other", "Other")
    stranger = add_person(ws, "other", "Kim Ara", "annotator").id
    assert code_of(law_map, ws, SLUG, MapQuery(), stranger) == "person_unknown"
    assert code_of(communities_of, ws, SLUG, stranger) == "person_unknown"
    assert code_of(law_map, ws, "other", MapQuery(), stranger) == "corpus_missing"
    keep_statutes(ws, "other", ferry_law()[:1], "first")
    assert code_of(law_map, ws, "other", MapQuery(), stranger) == "graph_missing"
