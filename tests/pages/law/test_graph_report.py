from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from corpus.graph.model import EdgeType
from messages import say
from services.gold.gold_set import GoldSet
from storage.db.workspace import Workspace
from tests.pages.law_with_graph import project_with_graph
from tests.pages.screens import metrics, opened, table
from tests.pages.small_project import empty_project, leader, shown
from tests.retrieval.text.test_token_counts import as_bytes, file_of


def test_without_law_or_a_graph_it_says_so(workspace: Workspace, tmp_path: Path):
    ara, _ = empty_project(workspace)
    assert opened("graph_report", workspace, ara).error
    other = Workspace(tmp_path / "other", workspace.clock)
    at = opened("graph_report", other, project_with_graph(other, built=False))
    assert "no citation graph" in at.error[0].value


def test_who_annotates_sees_every_table_but_those_of_gold(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pages.law.graph_report._LARGE", 3)
    with_gold(monkeypatch)
    at = opened("graph_report", workspace, project_with_graph(workspace))
    at.session_state["graph-edges-more"] = True  # the table behind the picture
    assert not at.header, "a large corpus is asked about first"
    at.button(key="graph-report-make").click().run()
    assert not at.error
    assert metrics(at)[:2] == ["2", "4"]
    edges = table(at, "Type")
    assert len(edges) == len(EdgeType)
    assert edges["Total"].tolist()[0] == 4  # PART_OF
    assert len(at.get("download_button")) >= 6
    assert "greedy modularity" in shown(at)
    assert "Figures, 1-hop hit rate" not in shown(at)
    assert say("graph_report.gold") not in [each.value for each in at.header]


def test_who_may_see_scores_sees_gold_in_the_graph(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    project_with_graph(workspace)
    with_gold(monkeypatch)
    at = opened("graph_report", workspace, leader(workspace))
    assert "Figures, 1-hop hit rate" in shown(at)
    assert say("graph_report.gold") in [each.value for each in at.header]


def test_tokens_are_counted_by_what_is_chosen_and_the_report_says_by_what(workspace: Workspace):
    at = opened("graph_report", workspace, project_with_graph(workspace), graph_lengths_more=True)
    assert say("graph_report.tokeniser.whitespace") in note(at)
    at.selectbox(key="graph-report-tokens").set_value("file").run()
    assert say("graph_report.tokeniser_wanted") in [each.value for each in at.info]
    upload(at, b"{}", "x.json")
    assert "not a tokenizer.json" in at.error[0].value.replace("\\", "")
    upload(at, as_bytes(file_of({})), "<b>mine</b>.json")
    assert not at.error
    assert sha256(as_bytes(file_of({}))).hexdigest()[:12] in note(at)
    assert "<b>" not in note(at)


def with_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = GoldSet((), 0)
    gold.__dict__["qrels"] = {"one": {"나루안전법_2조": 1}}
    monkeypatch.setattr("services.law.graph.report.gold_set", lambda *_, **__: gold)


def upload(at: AppTest, content: bytes, name: str) -> None:
    at.file_uploader(key="graph-report-tokenizer").upload(name, content, "application/json")
    at.run()


def note(at: AppTest) -> str:
    """Return the line under the lengths."""
    begins = say("graph_report.lengths_note", n="#", tokeniser="#").split("#")[0]
    [found] = [e.value for e in at.caption if e.value.replace("\\", "").startswith(begins)]
    return str(found)
