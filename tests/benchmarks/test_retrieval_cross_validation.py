"""Choosing weights on some questions and scoring them on others, on a toy and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.retrieval_cross_validation import (
    SETS,
    cross_validation_figures,
    crossed,
    recall_table,
)
from benchmarks.retrieval_quality import BEST, Asked, quality_figures, resources_of
from retrieval.core.model import Query
from retrieval.fusion.weighted import Weighted
from tests.benchmarks.test_retrieval import CORPUS, STATUTES, asked
from tests.retrieval.toys import ToyScores, corpus_of, made

SPEC = {
    "method": "weighted",
    "of": [
        {"method": "bm25"},
        {"method": "bm25", "tokeniser": "char3"},
        {"method": "headings"},
        {"method": "cited_by"},
    ],
    "weights": [1, 0.5, 0.5, 0.25],
}


def test_the_figures_of_a_weighted_sum_and_what_the_benchmark_says_of_it() -> None:
    resources = resources_of(STATUTES)
    found = {one.name: one for one in cross_validation_figures(CORPUS, asked(), resources, SPEC)}
    (plain, *_) = quality_figures(CORPUS, asked(), resources, {BEST: SPEC})
    assert found["recall_at_10[best]"] == plain
    for part in ("bm25_bigram", "bm25_char3", "headings", "cited_by"):
        without = found[f"recall_at_10[best_without_{part}]"].value
        assert without is not None and plain.value is not None
        assert found[f"gain[{part}]"].value == pytest.approx(plain.value - without)
        assert found[f"holm_p[{part}]"].n == 7
    for name in ("best_cross_validated", "best_cross_validated_parts"):
        mean = found[f"recall_at_10[{name}]"]
        low, high = (found[f"{name}_{end}"].value for end in ("lowest", "highest"))
        assert mean.n == 7 and mean.low is not None
        assert mean.value is not None and low is not None and high is not None
        assert low <= mean.value <= high
    assert found["cross_validation_weight_sets"].value == SETS


def test_a_question_is_scored_by_what_the_others_choose() -> None:
    # The first set is right on all but one question, the second on that one alone: whoever saw it
    # would gain nothing, and it is scored by the first.
    recall = np.array([[1.0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]])
    assert crossed(recall, 0).tolist() == [1, 1, 1, 1, 1, 0]
    # Each set is right where the other is wrong; what the others choose is the first.
    halves = np.array([[1.0, 1, 1, 0, 0], [0, 0, 0, 1, 1]])
    assert crossed(halves, 3).tolist() == [1, 1, 1, 0, 0]
    even = np.array([[1.0, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1]])
    assert crossed(even, 0).mean() < 0.5  # the best on the others is the worse on these


def test_recall_of_each_set_of_weights_by_hand() -> None:
    ids = [f"{at:02}" for at in range(12)]
    parts = [ToyScores({each: 1.0 + at for at, each in enumerate(ids)}), ToyScores({"00": 5})]
    method = made(Weighted, parts)
    assert isinstance(method, Weighted)
    method.fit(corpus_of(*ids))
    # The first part alone leaves 00 and 01 out of the ten best, both together only 01 and 02.
    table = recall_table(
        method, np.array([[1, 0], [1, 1.0]]), [Asked(Query("q", "안전"), ("00", "01"))]
    )
    assert table.tolist() == [[0], [0.5]]
