"""The report against a slow computation that shares no code with it, through the database."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import networkx
import pytest

from corpus.graph.build import build_graph, nodes_of
from corpus.graph.model import WALKED, Edge, Reference
from corpus.graph.report import GraphReport
from corpus.importers.legalize_kr import read_tree
from corpus.model import Statute, Unit
from services.law.graph.citation_graph import build
from services.law.graph.report import graph_report
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import ROOT, FakeClock

SLUG = "law"


@dataclass(frozen=True)
class Case:
    """The report on some statutes, and what it was made of."""

    done: GraphReport
    statutes: list[Statute]
    edges: list[Edge]
    references: list[Reference]

    @property
    def units(self) -> list[Unit]:
        return [unit for statute in self.statutes for unit in statute.units]

    def graph(self, *, part_of: bool) -> networkx.DiGraph:
        graph = networkx.DiGraph()
        nodes = nodes_of(self.statutes)
        wholes = {statute.semantic_id for statute in self.statutes}
        graph.add_nodes_from(node for node in nodes if part_of or node not in wholes)
        for edge in self.edges:
            walked = edge.type in WALKED or (part_of and edge.type == "part_of")
            if edge.source != edge.target and walked:
                graph.add_edge(edge.source, edge.target)
        return graph


def case_of(folder: Path, workspace: Workspace) -> Case:
    statutes = read_tree(folder)
    migrate(workspace)
    create_project(workspace, SLUG, "Law")
    keep_statutes(workspace, SLUG, statutes, "law")
    build(workspace, SLUG)
    built = build_graph(statutes)
    return Case(graph_report(workspace, SLUG), statutes, built.edges, built.references)


def check(case: Case) -> None:
    check_counts(case)
    check_lengths(case)
    check_components(case)
    check_degrees(case)
    check_communities(case)


def check_counts(case: Case) -> None:
    done = case.done
    assert (done.statutes, done.units) == (len(case.statutes), len(case.units))
    levels = Counter(str(unit.level) for unit in case.units)
    assert {k: n for k, n in done.nodes.items() if n} == levels | {
        "statute": len(case.statutes),
        "paragraph": sum(len(unit.paragraphs()) for unit in case.units),
    }
    tiers = Counter(int(statute.tier) for statute in case.statutes for _ in statute.units)
    assert {tier: n for tier, n in done.tiers.items() if n} == tiers
    kinds = Counter((str(edge.type), str(edge.origin)) for edge in case.edges)
    assert {(k, o): n for k, by in done.edges.items() for o, n in by.items()} == kinds
    forms = Counter((str(one.form), str(one.status)) for one in case.references)
    counted = {
        (row.form, status): getattr(row, status)
        for row in done.references
        for status in ("resolved", "ambiguous", "unresolved")
    }
    assert {key: n for key, n in counted.items() if n} == forms


def check_lengths(case: Case) -> None:
    texts = [unit.text for unit in case.units if unit.text]
    for found, lengths in (
        (case.done.characters, [len(text) for text in texts]),
        (case.done.tokens, [len(text.split()) for text in texts]),
    ):
        assert found is not None
        cuts = statistics.quantiles(lengths, n=100, method="inclusive")
        assert (found.n, found.largest) == (len(lengths), max(lengths))
        assert found.mean == pytest.approx(statistics.fmean(lengths))
        assert (found.p50, found.p75, found.p95) == pytest.approx((cuts[49], cuts[74], cuts[94]))


def check_components(case: Case) -> None:
    whole = {unit.semantic_id: unit.statute_id for unit in case.units}
    for found, part_of in ((case.done.with_part_of, True), (case.done.without_part_of, False)):
        parts = list(networkx.weakly_connected_components(case.graph(part_of=part_of)))
        largest = max(len(part) for part in parts)
        assert (found.count, found.largest) == (len(parts), largest)
        assert found.single == sum(len(part) == 1 for part in parts)
        spans = [len({whole[n] for n in part & set(whole)}) for part in parts]
        assert found.bridging == sum(span > 1 for span in spans)
        assert found.statutes in [n for n, part in zip(spans, parts, strict=True)
                                  if len(part) == largest]  # fmt: skip


def check_degrees(case: Case) -> None:
    graph = case.graph(part_of=False)
    orphans = Counter(str(u.level) for u in case.units if not graph.degree(u.semantic_id))
    assert {level: n for level, n in case.done.orphans.items() if n} == orphans
    for hubs, degree in ((case.done.cited, graph.in_degree), (case.done.citing, graph.out_degree)):
        ranked = sorted(((unit, n) for unit, n in degree() if n), key=lambda p: (-p[1], p[0]))
        assert [(hub.unit_id, hub.degree) for hub in hubs] == ranked[:10]


def check_communities(case: Case) -> None:
    found = case.done.communities
    assert found.method == "greedy_modularity"
    joined = case.graph(part_of=False).to_undirected()
    joined.remove_nodes_from([node for node in joined if not joined.degree(node)])
    theirs = networkx.community.greedy_modularity_communities(joined)
    assert found.modularity == pytest.approx(
        networkx.community.modularity(joined, theirs), abs=0.02
    )
    assert sum(found.sizes) <= len(joined)
    assert found.count >= networkx.number_connected_components(joined)


def test_on_the_sample(tmp_path: Path, clock: FakeClock) -> None:
    check(case_of(ROOT / "sample" / "statutes", Workspace(tmp_path / "ws", clock)))


@pytest.mark.long
@pytest.mark.real_data
def test_on_research_and_development(shared_data: Path, tmp_path: Path, clock: FakeClock) -> None:
    folder = shared_data / "korean-law" / "research-and-development" / "kr"
    check(case_of(folder, Workspace(tmp_path / "ws", clock)))
