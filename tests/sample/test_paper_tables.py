"""The main tables of the papers as experiment files: every line runs, or says what it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from construction.experiments.reading import parse
from messages import LANGUAGES
from retrieval.dense import model_files
from services.gold import gold_set
from services.models.call_counts import CallSums
from services.runs.experiments.results import experiment_results
from services.runs.experiments.running import LinesFailedError, check_experiment, run_experiment
from services.runs.experiments.tables import as_file
from services.runs.methods.preparation import corpus_of, is_not_here
from services.sample.loading import starters
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions
from storage.projects import find_project
from tests.conftest import ROOT, FakeClock
from tests.llm.serving import serving
from tests.projects.small_law import SLUG, small_workspace
from tests.services.readings.test_readings import answer as reads
from tests.services.small_gold import FIRST

PAPERS = {file.stem: file for file in sorted((ROOT / "sample" / "experiments").glob("paper-*"))}
HERE = {  # the lines that need neither a model's files nor a server
    "paper-searchfiresafety": [
        *("TF-IDF", "BM25 over Jamo", "LSA", "LSA + RRF", "LSA + wRRF", "LSA + Rocchio"),
        "LSA + SAR",
    ],
    "paper-reasoning": ["BM25", "LSA"],
    "paper-refwalk": [
        *("BM25", "BM25 over Jamo", "LSA", "NativeRAG over LSA"),
        "LightRAG over LSA, stand-in",
        *(f"LightRAG over LSA, stand-in · {mode}" for mode in ("local", "global", "hybrid")),
        *("HippoRAG-2 over LSA, stand-in", "PIKE-RAG over LSA, stand-in", "RefWalk over LSA"),
        "RefWalk over LSA · without OKG",
    ],
    "paper-legalsearchlm": ["BM25", "BM25 over Jamo", "LSA", "KELLER over BM25, sentences"],
}
REASONS = {  # what the others lack, and what of it the message has to name
    "model_missing": "TOUCHSTONE_DOWNLOAD_MODELS",
    "models_role_unset": "models.toml",
}


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST)
    monkeypatch.setattr(model_files, "_PACKAGED", {})
    monkeypatch.delenv("TOUCHSTONE_DOWNLOAD_MODELS", raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return small_workspace(tmp_path / "ws", clock)


def test_there_is_one_for_each_paper_among_the_files_to_begin_with() -> None:
    assert set(PAPERS) == set(HERE)
    assert {file.name for file in PAPERS.values()} <= {each.file for each in starters()}


@pytest.mark.parametrize("paper", HERE)
def test_every_line_runs_or_names_what_to_install_or_set(paper: str, ws: Workspace) -> None:
    text = PAPERS[paper].read_text("utf-8")
    plan = check_experiment(ws, SLUG, text, PAPERS[paper].name)
    labels = [line.label for line in plan.experiment.lines]
    here = [label for at, label in enumerate(labels) if at not in plan.lacking]
    assert here == HERE[paper]
    for error in plan.lacking.values():
        assert is_not_here(error) and error.code in REASONS
        assert all(REASONS[error.code] in error.render(language) for language in LANGUAGES)
    assert len(plan.lacking) + len(here) == len(labels)
    with pytest.raises(LinesFailedError) as failed:
        run_experiment(ws, SLUG, text)
    results = experiment_results(ws, SLUG, 1)
    assert [line.line.label for line in results.lines if line.scores] == here
    assert len(failed.value.failed) + len(here) == len(results.lines)
    table = as_file(results, "markdown")
    assert all(label.replace("_", r"\_") in table for label in labels), "those without a run too"


def test_with_a_model_for_the_role_the_lines_that_only_ask_run_too(ws: Workspace) -> None:
    text = PAPERS["paper-reasoning"].read_text("utf-8")
    with serving(ws), pytest.raises(LinesFailedError):
        run_experiment(ws, SLUG, text)
    results = experiment_results(ws, SLUG, 1)
    ran = {line.line.label: line for line in results.lines if line.scores}
    asking = ["BM25 + paraphrase", "BM25 + CoT", "BM25 + structured reasoning"]
    ways = {label.removeprefix("BM25") for label in asking}
    assert set(ran) == {*HERE["paper-reasoning"], *asking, *(f"LSA{way}" for way in ways)}
    with ws.reading() as session:  # a run ranks every question, with gold or without
        asked = len(load_questions(session, find_project(session, SLUG).id))
    for label in asking:
        cost = ran[label].cost
        assert cost.queries is not None and cost.queries.calls == asked
    shared = ran["LSA + structured reasoning"].cost  # BM25's line had them asked
    assert shared.queries is not None and shared.queries.recalled == asked
    text = as_file(results, "markdown")
    assert "Answers recalled from the store" in text and "LSA + structured reasoning (" in text


READERS = {  # how many calls a unit takes: 718, 1,436 and 2,329 for 718 units in the RefWalk paper
    "PIKE-RAG over LSA, model": (1, 1),
    "HippoRAG-2 over LSA, model": (2, 2),
    "LightRAG over LSA, model": (2, 4),
}


def test_the_graph_baselines_take_the_calls_for_an_index_that_the_paper_counts(
    ws: Workspace,
) -> None:
    entries = yaml.safe_load(PAPERS["paper-refwalk"].read_text("utf-8"))
    kept = [each for each in entries["methods"] if each["name"] in (*READERS, "BM25", "LSA")]
    text = yaml.safe_dump(entries | {"methods": kept}, allow_unicode=True)
    units = len(corpus_of(ws, 1))
    with serving(ws) as server:
        server.says = reads
        run_experiment(ws, SLUG, text)
    lines = {line.line.label: line.cost for line in experiment_results(ws, SLUG, 1).lines}
    for label, (fewest, most) in READERS.items():
        index = lines[label].index
        assert index is not None and index.recalled == 0
        assert fewest * units <= index.calls <= most * units, label
        assert index.tokens == 15 * index.calls and index.seconds > 0
    for label in ("BM25", "LSA"):
        assert lines[label].index == lines[label].queries == CallSums()


def test_the_measures_are_those_of_the_papers() -> None:
    found = {
        stem: [repr(measure) for measure in parse(file.read_text("utf-8")).measures]
        for stem, file in PAPERS.items()
    }
    assert found["paper-searchfiresafety"] == [
        f"{name}@{k}" for name in ("Recall", "nDCG") for k in (1, 3, 5, 10, 20, 50, 100)
    ]
    assert found["paper-refwalk"] == ["Recall@10", "FullCov@10", "nDCG@10"]
    assert found["paper-legalsearchlm"][0] == "P@5"
    assert {"Recall@10", "AnyGold@10", "FullCov@10", "Recall@1000"} <= set(found["paper-reasoning"])
