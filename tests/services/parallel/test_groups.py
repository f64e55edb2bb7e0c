"""Parallel groups of a project: declared, proposed, decided, and joined in the citation graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.parallel import Verdict
from annotation.work.versioned_texts import PARALLEL_GROUPS
from construction.parallel.declaration import parse, starter
from corpus.graph.build import build_graph
from corpus.graph.model import EdgeType, Origin
from retrieval.core.model import Query
from retrieval.core.registry import make
from services.law.graph.citation_graph import build_snapshot, neighbourhood, unit_page
from services.law.graph.report import graph_report
from services.parallel import State, changes, decide, declared_groups, proposals
from services.runs.methods.preparation import corpus_of, ready, resources
from storage.law.graph import graph_view, keep_graph, load_graph
from storage.law.imports import keep_statutes
from tests.projects.parallel_law import (
    ACT,
    COSTS,
    REPORTS,
    SLUG,
    declared,
    law,
    parallel_workspace,
)
from tests.support.refusals import code_of


@pytest.fixture
def project(tmp_path, clock):
    return parallel_workspace(tmp_path / "ws", clock)


def edges(ws, snapshot_id=1):
    with ws.reading() as session:
        kept = load_graph(session, snapshot_id).edges
    return {(e.source, e.target) for e in kept if e.type is EdgeType.PARALLEL}


BOTH = {(COSTS[0], COSTS[2]), (COSTS[2], COSTS[0])}


def test_what_is_declared_is_joined_and_what_is_no_longer_is_not(project):
    ws, sora, _ = project
    assert PARALLEL_GROUPS.edition(ws, SLUG).packaged and edges(ws) == set()
    before = graph_report(ws, SLUG)
    assert PARALLEL_GROUPS.save(ws, SLUG, declared(), "ours", 1, sora) == 2
    assert edges(ws) == BOTH
    with ws.reading() as session:
        (one, _) = [e for e in load_graph(session, 1).edges if e.type is EdgeType.PARALLEL]
    assert (one.origin, one.term) == (Origin.DECLARED, "indirect_costs")
    after = graph_report(ws, SLUG)
    assert (before.edges["parallel"], after.edges["parallel"]) == ({}, {"declared": 2})
    assert PARALLEL_GROUPS.save(ws, SLUG, starter(), "none", 2, sora) == 3
    assert edges(ws) == set() and graph_report(ws, SLUG) == before
    assert [(each.number, each.person) for each in PARALLEL_GROUPS.editions(ws, SLUG)][:2] == [
        (3, "Sora"),
        (2, "Sora"),
    ]


def test_the_graph_around_a_provision_shows_its_parallels(project):
    ws, sora, _ = project
    PARALLEL_GROUPS.save(ws, SLUG, declared(), "", 1, sora)
    found = neighbourhood(ws, 1, COSTS[0], [EdgeType.PARALLEL])
    assert {node.unit_id for node in found.nodes} == {COSTS[0], COSTS[2]}
    page = unit_page(ws, 1, COSTS[0])
    assert [each.node.unit_id for each in page.cites] == [COSTS[2]]


def test_groups_are_joined_in_law_that_comes_later_and_in_a_graph_built_anew(project):
    ws, sora, _ = project
    PARALLEL_GROUPS.save(ws, SLUG, declared(), "", 1, sora)
    report = keep_statutes(ws, SLUG, law(" 다만, 그러하지 아니하다."), "second")
    assert edges(ws, report.snapshot_id) == set()  # it has no graph yet
    build_snapshot(ws, report.snapshot_id)
    assert edges(ws, report.snapshot_id) == edges(ws) == BOTH
    with ws.reading() as session:
        view = graph_view(session, report.snapshot_id)
    keep_graph(ws, 1, build_graph(law()))
    assert edges(ws) == BOTH
    with ws.reading() as session:
        assert graph_view(session, 1) == view


def test_a_preview_says_what_would_change_and_changes_nothing(project):
    ws, sora, ann = project
    found = changes(ws, SLUG, declared(second="경비기준_99조"), ann)
    assert (found.new, found.gone, found.edges) == (("indirect_costs",), (), (0, 0))
    (problem,) = found.problems
    assert (problem.unit, problem.what) == ("경비기준_99조", "missing")
    assert "+- key: indirect_costs" in found.diff
    assert len(PARALLEL_GROUPS.editions(ws, SLUG)) == 1
    other = changes(ws, SLUG, declared(second=f"{ACT}_1조"), ann)
    assert [(each.unit, each.what) for each in other.problems] == [(f"{ACT}_1조", "other_tier")]
    PARALLEL_GROUPS.save(ws, SLUG, declared(), "", 1, sora)
    changed = changes(ws, SLUG, declared(second=COSTS[1]), ann)
    assert (changed.new, changed.changed, changed.edges) == ((), ("indirect_costs",), (2, 2))
    (group,) = declared_groups(ws, SLUG, ann)
    assert group.problems == () and group.names[COSTS[0]].startswith("경비 기준 제20조")
    keep_statutes(ws, SLUG, [*law()[:1], _without(law()[1], COSTS[0])], "second")
    (group,) = declared_groups(ws, SLUG, ann)
    assert [(each.unit, each.what) for each in group.problems] == [(COSTS[0], "missing")]


def test_what_is_alike_is_proposed_with_its_score_and_reason(project):
    ws, _, _ = project
    found = proposals(ws, SLUG)
    by_units = {each.proposal.units: each for each in found.groups}
    assert set(by_units) == {COSTS, REPORTS}
    costs = by_units[COSTS]
    assert costs.state is State.OPEN and costs.decision is None
    assert [member.slot for member in costs.proposal.members] == [
        "for_profit",
        "non_profit",
        "university",
    ]
    assert costs.names[0] == "경비 기준 제20조 영리기관의 간접비 계상"
    assert proposals(ws, SLUG, statute="없는").groups == ()
    assert proposals(ws, SLUG, at_least=1).groups == () or found.groups[0].proposal.score == 1


def test_a_confirmed_proposal_is_declared_and_joined(project):
    ws, sora, _ = project
    assert decide(ws, SLUG, [COSTS], Verdict.CONFIRMED, "one duty", sora) == 2
    newest = PARALLEL_GROUPS.edition(ws, SLUG)
    assert (newest.person, newest.note) == ("Sora", "one duty")
    (group,) = parse(newest.text).groups
    assert {member.unit for member in group.members} == set(COSTS)
    assert len(edges(ws)) == 6
    states = {each.proposal.units: each.state for each in proposals(ws, SLUG).groups}
    assert states == {COSTS: State.DECLARED, REPORTS: State.OPEN}
    assert code_of(decide, ws, SLUG, [COSTS], Verdict.REFUSED, "", sora) == "parallel_declared"


def test_a_refused_proposal_stays_refused_with_who_and_when_until_somebody_confirms_it(project):
    ws, sora, _ = project
    decide(ws, SLUG, [REPORTS], Verdict.REFUSED, "not one duty", sora)
    assert len(PARALLEL_GROUPS.editions(ws, SLUG)) == 1 and edges(ws) == set()
    stays = {each.proposal.units: each for each in proposals(ws, SLUG).groups}[REPORTS]
    assert stays.state is State.REFUSED and stays.decision is not None
    assert (stays.decision.person, stays.decision.note) == ("Sora", "not one duty")
    assert stays.decision.at and stays.decision.score == stays.proposal.score
    keep_statutes(ws, SLUG, law(" 다만, 그러하지 아니하다."), "second")
    again = {each.proposal.units: each for each in proposals(ws, SLUG).groups}[REPORTS]
    assert again.state is State.REFUSED
    decide(ws, SLUG, [REPORTS], Verdict.CONFIRMED, "", sora)
    states = {each.proposal.units: each.state for each in proposals(ws, SLUG).groups}
    assert states[REPORTS] is State.DECLARED


def test_a_part_of_a_refused_group_is_refused_too(project):
    ws, sora, _ = project
    decide(ws, SLUG, [REPORTS], Verdict.REFUSED, "", sora)
    keep_statutes(ws, SLUG, [*law()[:1], _without(law()[1], REPORTS[0])], "second")
    parts = {each.proposal.units: each.state for each in proposals(ws, SLUG).groups}
    assert parts[REPORTS[1:]] is State.REFUSED


def _without(statute, unit_id):
    return replace(statute, units=tuple(u for u in statute.units if u.semantic_id != unit_id))


def test_what_is_not_proposed_cannot_be_decided(project):
    ws, sora, _ = project
    other = [(COSTS[0], REPORTS[1])]
    assert code_of(decide, ws, SLUG, other, Verdict.CONFIRMED, "", sora) == "parallel_proposal_gone"
    assert code_of(proposals, ws, SLUG, at_least=0) == "parallel_bounds"
    assert code_of(proposals, ws, SLUG, most=1) == "parallel_bounds"


def test_methods_follow_declared_edges_and_are_other_methods_with_other_groups(project):
    ws, sora, _ = project
    spec = {"method": "sar", "base": {"method": "bm25"}, "edges": ["parallel"], "K": 1}
    assert code_of(make, spec, resources(ws, 1, SLUG)) == "parallel_undeclared"
    versions = []
    for number, text in ((1, declared()), (2, declared(second=COSTS[1]))):
        PARALLEL_GROUPS.save(ws, SLUG, text, "", number, sora)
        method = ready(ws, spec, corpus_of(ws, 1), resources(ws, 1, SLUG))
        versions.append(method.versions)
        hits = method.search([Query("q", "영리기관 간접비 계상")], 9)["q"]
        graph = method.graph  # type: ignore[attr-defined]
        assert len(graph) == 2 and hits[0].unit_id == COSTS[0]
    assert len(set(versions)) == 2
    plain = make(spec | {"edges": ["references"]}, resources(ws, 1, SLUG))
    assert "parallel" not in plain.versions
