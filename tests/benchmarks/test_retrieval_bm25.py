"""The benchmark of BM25 gives every figure, and tells a wrong ranking from a right one."""

from __future__ import annotations

import json

import numpy as np

from benchmarks.retrieval_bm25 import ARTICLES, agrees, bm25_figures
from benchmarks.retrieval_law import corpus_of
from corpus.importers.legalize_kr import read_tree
from retrieval.core.model import Query
from tests.conftest import ROOT

NAMES = {
    "bm25_cut_seconds",
    "bm25_fit_seconds",
    "bm25_index_mb",
    "bm25_open_seconds",
    "bm25_query_ms",
    "bm25_query_ms_p95",
    "bm25_speedup",
    "bm25_rank_bm25_ms",
    "bm25_same_top10",
}


def test_every_figure_is_there_with_its_n(tmp_path):
    corpus = corpus_of(read_tree(ROOT / "sample" / "statutes"), ARTICLES)
    lines = (ROOT / "sample" / "questions.jsonl").read_text("utf-8").splitlines()[:5]
    queries = [Query(str(i), json.loads(line)["question"]) for i, line in enumerate(lines)]
    figures = {each.name: each for each in bm25_figures(corpus, queries, tmp_path, "bigram")}
    assert set(figures) == NAMES
    assert figures["bm25_query_ms"].n == len(queries) == 5
    assert figures["bm25_cut_seconds"].n == len(corpus) > 10
    assert figures["bm25_same_top10"].value == 1
    assert (figures["bm25_speedup"].value or 0) > 0


def test_only_rounding_may_swap_units():
    scores = np.array([3.0, 1.0, 2.0, 2.0 - 1e-9, 0.0])
    top = np.array([0, 2, 3, 1, 4])
    assert agrees([0, 2, 3, 1], top, scores)
    assert agrees([0, 3, 2, 1], top, scores)
    assert not agrees([2, 0, 3, 1], top, scores)
    assert not agrees([0, 2, 3], top, scores)
    assert not agrees([0, 2, 2, 1], top, scores)
    assert not agrees([0, 2, 3, 4], top, scores)
