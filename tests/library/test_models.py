"""Methods that ask a language model, in a notebook that gives one."""

from __future__ import annotations

import json

import pytest

from library.law import load_law, sample
from retrieval.core.model import Query
from tests.support.refusals import refusal

BM25 = {"method": "bm25"}
ANCHOR = json.dumps({"topic": "Smoke Curtain"})
SPECS = {
    "expand": ({"method": "expand", "base": BM25}, "The smoke curtain has to be sealed."),
    "decompose": ({"method": "decompose", "base": BM25}, '{"queries": ["smoke curtain"]}'),
    "refwalk": ({"method": "refwalk", "base": BM25, "reranker": BM25}, ANCHOR),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_model_of_the_notebook_is_asked_once_for_each_question(name: str) -> None:
    spec, reply = SPECS[name]
    asked: list[list[dict[str, str]]] = []

    def model(messages: list[dict[str, str]]) -> str:
        asked.append(messages)
        return reply

    law = load_law(sample() / "statutes", model=model)
    queries = [Query("q1", "What closes it off?", "us-ny"), Query("q2", "And when?")]
    run = law.run(spec, queries, k=5)
    assert set(run) == {"q1", "q2"} and all(run.values())
    assert law.run(spec, queries, k=5) == run and len(asked) == 2
    assert [each["role"] for each in asked[0]] == ["system", "user"]
    assert ("us-ny" in asked[0][1]["content"]) == (name == "expand")


def test_what_cannot_be_read_leaves_the_plain_question() -> None:
    law = load_law(sample() / "statutes", model=lambda messages: "no JSON")
    asked = [Query("q1", "smoke curtain")]
    assert law.run(SPECS["decompose"][0], asked, k=3)["q1"]


def test_without_a_model_it_says_how_to_give_one() -> None:
    law = load_law(sample() / "statutes")
    error = refusal(law.run, SPECS["expand"][0], [Query("q1", "smoke?")])
    assert error.code == "method_needs_model" and "load_law" in error.remedy("en")
