"""The report on the stored graph: its figures, and its tables as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

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
from services.law.graph.report import as_csv, as_markdown, graph_report, tables
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


def test_it_says_what_tokens_were_counted_by(ws: Workspace):
    done = graph_report(ws, SLUG)
    assert done.tokeniser == "whitespace"
    other = graph_report(ws, SLUG, TokenCount("mine", "ab" * 32, lambda texts: (3 for _ in texts)))
    assert (other.tokens and other.tokens.mean, other.characters) == (3, done.characters)
    assert lines(other)["tokeniser", "tokens", "used"] == "mine (SHA-256 abababababab)"
    assert "| tokens | mine (SHA-256 abababababab) |" in as_markdown(other)
    told: list[tuple[int, int]] = []
    again = graph_report(ws, SLUG, progress=lambda *said: told.append(said))
    assert again is done and not told, "kept for each way of counting by itself"
    graph_report(ws, SLUG, TokenCount("its"), progress=lambda *said: told.append(said))
    assert told == [(done.units, done.units)]


def test_the_report_is_of_the_newest_snapshot(ws: Workspace):
    graph_report(ws, SLUG)
    keep_statutes(ws, SLUG, law()[:1], "the act alone")
    with pytest.raises(UserError) as caught:
        graph_report(ws, SLUG)
    assert caught.value.code == "graph_missing"
    build(ws, SLUG)
    assert graph_report(ws, SLUG).statutes == 1


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


def lines(report: GraphReport) -> dict[tuple[str, str, str], str]:
    rows = list(csv.reader(io.StringIO(as_csv(report))))
    assert rows[0] == ["table", "row", "figure", "value"]
    return {(table, row, figure): value for table, row, figure, value in rows[1:]}


def test_every_figure_has_a_line_of_its_own(report: GraphReport) -> None:
    found = lines(report)
    assert found["nodes", "article", "count"] == "3"
    assert found["edges", "references", "count"] == "2"
    assert found["edges", "references", "hyperlink"] == "1"
    assert found["lengths", "characters", "p50"] == "20.0"
    assert found["lengths", "tokens", "largest"] == "3"
    assert found["components", "without_part_of", "largest"] == "3"
    assert found["cited", "가|나_2조", "degree"] == "2"
    assert found["references", "title", "ambiguous"] == "7"
    assert found["not_resolved", "several_match", "count"] == "7"
    assert found["communities", "count", "greedy_modularity"] == "1"
    assert len(found) == sum(len(each.rows) * len(each.columns) for each in tables(report))


def test_markdown_has_the_same_tables(report: GraphReport) -> None:
    said = as_markdown(report)
    assert [f"## {each.name}" in said for each in tables(report)] == [True] * 13
    assert "| 가\\|나_2조 | 2 |" in said
    for line in said.splitlines():
        assert not line.startswith("|") or line.endswith("|")


def test_what_is_missing_is_left_out() -> None:
    found = lines(describe([], [], []))
    assert not any(table == "lengths" for table, _, _ in found)
    assert ("communities", "modularity", "greedy_modularity") not in found


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
    told = lines(found)
    assert told["gold_hops", "2", "questions"] == "1"
    assert told["gold_cited", edge.source, "questions"] == "2"
    assert told["gold", "documents", "largest"] == "2"
    annotator = add_person(ws, SLUG, "Mina", "annotator").id
    assert graph_report(ws, SLUG, by=annotator).gold is None
