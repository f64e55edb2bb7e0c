"""The report on the stored graph: its figures, and its sections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import add_person
from corpus.citations.model import Reason, Status
from corpus.graph.build import build_graph
from corpus.graph.communities import GREEDY
from corpus.graph.model import Edge, EdgeType, Form, Origin
from corpus.graph.report import GraphReport, ReferenceFacts, UnitFacts, describe
from corpus.model import Level, Tier
from errors import UserError
from retrieval.text.tokenise import TokenCount
from services.gold.gold_set import GoldSet
from services.law.graph.citation_graph import build
from services.law.graph.report import graph_report
from services.law.graph.report_tables import as_report
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from tests.conftest import FakeClock
from tests.pages.law_with_graph import law, project_with_graph
from tests.pages.small_project import SLUG
from tests.support.refusals import code_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    ws = Workspace(tmp_path / "ws", clock)
    project_with_graph(ws)
    return ws


def test_the_stored_graph_is_described(ws: Workspace):
    done = graph_report(ws, SLUG)
    assert [(each.articles, each.tier) for each in done.largest] == [(3, 1), (1, 2)]
    assert done.nodes["article"] == 4
    assert done.edges["part_of"] == {"structure": 4}
    assert done.edges["delegates_to"] == {"text": 1}
    assert done.orphans["article"] == 1  # the article on the purpose
    assert done.without_part_of.largest == 3
    assert done.without_part_of.statutes == 2
    assert done.cited[0].unit_id == "나루안전법_2조"
    assert done.communities.method == GREEDY
    keep_statutes(ws, SLUG, law()[:1], "the act alone")  # it is of the newest snapshot
    assert code_of(graph_report, ws, SLUG) == "graph_missing"
    build(ws, SLUG)
    assert graph_report(ws, SLUG).statutes == 1


def test_it_says_what_tokens_were_counted_by(ws: Workspace):
    done = graph_report(ws, SLUG)
    assert done.tokeniser == "whitespace"
    other = graph_report(ws, SLUG, TokenCount("mine", "ab" * 32, lambda texts: (3 for _ in texts)))
    assert (other.tokens and other.tokens.mean, other.characters) == (3, done.characters)
    told_by = as_report(other, "en")
    assert told_by.facts["tokeniser"] == "mine (SHA-256 abababababab)"
    assert "mine (SHA-256 abababababab)" in told_by.written("markdown")
    told: list[tuple[int, int]] = []
    again = graph_report(ws, SLUG, progress=lambda *said: told.append(said))
    assert again is done and not told, "kept for each way of counting by itself"
    graph_report(ws, SLUG, TokenCount("its"), progress=lambda *said: told.append(said))
    assert told == [(done.units, done.units)]


@pytest.fixture
def report() -> GraphReport:
    units = [
        UnitFacts(f"가|나_{n}조", "가|나", Level.ARTICLE, Tier.ACT, 10 * n, n) for n in (1, 2, 3)
    ]
    edges = [
        Edge("가|나_1조", "가|나_2조", EdgeType.REFERENCES, Origin.TEXT),
        Edge("가|나_3조", "가|나_2조", EdgeType.REFERENCES, Origin.HYPERLINK),
    ]
    several = ReferenceFacts(Form.TITLE, Status.AMBIGUOUS, 7, Reason.SEVERAL_MATCH)
    return describe(units, edges, [several])


def row(report: GraphReport, section: str, name: str) -> dict[str, Any]:
    rows = as_report(report, "en").as_json()[section]
    return next(each for each in rows if name in each.values())


def test_every_figure_is_in_a_section(report: GraphReport) -> None:
    assert row(report, "nodes", "article")["count"] == 3
    edges = row(report, "edges", "references")
    assert (edges["total"], edges["hyperlink"]) == (2, 1)
    lengths = row(report, "lengths", "characters")
    assert (lengths["n"], lengths["p50"], lengths["largest"]) == (3, 20.0, 30)
    assert row(report, "components", "without_part_of")["largest_component"] == 3
    assert row(report, "cited", "가|나_2조")["degree"] == 2
    assert row(report, "references", "title")["ambiguous"] == 7
    assert row(report, "not_resolved", "several_match")["count"] == 7
    assert row(report, "communities", "1")["nodes"] == 3
    assert row(report, "tiers", str(int(Tier.ACT)))["count"] == 3


def test_degrees_and_tiers_have_their_sentences(report: GraphReport) -> None:
    assert report.degrees == {"0": (2, 1), "1": (0, 2), "2": (1, 0)}
    assert report.between == {(int(Tier.ACT), int(Tier.ACT)): 2}
    sections = {each.name: each for each in as_report(report, "en").sections}
    assert sections["degrees"].lead.startswith("2 of 3 provisions (67 %) are cited by no other")
    assert sections["between"].lead.startswith("Most often, 2 times of 2, a provision of")


def test_what_is_missing_is_left_out() -> None:
    empty = as_report(describe([], [], []), "ko")
    assert [each.name for each in empty.filled] == ["edges", "components", "communities"]
    assert empty.facts["modularity"] is None and empty.as_json()["lengths"] == []


def test_who_may_see_scores_is_told_how_gold_lies(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = graph_report(ws, SLUG)
    assert plain.gold is None  # no question is settled
    edge = next(e for e in build_graph(law()).edges if e.type is EdgeType.DELEGATES_TO)
    gold = GoldSet((), 0)
    gold.__dict__["qrels"] = {"one": {edge.source: 1}, "two": {edge.source: 1, edge.target: 1}}
    monkeypatch.setattr("services.law.graph.report.gold_set", lambda *_, **__: gold)
    found = graph_report(ws, SLUG)
    assert found.gold is not None and replace(found, gold=None, gold_set="") == plain
    assert found.gold_set == "people"
    assert (found.gold.questions, found.gold.several, found.gold.chains) == (2, 1, 1)
    assert found.gold.by_hops == {"1": 1, "2": 1, "3": 0, "4+": 0}
    assert row(found, "gold_hops", "2")["questions"] == 1
    assert row(found, "gold_levels", "article")["count"] == 3
    assert row(found, "gold_cited", edge.source)["questions"] == 2
    assert row(found, "gold", "documents")["largest"] == 2
    annotator = add_person(ws, SLUG, "Mina", "annotator").id
    assert graph_report(ws, SLUG, by=annotator).gold is None
    strata = {"L1": ("one",), "L2": ("two",), "L3": ()}
    split = replace(found, parts=strata, conditional=frozenset({"two"}))
    of_two = row(split, "gold_strata", "L2")
    assert (of_two["chains"]["value"], of_two["hops"]["value"], of_two["questions"]) == (1, 2, 1)
    assert row(split, "gold_strata", "all")["conditional"]["value"] == 0.5
    assert row(split, "gold_strata", "L3")["provisions"]["value"] is None
    with pytest.raises(UserError, match="nothing"):
        graph_report(ws, SLUG, split="nothing")
