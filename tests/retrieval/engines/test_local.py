"""The exact engine: the k nearest in a stated order, whatever else is asked along."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.engines.local import LocalEngine, products
from tests.support.examples import scaled


def of(rows: list[list[float]]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def test_long_vectors_are_found_as_exactly_as_short_ones():
    rng = np.random.default_rng(1)
    near = rng.normal(size=(1, 64))
    # Products of a million that differ in what single precision cannot see.
    rows = (1e3 * (near + 1e-7 * rng.normal(size=(500, 64)))).astype(np.float32)
    query = (1e3 * near).astype(np.float32)
    wide = (rows.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
    (found,) = LocalEngine(rows).search(query, 5)
    assert found.rows.tolist() == np.argsort(-wide, kind="stable")[:5].tolist()


def test_a_query_of_zeros_and_a_corpus_of_nothing_find_nothing():
    assert LocalEngine(of([[1, 0]])).search(of([[0, 0]]), 5)[0].rows.size == 0
    empty = np.zeros((0, 2), dtype=np.float32)
    assert LocalEngine(empty).search(of([[1, 0]]), 5)[0].rows.size == 0


def test_a_score_does_not_depend_on_what_is_asked_along():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((3_000, 96)).astype(np.float32)
    queries = rng.standard_normal((40, 96)).astype(np.float32)
    engine = LocalEngine(vectors)
    together = engine.search(queries, 10)
    for query, found in zip(queries, together, strict=True):
        alone = engine.search(query[None], 10)[0]
        assert alone.rows.tolist() == found.rows.tolist()
        assert alone.scores.tolist() == found.scores.tolist()


SMALL = st.integers(-2, 2).map(float)


@settings(max_examples=scaled(50))
@given(
    st.lists(st.lists(SMALL, min_size=3, max_size=3), min_size=1, max_size=12),
    st.lists(SMALL, min_size=3, max_size=3),
    st.integers(1, 14),
)
def test_it_finds_what_sorting_everything_finds(rows, query, k):
    vectors, asked = of(rows), of([query])
    filled = [at for at, row in enumerate(rows) if any(row)] if any(query) else []
    exact = {at: sum(a * b for a, b in zip(rows[at], query, strict=True)) for at in filled}
    expected = sorted(filled, key=lambda at: (-exact[at], at))[:k]
    found = LocalEngine(vectors).search(asked, k)[0]
    assert found.rows.tolist() == expected
    assert found.scores.tolist() == [exact[at] for at in expected]
    assert products(vectors, asked[0], found.rows).tolist() == found.scores.tolist()
