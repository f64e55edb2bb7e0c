"""Fitting that takes minutes on a large corpus says how far it has come."""

from __future__ import annotations

import pytest

from corpus.graph.model import Graph
from retrieval.core import progress
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document
from retrieval.core.registry import make

CORPUS = Corpus.of(Document(f"u{at}", "소방법", heading="시설", body="소방") for at in range(7))


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 3)


@pytest.mark.parametrize(
    "spec",
    [
        {"method": "bm25"},
        {"method": "bm25", "fields": "bm25f"},
        {"method": "tfidf"},
        {"method": "lsa", "dimensions": 2},
        {"method": "family"},
        {"method": "headings"},
        {"method": "cited_as"},
    ],
)
def test_cutting_tells_how_many_texts_are_done(spec):
    told = []
    using = Resources(graph=lambda: Graph({}, []), told=lambda *each: told.append(each))
    make(spec, using).fit(CORPUS)
    passes = 3 if "fields" in spec else 1  # statute title, heading and body, one after the other
    assert told == [(3, 7), (6, 7), (7, 7)] * passes


def test_nobody_needs_to_listen():
    assert list(progress.telling("abcd", 4, None)) == list("abcd")
