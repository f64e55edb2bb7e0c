"""Latent semantic analysis against a full decomposition, and as every method must behave."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from math import log, sqrt

import numpy as np
import pytest

from corpus.long_work import stoppable
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.dense.lsa import LSA, count, decomposed
from retrieval.lexical.lexical_method import TermCounter
from retrieval.text.tokenise import TOKENISERS, bigrams
from tests.conftest import ROOT
from tests.retrieval.dense.law import corpus
from tests.support.refusals import refused

TEXTS = [["a", "a", "b"], ["b", "c"], ["c", "d"]]


def counted(texts, weighting, min_df):
    """Count texts that are cut into words already."""
    spaced = (" ".join(words) for words in texts)
    return count(TermCounter(TOKENISERS["whitespace"]), spaced, weighting, min_df)


def idf(n: int, df: int) -> float:
    return log(1 + (n - df + 0.5) / (df + 0.5))


def test_tfidf_rows_are_the_formula_at_length_one():
    terms, rows = counted(TEXTS, "tfidf", 1)
    assert terms.vocabulary == {"a": 0, "b": 1, "c": 2, "d": 3}
    a, b = (1 + log(2)) * idf(3, 1), 1 * idf(3, 2)
    length = sqrt(a * a + b * b)
    assert rows.toarray()[0] == pytest.approx([a / length, b / length, 0, 0], rel=1e-5)


def test_bm25_rows_are_the_formula_at_length_one():
    _, rows = counted(TEXTS, "bm25", 1)
    # lengths 3, 2, 2: the mean is 7/3; k1 = 1.5, b = 0.75
    part = 1.5 * (1 - 0.75 + 0.75 * 3 / (7 / 3))
    a, b = 2 / (2 + part) * idf(3, 1), 1 / (1 + part) * idf(3, 2)
    length = sqrt(a * a + b * b)
    assert rows.toarray()[0] == pytest.approx([a / length, b / length, 0, 0], rel=1e-5)


@pytest.mark.parametrize("weighting", ["tfidf", "bm25"])
def test_a_text_of_the_corpus_asked_as_a_query_has_the_same_row(weighting):
    terms, rows = counted(TEXTS, weighting, 1)
    assert np.array_equal(terms.rows(TEXTS).toarray(), rows.toarray())


def test_rare_terms_are_left_out_and_still_count_as_length():
    terms, rows = counted(TEXTS, "bm25", 2)
    assert terms.vocabulary == {"b": 0, "c": 1}
    assert rows.shape == (3, 2)
    assert terms.mean_length == pytest.approx(7 / 3)


def test_texts_without_known_terms_are_rows_of_zeros():
    terms, rows = counted([[], ["a"], ["b"]], "bm25", 1)
    assert not rows.toarray()[0].any()
    assert terms.rows([["x"], []]).toarray().tolist() == [[0, 0], [0, 0]]


def fitted(**parameters) -> LSA:
    method = make({"method": "lsa", "min_df": 1} | parameters)
    assert isinstance(method, LSA)
    method.fit(corpus())
    return method


def test_with_every_dimension_it_is_the_cosine_of_the_terms():
    method = fitted(dimensions=5)
    texts = [bigrams(document.text) for document in corpus().documents]
    _, rows = counted(texts, "bm25", 1)
    assert method.vectors @ method.vectors.T == pytest.approx((rows @ rows.T).toarray(), abs=1e-5)


def test_its_vectors_are_those_of_the_best_approximation():
    method = fitted(dimensions=2, power_iterations=4)
    texts = [bigrams(document.text) for document in corpus().documents]
    _, rows = counted(texts, "bm25", 1)
    _, _, right = np.linalg.svd(rows.toarray(), full_matrices=False)
    expected = rows @ right[:2].T
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert method.vectors @ method.vectors.T == pytest.approx(expected @ expected.T, abs=1e-3)


@pytest.mark.parametrize("dimensions", [2, 3, 4])
def test_directions_that_no_document_has_are_left_out(dimensions):
    """Two texts, each there twice: two directions hold them, any further one would be chance.

    Half of a text asked for lies along that text as far as it lies along any.
    """
    texts = ["소방 시설", "소방 시설", "건축 설비", "건축 설비"]
    law = Corpus.of(Document(str(at), body=text) for at, text in enumerate(texts))
    for seed in range(3):
        spec = {"tokeniser": "whitespace", "dimensions": dimensions, "min_df": 1, "seed": seed}
        method = make({"method": "lsa"} | spec)
        method.fit(law)
        hits = method.search([Query("q", "소방")], 2)["q"]
        assert [hit.unit_id for hit in hits] == ["0", "1"]
        assert [hit.score for hit in hits] == pytest.approx([1, 1], abs=1e-6)


def test_the_same_seed_makes_the_same_bytes_and_a_query_has_one_vector(tmp_path):
    methods = [fitted(seed=7, dimensions=3) for _ in range(2)]
    for at, method in enumerate(methods):
        method.save(tmp_path / str(at))
    for file in sorted((tmp_path / "0").iterdir()):
        assert file.read_bytes() == (tmp_path / "1" / file.name).read_bytes(), file.name
    queries = [Query(str(at), text) for at, text in enumerate(["소방시설", "건축물 기준", "zz"])]
    together = methods[0].encode(queries)
    for at, query in enumerate(queries):
        assert np.array_equal(methods[0].encode([query])[0], together[at])


def test_it_comes_back_from_disk_memory_mapped(tmp_path):
    method = fitted(dimensions=3)
    method.save(tmp_path)
    back = make({"method": "lsa", "min_df": 1, "dimensions": 3})
    assert isinstance(back, LSA)
    back.load(tmp_path, corpus())
    assert isinstance(back.vectors, np.memmap)
    queries = [Query("q", "소방시설 설치 기준")]
    assert back.search(queries, 5) == method.search(queries, 5)


def test_vectors_of_another_dimension_or_of_no_numbers_are_refused():
    method = fitted(dimensions=3)
    with refused("vectors_dimension"):
        method.nearest([Query("q", "x")], np.ones((1, 4), dtype=np.float32), 3)
    with refused("vectors_not_numbers"):
        method.nearest([Query("q", "x")], np.full((1, 3), np.nan, dtype=np.float32), 3)


@pytest.mark.parametrize("size", [(40, 90), (90, 40), (12, 12), (3, 50)])
@pytest.mark.parametrize("power_iterations", [0, 2])
def test_the_decomposition_is_that_of_scikit_learn_to_the_last_bit(size, power_iterations):
    from scipy.sparse import random_array
    from sklearn.utils.extmath import randomized_svd  # here: one process loads it
    from threadpoolctl import threadpool_limits

    draw = np.random.default_rng(sum(size))
    rows = random_array(size, density=0.2, format="csr", dtype=np.float32, rng=draw)
    with threadpool_limits(1, "blas"):
        sizes, right = decomposed(rows, 3, power_iterations, seed=7)
        _, expected, vectors = randomized_svd(
            rows, 3, n_iter=power_iterations, power_iteration_normalizer="QR", random_state=7
        )
    assert sizes.tobytes() == expected.tobytes()
    assert np.ascontiguousarray(right).tobytes() == np.ascontiguousarray(vectors).tobytes()


def test_a_decomposition_stops_when_somebody_stops_it():
    from scipy.sparse import random_array

    rows = random_array((40, 90), density=0.2, format="csr", dtype=np.float32, rng=1)
    asked = list[int]()

    class Once:
        keeping = nullcontext

        def check(self):
            asked.append(len(asked))
            if len(asked) == 3:
                raise InterruptedError

    with stoppable(Once()), pytest.raises(InterruptedError):
        decomposed(rows, 3, 2, seed=7)
    assert len(asked) == 3


SCRIPT = """
import sys
import numpy as np
from scipy.sparse import random_array
from retrieval.dense.lsa import decomposed

draw = np.random.default_rng(3)
rows = random_array((900, 1_500), density=0.05, format="csr", dtype=np.float32, rng=draw)
sys.stdout.write(str(decomposed(rows, 120, 2, seed=7)[1].tobytes().hex()))
"""


def test_a_decomposition_does_not_depend_on_how_many_processors_there_are():
    """Each in a process of its own: a limit on threads holds for what is loaded by then."""
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2")
    }
    assert len(found) == 1
