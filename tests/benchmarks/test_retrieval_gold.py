"""What is learnt from other questions' gold, measured on a toy and by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.retrieval_gold import gold_figures, reachable
from benchmarks.retrieval_quality import DEPTH, Asked, recall_scores, resources_of
from evaluation.figure import Figure
from retrieval.core.method import best_positions
from retrieval.core.model import JudgedQuestion
from retrieval.core.registry import make
from tests.benchmarks.test_retrieval import CORPUS, STATUTES, asked
from tests.support.examples import scaled

_CUT = {"tokeniser": "bigram", "near": 0.9}
SPEC: dict[str, Any] = {
    "method": "weighted",
    "of": [
        {"method": "bm25"},
        {"method": "cited_by"},
        {"method": "similar_questions", **_CUT},
        {"method": "gold_prior", **_CUT},
        {"method": "gold_prior", "level": "family", **_CUT},
    ],
    "weights": [1, 0.5, 1, 0.5, 0.5],
}


def figures(questions: list[Asked]) -> dict[str, Figure]:
    found = gold_figures(CORPUS, questions, resources_of(STATUTES), SPEC)
    return {figure.name: figure for figure in found}


def test_the_figures_are_those_of_the_method_itself() -> None:
    questions = asked()
    found = figures(questions)
    judged = [JudgedQuestion(each.query.id, each.query.text, each.gold) for each in questions]
    method = make(SPEC, replace(resources_of(STATUTES), gold=lambda: judged))
    method.fit(CORPUS)
    whole = [value or 0.0 for value in recall_scores(method, questions).values()]
    assert found["recall_at_10[from_gold]"].value == pytest.approx(np.mean(whole))
    plain = found["recall_at_10[best]"].value
    assert plain is not None
    assert found["gain[from_gold]"].value == pytest.approx(np.mean(whole) - plain)
    low, high = (found[f"from_gold_cross_validated_{end}"].value for end in ("lowest", "highest"))
    mean = found["recall_at_10[from_gold_cross_validated]"].value
    assert low is not None and high is not None and mean is not None and low <= mean <= high
    together = found["ceiling_at_100[parts_together]"].value
    assert together is not None and together >= (found["ceiling_at_100[best]"].value or 0)


@settings(max_examples=scaled(50))
@given(st.integers(0, 2**32 - 1))
def test_nothing_that_could_be_found_is_left_out(seed: int) -> None:
    draw = np.random.default_rng(seed)
    size = 200
    total = draw.integers(0, 6, size) / 4  # many are equal
    families = draw.integers(0, 5, size)
    gold = np.unique(draw.integers(0, size, 8))
    lifted = total + np.isin(families, families[gold]) * draw.random(5)[families]
    lifted[gold] += draw.random(len(gold))
    kept = reachable(total, families, gold.tolist())
    assert set(best_positions(lifted, DEPTH).tolist()) <= set(kept.tolist())
