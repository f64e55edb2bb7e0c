from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from corpus.model import Question
from messages import say
from pages.shell.guard import md_literal
from services.runs.retrieving import retrieve
from storage.law.imports import keep_questions
from tests.conftest import ROOT
from tests.pages.small_project import ACT, SLUG, Small, page

BEIR = ROOT / "tests" / "fixtures" / "beir"


def at_tab(small: Small, part: str, language: str = "en") -> AppTest:
    at = page("figures", small, small.sora, language)
    at.session_state["figures-tab"] = say(f"figures.tab.{part}", language)
    return at.run()


def pressed(at: AppTest, words: str) -> AppTest:
    button = next(each for each in at.button if each.label == words)
    at = button.click().run()
    return at


def packed() -> bytes:
    """Return a zip file of a folder with a BEIR data set."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for file in sorted(BEIR.rglob("*.*")):
            archive.write(file, Path("ferries") / file.relative_to(BEIR))
    return out.getvalue()


def charts(at: AppTest) -> list[str]:
    """Return what is told of each picture to who cannot see it."""
    return [json.loads(each.proto.spec)["description"] for each in at.get("vega_lite_chart")]


def tables(at: AppTest, file: str, section: str) -> Any:
    """Return the table behind the picture of a section."""
    at.session_state[f"{file}-{section}-more"] = True
    return at.run().dataframe[0].value


def test_a_neighbourhood_and_hit_rates_are_drawn_when_asked_for(small: Small) -> None:
    at = at_tab(small, "neighbourhood")
    assert at.selectbox(key="figures-question").options[0].startswith("q1 · 건물의 관계인은")
    assert not charts(at)
    at = pressed(at, say("figures.draw"))
    (said,) = charts(at)
    assert say("figure_report.graph_explicit") in said
    hits = say("figure_report.neighbourhood_lead", cosine=2, explicit=0)
    assert md_literal(hits) in [each.value for each in at.markdown]
    at = pressed(at_tab(small, "hits"), "Compute")
    (said,) = charts(at)
    assert said.startswith("1-hop hit rate. Citation graph")
    table = tables(at, "hits", "rates")
    # Every article is among ten seeds of three: nothing is left to reach.
    assert table["Reaches a gold provision that was missed"].tolist()[0] == "–"
    assert (table["n, missed"].tolist()[0], table["n"].tolist()[0]) == (0, 1)


def test_runs_are_drawn_as_bars_and_by_similarity(small: Small) -> None:
    retrieve(small.workspace, SLUG)
    at = at_tab(small, "bars")
    (said,) = charts(at)
    assert said.startswith("Runs by measure. Recall@5, 1 · BM25 bigram: 1.000")
    at = at_tab(small, "similarity")
    assert charts(at)[0].startswith("Recall@10 by lexical similarity.")
    table = tables(at, "similarity", "slopes")
    assert (table["Slope"].tolist(), table["n"].tolist()) == (["–"], [1])  # one point, no line


def test_data_sets_are_compared_with_their_tests(small: Small) -> None:
    at = pressed(at_tab(small, "datasets"), "Compute")
    table = tables(at, "datasets", "datasets")
    assert table["Data set"].tolist() == [SLUG]
    assert (table["Questions"].tolist(), table["Without gold here"].tolist()) == ([2], [1])
    assert len(at.dataframe) == 1  # nothing to test against
    at.file_uploader(key="figures-beir").upload("ferries.zip", packed())
    at = pressed(at, "Compute")
    assert at.dataframe[0].value["Data set"].tolist() == [SLUG, "ferries"]
    tests = at.dataframe[1].value
    assert tests["Against"].tolist() == ["ferries"] * 2
    at.file_uploader(key="figures-beir").upload("broken.zip", b"no archive")
    at = pressed(at, "Compute")
    assert "not a complete archive" in at.error[0].value
    assert not charts(at) and not at.dataframe  # what was computed for another choice is gone


def test_the_gold_set_is_chosen_once_for_all_figures_and_said_on_each(small: Small) -> None:
    labelled = Question("s9", "소화기는?", "–", "ko", gold_ids=(f"{ACT}_1조",))
    keep_questions(small.workspace, SLUG, [labelled], "labels.jsonl")
    at = pressed(at_tab(small, "datasets"), "Compute")
    assert tables(at, "datasets", "datasets")["Questions"].tolist() == [3]
    said = "Gold: 3 questions, 2 decided by people and 1 with labels of the data."
    assert md_literal(f"{SLUG}: {said}") in [each.value for each in at.caption]
    at = at.selectbox(key="gold-set").set_value("people").run()
    assert not charts(at)  # what was computed on another gold set is gone
    at.session_state["figures-tab"] = say("figures.tab.neighbourhood", "en")
    at = at.run()
    assert not any(each.startswith("s9") for each in at.selectbox(key="figures-question").options)
    at = at.selectbox(key="gold-set").set_value("source").run()
    assert [each[:2] for each in at.selectbox(key="figures-question").options] == ["s9"]
