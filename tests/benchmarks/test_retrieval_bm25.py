"""The benchmark of BM25 tells a wrong ranking from a right one."""

from __future__ import annotations

import json

import numpy as np

from benchmarks.retrieval_quality import corpus_of
from benchmarks.retrieval_speed import agrees, bm25_figures
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.core.model import Query
from tests.conftest import ROOT


def test_the_ten_best_are_those_of_rank_bm25(tmp_path):
    corpus = corpus_of(read_tree(ROOT / "sample" / "statutes"), [Level.ARTICLE, Level.SECTION])
    lines = (ROOT / "sample" / "questions.jsonl").read_text("utf-8").splitlines()[:5]
    queries = [Query(str(i), json.loads(line)["question"]) for i, line in enumerate(lines)]
    figures = {each.name: each for each in bm25_figures(corpus, queries, tmp_path, "bigram")}
    assert figures["bm25_same_top10"].value == 1
    assert (figures["bm25_speedup"].value or 0) > 0


def test_only_rounding_may_swap_units():
    scores = np.array([3.0, 1.0, 2.0, 2.0 - 1e-9, 0.0])
    top = np.array([0, 2, 3, 1, 4])
    for right in ([0, 2, 3, 1], [0, 3, 2, 1]):
        assert agrees(right, top, scores)
    for wrong in ([2, 0, 3, 1], [0, 2, 3], [0, 2, 2, 1], [0, 2, 3, 4]):
        assert not agrees(wrong, top, scores)
