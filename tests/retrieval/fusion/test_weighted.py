"""The weighted sum of scores, worked out by hand, and what it builds on."""

from __future__ import annotations

import numpy as np
import pytest

from errors import UserError
from retrieval.fusion.weighted import Prior, Weighted, all_products, pools
from tests.retrieval.toys import ASKED, ToyDense, ToyScores, corpus_of, found, ids_of, made

CORPUS = corpus_of(*"abcd")


class ToyPrior(ToyScores, Prior):
    """A prior with the scores that the test says."""


def fitted(parts, weights=()) -> Weighted:
    method = made(Weighted, parts, weights=weights)
    assert isinstance(method, Weighted)
    method.fit(CORPUS)
    return method


def test_scores_are_shares_of_the_best_one_and_weighted():
    # a: 1 · 8/8 + .5 · 1/2, b: 1 · 2/8 + .5 · 2/2, c: 1 · 4/8
    method = fitted([ToyScores({"a": 8, "b": 2, "c": 4}), ToyScores({"a": 1, "b": 2})], [1, 0.5])
    assert found(method) == pytest.approx({"a": 1.25, "b": 0.75, "c": 0.5})
    assert ids_of(method.search([ASKED], 2)["q"]) == ["a", "b"]


def test_without_weights_all_parts_count_alike():
    parts = [ToyScores({"a": 8, "b": 2}), ToyScores({"b": 2})]
    assert found(fitted(parts)) == pytest.approx({"a": 1, "b": 1.25})


def test_negative_scores_count_as_none_and_a_part_that_finds_nothing_changes_nothing():
    method = fitted([ToyScores({"a": 2, "b": -1}), ToyScores({})])
    assert found(method) == pytest.approx({"a": 1})


def test_a_prior_lifts_what_others_find_and_finds_nothing_itself():
    method = fitted([ToyScores({"a": 2, "b": 1}), ToyPrior({"b": 3, "c": 9})], [1, 0.9])
    assert found(method) == pytest.approx({"a": 1, "b": 0.5 + 0.3})
    assert found(fitted([ToyPrior({"b": 3})])) == {}


def test_a_dense_part_gives_its_products():
    dense = ToyDense({"a": (1, 0), "b": (3, 4), "c": (0, 1), "d": (-1, 0)}, {"안전": (1, 0)})
    assert found(fitted([dense])) == pytest.approx({"a": 1, "b": 0.6})


def test_other_methods_can_build_on_it():
    method = fitted([ToyScores({"a": 8, "b": 2, "c": 4})])
    (pool,) = pools(method, [ASKED], 2)
    assert [CORPUS.ids[at] for at in pool.positions] == ["a", "c"]
    assert pool.score(np.array([1, 3])) == pytest.approx([0.25, 0])


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], [0, 0]])
def test_each_part_needs_one_weight_and_one_of_them_counts(weights):
    with pytest.raises(UserError) as refused:
        fitted([ToyScores({}), ToyScores({})], weights)
    assert refused.value.code == "weighted_weights"


def test_products_with_a_query_do_not_depend_on_the_others():
    draw = np.random.default_rng(5)
    rows, queries = (draw.standard_normal((n, 64)).astype(np.float32) for n in (3_000, 9))
    for unit in (True, False):
        together = list(all_products(rows, queries, unit))
        for query, row in zip(queries, together, strict=True):
            assert row.tobytes() == next(all_products(rows, query[None], unit)).tobytes()
    assert [len(each) for each in all_products(rows[:0], queries[:2], False)] == [0, 0]
