"""Weighted terms against the formulas, worked out by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from retrieval.dense.terms import Terms, count

TEXTS = [["a", "a", "b"], ["b", "c"], ["c", "d"]]


def idf(n: int, df: int) -> float:
    return log(1 + (n - df + 0.5) / (df + 0.5))


def test_tfidf_rows_are_the_formula_at_length_one():
    terms, rows = count(TEXTS, "tfidf", 1)
    assert terms.vocabulary == {"a": 0, "b": 1, "c": 2, "d": 3}
    a, b = (1 + log(2)) * idf(3, 1), 1 * idf(3, 2)
    length = sqrt(a * a + b * b)
    assert rows.toarray()[0] == pytest.approx([a / length, b / length, 0, 0], rel=1e-5)


def test_bm25_rows_are_the_formula_at_length_one():
    _, rows = count(TEXTS, "bm25", 1)
    # lengths 3, 2, 2: the mean is 7/3; k1 = 1.5, b = 0.75
    part = 1.5 * (1 - 0.75 + 0.75 * 3 / (7 / 3))
    a, b = 2 / (2 + part) * idf(3, 1), 1 / (1 + part) * idf(3, 2)
    length = sqrt(a * a + b * b)
    assert rows.toarray()[0] == pytest.approx([a / length, b / length, 0, 0], rel=1e-5)


@pytest.mark.parametrize("weighting", ["tfidf", "bm25"])
def test_a_text_of_the_corpus_asked_as_a_query_has_the_same_row(weighting):
    terms, rows = count(TEXTS, weighting, 1)
    assert np.array_equal(terms.rows(TEXTS).toarray(), rows.toarray())


def test_rare_terms_are_left_out_and_still_count_as_length():
    terms, rows = count(TEXTS, "bm25", 2)
    assert terms.vocabulary == {"b": 0, "c": 1}
    assert rows.shape == (3, 2)
    assert terms.mean_length == pytest.approx(7 / 3)


def test_texts_without_known_terms_are_rows_of_zeros():
    terms, rows = count([[], ["a"], ["b"]], "bm25", 1)
    assert not rows.toarray()[0].any()
    assert terms.rows([["x"], []]).toarray().tolist() == [[0, 0], [0, 0]]


def test_no_text_at_all_makes_no_term():
    terms, rows = count([], "tfidf", 1)
    assert terms.vocabulary == {} and rows.shape == (0, 0)


def test_terms_come_back_from_disk_as_they_were(tmp_path):
    terms, _ = count([["가", "\ud800", "b"], ["가", "c"]], "bm25", 1)
    terms.save(tmp_path)
    back = Terms.load(tmp_path)
    assert back.vocabulary == terms.vocabulary
    assert np.array_equal(back.idf, terms.idf)
    assert (back.mean_length, back.weighting) == (terms.mean_length, "bm25")
