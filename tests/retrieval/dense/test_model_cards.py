"""The right prompts, pooling and length for the models that the papers use."""

from __future__ import annotations

import pytest

from retrieval.dense.model_cards import Card, card_of

WEB = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@pytest.mark.parametrize(
    ("model", "query", "document", "pooling", "length"),
    [
        ("sentence-transformers/all-MiniLM-L6-v2", "", "", "mean", 256),
        ("snunlp/KR-SBERT-V40K-klueNLI-augSTS", "", "", "mean", 0),
        ("Qwen/Qwen3-Embedding-0.6B", WEB, "", "lasttoken", 8192),
        ("/models/Qwen3-Embedding-8B/", WEB, "", "lasttoken", 8192),
        ("BAAI/bge-m3", "", "", "cls", 8192),
        ("intfloat/e5-small-v2", "query: ", "passage: ", "mean", 512),
        ("intfloat/e5-large-v2", "query: ", "passage: ", "mean", 512),
        ("intfloat/multilingual-e5-base", "query: ", "passage: ", "mean", 512),
        ("intfloat/multilingual-e5-large-instruct", WEB + " ", "", "mean", 0),
        ("intfloat/e5-mistral-7b-instruct", WEB + " ", "", "lasttoken", 4096),
        ("facebook/contriever-msmarco", "", "", "mean", 512),
        ("CSHaitao/SAILER_zh", "", "", "cls", 512),
        ("C:\\models\\SAILER_en_finetune", "", "", "cls", 512),
    ],
)
def test_a_known_model_has_its_card(model, query, document, pooling, length):
    assert card_of(model) == Card(query, document, pooling, length)


def test_the_units_of_dpr_and_its_queries_have_encoders_of_their_own():
    units = card_of("sentence-transformers/facebook-dpr-ctx_encoder-single-nq-base")
    assert "question_encoder-single" in units.query_model
    assert units.pooling == card_of(units.query_model).pooling == "cls"


@pytest.mark.parametrize("model", ["model", "someone/whale5-base", "upskyy/kf-deberta-multitask"])
def test_an_unknown_model_is_left_to_its_own_files(model):
    assert card_of(model) == Card(None, None, "", 0)
