from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from corpus.graph.model import EdgeType
from messages import say
from services.gold.gold_set import GoldSet
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import project_with_graph
from tests.pages.small_project import empty_project, leader, page, shown
from tests.retrieval.text.test_token_counts import as_bytes, file_of


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


def test_without_law_it_says_so(workspace: Workspace):
    ara, _ = empty_project(workspace)
    at = page("graph_report", workspace, ara).run()
    assert at.error
    assert not at.exception


def test_without_a_graph_it_says_how_to_build_one(workspace: Workspace):
    at = page("graph_report", workspace, project_with_graph(workspace, built=False)).run()
    assert "no citation graph" in at.error[0].value


def test_who_may_see_scores_is_told_where_the_hit_rate_is(workspace: Workspace):
    ann = project_with_graph(workspace)
    words = "Figures, 1-hop hit rate"
    assert words not in shown(page("graph_report", workspace, ann).run())
    assert words in shown(page("graph_report", workspace, leader(workspace)).run())


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_table_is_there(workspace: Workspace, language: str):
    at = page("graph_report", workspace, project_with_graph(workspace), language).run()
    assert not at.exception
    assert not at.error
    assert [metric.value for metric in at.metric][:2] == ["2", "4"]
    assert len(at.dataframe) == 10
    edges = next(frame.value for frame in at.dataframe if len(frame.value) == len(EdgeType))
    assert edges.iloc[:, 1].tolist()[0] == 4  # PART_OF
    files = [each.proto.label for each in at.get("download_button")]
    assert [name.split()[-1] for name in files] == (
        ["CSV", "Markdown"] if language == "en" else ["받기", "받기"]
    )
    if language == "en":
        assert "greedy modularity" in shown(at)


def test_a_large_corpus_is_asked_about_first(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pages.law.graph_report._LARGE", 3)
    at = page("graph_report", workspace, project_with_graph(workspace)).run()
    assert not at.dataframe
    at.button(key="graph-report-make").click().run()
    assert len(at.dataframe) == 10


@pytest.mark.parametrize("language", ["en", "ko"])
def test_tokens_are_counted_by_what_is_chosen_and_the_report_says_by_what(
    workspace: Workspace, language: str
):
    at = page("graph_report", workspace, project_with_graph(workspace), language).run()
    assert say("graph_report.tokeniser.whitespace", language) in note(at, language)
    at.selectbox(key="graph-report-tokens").set_value("morphemes").run()
    assert not at.exception
    assert say("graph_report.tokeniser.morphemes", language) in note(at, language).replace("\\", "")
    at.selectbox(key="graph-report-tokens").set_value("file").run()
    assert say("graph_report.tokeniser_wanted", language) in [each.value for each in at.info]
    upload(at, as_bytes(file_of({})), "<b>mine</b>.json")
    assert not at.error
    digest = sha256(as_bytes(file_of({}))).hexdigest()[:12]
    assert digest in note(at, language)
    assert "<b>" not in note(at, language)


def test_a_file_that_is_no_tokenizer_is_refused_and_another_can_be_brought(workspace: Workspace):
    at = page("graph_report", workspace, project_with_graph(workspace)).run()
    at.selectbox(key="graph-report-tokens").set_value("file").run()
    upload(at, b"{}", "x.json")
    assert "not a tokenizer.json" in at.error[0].value.replace("\\", "")
    assert not at.exception
    upload(at, as_bytes(file_of({})), "x.json")
    assert not at.error


def upload(at: AppTest, content: bytes, name: str) -> None:
    at.file_uploader(key="graph-report-tokenizer").upload(name, content, "application/json")
    at.run()


def note(at: AppTest, language: str) -> str:
    """Return the line under the lengths."""
    begins = say("graph_report.lengths_note", language, n="#", tokeniser="#").split("#")[0]
    plain = {each.value: each.value.replace("\\", "") for each in at.caption}
    [found] = [said for said, words in plain.items() if words.startswith(begins)]
    return found


@pytest.mark.parametrize("language", ["en", "ko"])
def test_gold_in_the_graph_is_shown_to_who_may_see_scores(
    workspace: Workspace, language: str, monkeypatch: pytest.MonkeyPatch
):
    ann = project_with_graph(workspace)
    gold = GoldSet((), 0)
    gold.__dict__["qrels"] = {"one": {"나루안전법_2조": 1}}
    monkeypatch.setattr("services.law.graph.report.gold_set", lambda *_, **__: gold)
    words = say("graph_report.gold", language)
    assert words not in [
        each.value for each in page("graph_report", workspace, ann, language).run().header
    ]
    at = page("graph_report", workspace, leader(workspace), language).run()
    assert not at.exception and words in [each.value for each in at.header]
    assert len(at.dataframe) == 13
