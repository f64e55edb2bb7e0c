"""Reranking with a model that counts shared letters in place of one that reads."""

from __future__ import annotations

import json

import numpy as np
import pytest

from retrieval import rerank
from retrieval.core.method import Scoring
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.rerank import form_of
from tests.support.refusals import code_of


def corpus() -> Corpus:
    texts = {"1": "a x", "2": "a a b", "3": "a b c d", "4": "z", "5": "a y"}
    return Corpus.of(Document(unit, body=text) for unit, text in texts.items())


@pytest.fixture
def model(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["SomeModel"]}))

    def shared(reader, asked, batch):
        return np.array([float(len(set(question) & set(text))) for question, text in asked])

    monkeypatch.setattr(rerank, "scores", shared)
    return str(tmp_path)


def fitted(model, **parameters) -> Scoring:
    method = make({"method": "rerank", "model": model} | parameters)
    assert isinstance(method, Scoring)
    method.fit(corpus())
    return method


def hits(method, text, k=9):
    return [(hit.unit_id, hit.score) for hit in method.search([Query("q", text)], k)["q"]]


def test_the_best_are_ranked_by_the_model_and_ties_by_id(model):
    base = make({"method": "bm25"})
    base.fit(corpus())
    assert {unit for unit, _ in hits(base, "a b c")} == {"1", "2", "3", "5"}
    # shared with "a b c" and its spaces: 3 has a, b, c and the space
    assert hits(fitted(model), "a b c") == [("3", 4), ("2", 3), ("1", 2), ("5", 2)]


def test_units_beyond_the_depth_follow_in_the_order_of_the_base(model):
    base = make({"method": "bm25"})
    base.fit(corpus())
    order = [unit for unit, _ in hits(base, "a b c")]
    found = hits(fitted(model, depth=2), "a b c")
    assert {unit for unit, _ in found[:2]} == set(order[:2])
    assert [unit for unit, _ in found[2:]] == order[2:]
    assert [score for _, score in found[2:]] == [found[1][1] - 1, found[1][1] - 2]


def test_it_reads_to_its_depth_also_when_fewer_are_wanted(model):
    assert hits(fitted(model), "a b c", 1) == [("3", 4)]


def test_it_scores_units_that_the_base_does_not_find(model):
    assert fitted(model).score(Query("q", "z"), ["4", "1"]).tolist() == [1, 0]
    with pytest.raises(KeyError):
        fitted(model).score(Query("q", "z"), ["9"])


def test_other_files_or_another_form_are_another_content(model, tmp_path):
    before = fitted(model).content
    assert fitted(model, form="yes_no").content != before
    (tmp_path / "weights.bin").write_bytes(b"x")
    assert fitted(model).content != before


def test_the_form_follows_the_architecture(tmp_path):
    for kind, form in (("Qwen3ForCausalLM", "yes_no"), ("BertForSequenceClassification", "pair")):
        (tmp_path / "config.json").write_text(json.dumps({"architectures": [kind]}))
        assert form_of(tmp_path, "auto") == form
    assert form_of(tmp_path, "yes_no") == "yes_no"
    (tmp_path / "config.json").write_text("[")
    assert code_of(form_of, tmp_path, "auto") == "model_unreadable"


def test_half_a_character_reaches_no_model(model, monkeypatch):
    read = []

    def kept(reader, asked, batch):
        read.extend(asked)
        return np.zeros(len(asked))

    monkeypatch.setattr(rerank, "scores", kept)
    method = make({"method": "rerank", "model": model})
    method.fit(Corpus.of([Document("1", body="a \ud800")]))
    hits(method, "a \udfff")
    assert read == [("a \N{REPLACEMENT CHARACTER}", "a \N{REPLACEMENT CHARACTER}")]


def test_only_law_of_the_questions_jurisdiction_is_read_to_the_full_depth(model):
    documents = [
        *(Document(f"{at}", body="a b c", jurisdiction="de") for at in range(5)),
        *(Document(f"k{at}", body="a x y z " * at, jurisdiction="kr") for at in range(1, 4)),
    ]
    method = make({"method": "rerank", "model": model, "depth": 3})
    method.fit(Corpus.of(documents))
    found = method.search([Query("q", "a b c", "kr")], 9)["q"]
    assert sorted(hit.unit_id for hit in found) == ["k1", "k2", "k3"]
    assert {hit.score for hit in found} == {2.0}  # each was read by the model: a, and the space
