"""The package rank-bm25 as a method gives the package's own scores."""

from __future__ import annotations

import numpy as np
import pytest
import rank_bm25
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.lexical import rank_bm25_method
from retrieval.text.tokenise import tokeniser

WORDS = st.lists(
    st.sampled_from(["소방", "시설", "경보", "건축물", "기준", "alarm", "fire"]), max_size=12
)
CLASSES = {"okapi": "BM25Okapi", "bm25l": "BM25L", "bm25+": "BM25Plus"}


def fitted(texts, **spec):
    method = make({"method": "rank_bm25", "tokeniser": "whitespace", **spec})
    method.fit(Corpus.of([Document(f"u{at:03}", body=text) for at, text in enumerate(texts)]))
    return method


@given(
    st.lists(WORDS.filter(bool), min_size=1, max_size=8),
    WORDS,
    st.sampled_from(sorted(CLASSES)),
    st.sampled_from([(1.5, 0.75), (0.9, 0.4), (1.2, 1.0)]),
)
def test_scores_are_the_packages_bit_for_bit(documents, query, formula, constants):
    k1, b = constants
    texts, cut = [" ".join(each) for each in documents], tokeniser("whitespace")
    method = fitted(texts, formula=formula, k1=k1, b=b)
    peer = getattr(rank_bm25, CLASSES[formula])([cut(text) for text in texts], k1=k1, b=b)
    scores = peer.get_scores(cut(" ".join(query)))
    found = method.search([Query("q", " ".join(query))], 100)["q"]
    ranked = sorted(zip(-scores, method.corpus.ids, strict=True))
    wanted = [(unit, -score) for score, unit in ranked if score < 0] if query else []
    assert [(hit.unit_id, hit.score) for hit in found] == wanted
    if query:
        given_back = method.score(Query("q", " ".join(query)), method.corpus.ids)
        assert np.array_equal(given_back, scores)


def test_more_units_than_it_can_take_are_refused_with_what_to_use_instead(monkeypatch):
    monkeypatch.setattr(rank_bm25_method, "MOST_UNITS", 2)
    fitted(["가", "나"])
    with pytest.raises(UserError) as refused:
        fitted(["가", "나", "다"])
    assert refused.value.code == "rank_bm25_size" and refused.value.params == {
        "units": 3,
        "limit": 2,
    }
    assert "bm25" in refused.value.remedy("ko")
