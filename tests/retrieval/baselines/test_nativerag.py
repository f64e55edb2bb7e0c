"""NativeRAG over a base whose scores are dictated: .9 a, .8 b, .7 c, .6 d, .5 e."""

from __future__ import annotations

import json

import numpy as np
import pytest

from retrieval import rerank
from retrieval.baselines.nativerag import NativeRAG, judged
from retrieval.core.method import Resources
from retrieval.core.model import Query
from retrieval.core.registry import make
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyScores, corpus_of, ids_of, made

SCORES = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "e": 0.5}
TEXTS = {unit: f"text of {unit}" for unit in SCORES}
ASKED = Query("q", "안전")


def fitted(says=None, **given):
    talker = Talker(lambda asked: says[asked.values["provision"][-1]]) if says else None
    method = made(NativeRAG, [ToyScores(SCORES)], Resources(ask=talker), **given)
    method.fit(corpus_of(**TEXTS))
    return method


def test_without_reranking_it_is_the_base_down_to_the_top() -> None:
    hits = fitted(top=3).search([ASKED], 10)["q"]
    assert [(hit.unit_id, hit.score) for hit in hits] == list(SCORES.items())[:3]
    assert ids_of(fitted(pool=2).search([ASKED], 10)["q"]) == ["a", "b"]
    assert ids_of(fitted().search([ASKED], 1)["q"]) == ["a"]


def test_what_the_model_says_yes_to_comes_first_each_in_the_order_of_the_base() -> None:
    says = {"a": "no", "b": "Yes.", "c": "refused", "d": "**yes**, it does", "e": "yes"}
    method = fitted(says, rerank=True, pool=4)
    hits = method.search([ASKED], 10)["q"]
    # yes 2, not judged 1, no 0, and 4/5, 3/5, 2/5, 1/5 by the place in the base
    assert {hit.unit_id: hit.score for hit in hits} == pytest.approx(
        {"b": 2.6, "d": 2.2, "c": 1.4, "a": 0.8}
    )
    assert ids_of(hits) == ["b", "d", "c", "a"]
    assert method.notes == {"nativerag.asked": 4, "nativerag.refused": 1}


@pytest.mark.parametrize("problem", ["refused", "invalid", "failed", "maybe", "!"])
def test_where_nothing_is_said_the_order_is_that_of_the_base_and_it_is_counted(problem) -> None:
    method = fitted(dict.fromkeys(SCORES, problem), rerank=True)
    assert ids_of(method.search([ASKED], 10)["q"]) == list(SCORES)
    counted = problem if problem in Talker.PROBLEMS else "invalid"
    assert method.notes == {"nativerag.asked": 5, f"nativerag.{counted}": 5}


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("yes", 2),
        (" YES\n", 2),
        ("no.", 0),
        ("아니요", 0),
        ("아니오", 0),
        ("예", 2),
        ("네, 있습니다", 2),
        ("not", None),
        ("", None),
    ],
)
def test_replies(reply, score) -> None:
    assert judged(reply) == score


@pytest.fixture
def cross_encoder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["SomeModel"]}))

    def later_letters(reader, asked, batch):
        return np.array([float(ord(text[-1])) for _, text in asked])

    monkeypatch.setattr(rerank, "scores", later_letters)
    return str(tmp_path)


def test_a_cross_encoder_reranks_the_pool_and_its_files_are_part_of_what_it_is(
    cross_encoder, tmp_path
) -> None:
    spec = {"method": "nativerag", "rerank": True, "pool": 4, "top": 3, "model": cross_encoder}
    method = make(spec | {"base": {"method": "bm25", "tokeniser": "whitespace"}})
    method.fit(corpus_of(**{unit: "안전 " * at + unit for at, unit in enumerate("edcba", 1)}))
    assert ids_of(method.search([ASKED], 10)["q"]) == ["d", "c", "b"]
    assert not method.calls_models
    before = method.versions
    (tmp_path / "weights.bin").write_bytes(b"x")
    assert method.versions != before
