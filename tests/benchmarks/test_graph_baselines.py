"""The benchmark of graph baselines over the sample's small law: every figure, and what it means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks import graph_baselines
from benchmarks.retrieval_quality import corpus_of, resources_of
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.baselines.pagerank import Transitions
from retrieval.core.registry import METHODS, complete
from retrieval.graph.citation_graph import CitationGraph
from tests.benchmarks.test_retrieval import asked
from tests.conftest import ROOT

STATUTES = read_tree(ROOT / "sample" / "statutes")
CORPUS = corpus_of(STATUTES, [Level.ARTICLE])
_LSA: dict[str, Any] = {"method": "lsa", "dimensions": 3}
FEW: dict[str, dict[str, Any]] = {
    "hipporag2": {"method": "hipporag2", "base": _LSA},
    "lsa": _LSA,
    "best": {"method": "bm25"},
}


def test_whichever_are_registered_are_compared_over_one_base() -> None:
    named = graph_baselines.compared()
    registered = {name for name in graph_baselines._ALL if name.partition("_")[0] in METHODS}
    assert set(named) == registered | {"lsa", "best"}
    assert all(complete(spec) for spec in named.values())
    assert all(named[name]["base"] == named["lsa"] for name in registered)


def test_every_method_is_held_against_its_base_and_the_recommended_one() -> None:
    found = graph_baselines.quality(CORPUS, asked(), resources_of(STATUTES), FEW)
    figures = {each.name: each for each in found}
    recall = {name: figures[f"recall_at_10[{name}]"].value or 0 for name in FEW}
    for one, other in (("hipporag2", "lsa"), ("best", "lsa"), ("hipporag2", "best")):
        gain = figures[f"gain[{one} over {other}]"]
        assert gain.value == pytest.approx(recall[one] - recall[other]) and gain.n == 7
        assert f"holm_p[{one} over {other}]" in figures


def test_pagerank_is_checked_and_a_wrong_rank_seen(monkeypatch) -> None:
    def walked() -> dict[str, float]:
        found = graph_baselines.walk_figures(CORPUS, resources_of(STATUTES))
        return {each.name: each.value for each in found if each.value is not None}

    figures = walked()
    assert figures["ppr_units"] == len(CORPUS)
    assert 0 < figures["ppr_ms"] <= figures["ppr_p95_ms"]
    assert figures["ppr_max_error"] < 1e-8
    equal = lambda self, reset, damping: np.full(len(self), 1 / len(self))  # noqa: E731
    monkeypatch.setattr(Transitions, "pagerank", equal)
    assert walked()["ppr_max_error"] > 1e-3


def test_the_part_that_is_checked_lies_around_the_most_cited() -> None:
    star = CitationGraph(np.array([5, 5, 5, 1, 0]), np.array([1, 2, 4, 3, 9]), 10, True)
    assert graph_baselines.around(star, 3).tolist() == [1, 2, 5]
    assert graph_baselines.around(star, 99).tolist() == list(range(10))
