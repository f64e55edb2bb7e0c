"""The benchmark of graph baselines over the sample's small law: every figure, and what it means."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from benchmarks import graph_baselines, graph_walk
from benchmarks.retrieval_law import Asked, corpus_of, resources_of
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.baselines.pagerank import Transitions
from retrieval.core.model import Query
from retrieval.core.registry import METHODS, complete
from retrieval.graph.citation_graph import CitationGraph
from tests.conftest import ROOT

LAW = ROOT / "sample" / "statutes"
STATUTES = read_tree(LAW)
CORPUS = corpus_of(STATUTES, [Level.ARTICLE])
_LSA: dict[str, Any] = {"method": "lsa", "dimensions": 3}
FEW: dict[str, dict[str, Any]] = {
    "hipporag2": {"method": "hipporag2", "base": _LSA},
    "lsa": _LSA,
    "best": {"method": "bm25"},
}


def test_whichever_are_registered_are_compared_over_one_base() -> None:
    named = graph_baselines.compared()
    assert {"nativerag", "hipporag2", "lsa", "best"} <= set(named)
    registered = {name for name in graph_baselines._ALL if name.partition("_")[0] in METHODS}
    assert set(named) == registered | {"lsa", "best"}
    assert all(complete(spec) for spec in named.values())
    assert all(named[name]["base"] == named["lsa"] for name in registered)


def test_every_method_is_held_against_its_base_and_the_recommended_one() -> None:
    units = CORPUS.documents[:6]
    asked = [Asked(Query(unit.id, unit.text), (unit.id,)) for unit in units]
    found = graph_baselines.quality(CORPUS, asked, resources_of(STATUTES), FEW)
    figures = {each.name: each for each in found}
    pairs = ("hipporag2 over lsa", "best over lsa", "hipporag2 over best")
    assert set(figures) == {
        *(f"recall_at_10[{name}]" for name in FEW),
        *(f"fit_seconds[{name}]" for name in FEW),
        *(f"query_ms[{name}]" for name in FEW),
        *(f"{what}[{pair}]" for what in ("gain", "holm_p") for pair in pairs),
    }
    recall = {name: figures[f"recall_at_10[{name}]"].value or 0 for name in FEW}
    gain = figures["gain[hipporag2 over lsa]"]
    assert gain.value == pytest.approx(recall["hipporag2"] - recall["lsa"]) and gain.n == 6


def walked() -> dict[str, float]:
    found = graph_walk.walk_figures(CORPUS, resources_of(STATUTES))
    return {each.name: each.value for each in found if each.value is not None}


def test_pagerank_is_measured_and_checked() -> None:
    figures = walked()
    assert figures["ppr_units"] == len(CORPUS)
    assert 0 < figures["ppr_ms"] <= figures["ppr_p95_ms"]
    assert figures["ppr_max_error"] < 1e-8
    assert figures["ppr_pairs"] > 0 < figures["ppr_cpu_ms"]


def test_a_wrong_rank_is_seen(monkeypatch) -> None:
    def moved(self, reset, damping):
        return np.full(len(self), 1 / len(self))

    monkeypatch.setattr(Transitions, "pagerank", moved)
    assert walked()["ppr_max_error"] > 1e-3


def test_the_part_that_is_checked_lies_around_the_most_cited() -> None:
    star = CitationGraph(np.array([5, 5, 5, 1, 0]), np.array([1, 2, 4, 3, 9]), 10, True)
    assert graph_walk.around(star, 3).tolist() == [1, 2, 5]
    assert graph_walk.around(star, 6).tolist() == [0, 1, 2, 3, 4, 5]
    assert graph_walk.around(star, 99).tolist() == list(range(10))


def test_it_prints_json_of_either_part(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(graph_baselines, "compared", lambda: FEW)
    unit = CORPUS.documents[0]
    line = {"question_id": 1, "question": unit.text, "answer": "-", "semantic_ids": [unit.id]}
    questions = tmp_path / "qna.jsonl"
    questions.write_text(json.dumps(line), encoding="utf-8")
    given = ["--statutes", str(LAW), "--questions", str(questions), "--json"]
    assert graph_baselines.main([*given, "--quality-only"]) == 0
    assert json.loads(capsys.readouterr().out)["recall_at_10[lsa]"]["n"] == 1
    assert graph_baselines.main([*given, "--walk-only", "--whole", str(LAW)]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {
        *("ppr_units", "ppr_pairs", "ppr_ms", "ppr_p95_ms", "ppr_cpu_ms", "ppr_max_error"),
    }


def test_what_cannot_be_measured_is_said(capsys, tmp_path) -> None:
    for option in ("--statutes", "--questions", "--whole"):
        assert graph_baselines.main([option, str(tmp_path / "nowhere")]) == 2
        assert f"{option}: there is no" in capsys.readouterr().err
    questions = tmp_path / "none.jsonl"
    line = {"question_id": 1, "question": "?", "answer": "-", "semantic_ids": ["없는법_1조"]}
    questions.write_text(json.dumps(line), encoding="utf-8")
    assert graph_baselines.main(["--statutes", str(LAW), "--questions", str(questions)]) == 2
    assert "no question has a gold article" in capsys.readouterr().err
