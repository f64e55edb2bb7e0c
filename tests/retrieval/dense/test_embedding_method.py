"""Methods over an embedding model, with a model that counts letters."""

from __future__ import annotations

import numpy as np
import pytest

from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Parameter, Query
from retrieval.dense.embedding_method import EmbeddedMethod

LETTERS = "abcd"


class Counting(EmbeddedMethod):
    """A vector is how often a, b, c and d stand in the text."""

    NAME = "counting"
    PARAMETERS = (Parameter("dimensions", "int", 0),)
    model = "one"

    def _identity(self, side):
        return f"{self.model} {side}"

    def _embed(self, side, texts):
        self.asked = [*getattr(self, "asked", []), *texts]
        rows = [[text.count(letter) for letter in LETTERS] for text in texts]
        return np.array(rows, dtype=np.float32)


def corpus() -> Corpus:
    texts = {"1": "aab", "2": "b", "3": "", "4": "b"}
    return Corpus.of(Document(unit, body=text) for unit, text in texts.items())


def fitted(dimensions=0, folder=None) -> Counting:
    method = Counting(
        {"method": "counting", "dimensions": dimensions}, (), Resources(folder=folder)
    )
    method.fit(corpus())
    return method


def ranking(method, text):
    return [hit.unit_id for hit in method.search([Query("q", text)], 9)["q"]]


def test_units_rank_by_cosine_and_those_without_text_are_never_found():
    assert ranking(fitted(), "bb") == ["2", "4", "1"]
    assert fitted().score(Query("q", "a"), ["1", "3"]) == pytest.approx([2 / 5**0.5, 0])


def test_a_query_whose_vector_is_all_zeros_finds_nothing():
    assert ranking(fitted(), "zz") == []


def test_vectors_are_kept_by_text_across_corpora_and_queries(tmp_path):
    fitted(folder=tmp_path)
    again = Counting({"method": "counting", "dimensions": 0}, (), Resources(folder=tmp_path))
    again.fit(Corpus.of([Document("x", body="b"), Document("y", body="c")]))
    assert again.asked == ["c"]
    ranking(again, "b")
    ranking(again, "b")
    assert again.asked == ["c", "b"]  # a query's vector is another than a unit's


def test_another_model_is_another_content():
    method = fitted()
    before = method.content
    method.model = "two"
    assert method.content != before


def test_the_first_dimensions_are_kept_on_request_and_no_more_than_there_are():
    assert fitted(2).vectors.shape == (4, 2)
    assert fitted(2).vectors[0].tolist() == pytest.approx([2 / 5**0.5, 1 / 5**0.5])
    with pytest.raises(UserError) as caught:
        fitted(5)
    assert caught.value.code == "vectors_short"


def test_a_corpus_of_nothing_finds_nothing():
    method = Counting({"method": "counting", "dimensions": 0})
    method.fit(Corpus.of([]))
    assert ranking(method, "a") == []


def test_it_comes_back_from_disk_and_refuses_queries_of_another_dimension(tmp_path):
    method = fitted()
    method.save(tmp_path)
    back = Counting({"method": "counting", "dimensions": 0})
    back.load(tmp_path, corpus())
    assert ranking(back, "ab") == ranking(method, "ab")
    back._embed = lambda side, texts: np.ones((len(texts), 3), dtype=np.float32)  # type: ignore[method-assign]
    with pytest.raises(UserError) as caught:
        ranking(back, "c")
    assert caught.value.code == "vectors_dimension"
