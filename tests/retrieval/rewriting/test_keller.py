"""Max-sum over facts, worked out by hand.

Three documents: a of two passages, b and c of one. The question has two facts, and the base gives

           a#0   a#1   b#0   c#0        max-sum
first      .9    .2    .5    -           a .9 + .3 = 1.2
second     .1    .3    .8    .4          b .5 + .8 = 1.3, c .4
"""

from __future__ import annotations

import json

import pytest

from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Hit, Query
from retrieval.core.registry import make
from retrieval.rewriting.keller import Keller, max_sum
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyScores, corpus_of, ids_of, made

LAW = corpus_of(a="하나다. 둘이다.", b="셋이다.", c="넷이다.")
A0, A1, B0, C0 = "a#000000", "a#000001", "b#000000", "c#000000"
FIRST, SECOND = {A0: 0.9, A1: 0.2, B0: 0.5}, {A0: 0.1, A1: 0.3, B0: 0.8, C0: 0.4}
ASKED = Query("q", "첫째 사실이다. 둘째 사실인가?")


def fitted(talker=None, **given):
    scores = {"첫째 사실이다.": FIRST, "둘째 사실인가?": SECOND, "하나": FIRST}
    base = ToyScores(scores)
    method = made(Keller, [base], Resources(ask=talker), **({"passage": 1} | given))
    method.fit(LAW)
    return method


def found(method, query=ASKED, k=10):
    return {hit.unit_id: hit.score for hit in method.search([query], k)[query.id]}


def test_by_hand() -> None:
    ranked = found(fitted())
    assert ranked == pytest.approx({"b": 1.3, "a": 1.2, "c": 0.4})
    assert list(ranked) == ["b", "a", "c"]
    assert list(found(fitted(), k=1)) == ["b"]


def test_each_fact_counts_once_and_no_more_than_asked_for() -> None:
    doubled = Query("q", f"첫째 사실이다. {ASKED.text}")
    assert found(fitted(), doubled) == found(fitted())
    assert found(fitted(most=1)) == pytest.approx({"a": 0.9, "b": 0.5})


def test_passages_beyond_the_depth_and_negative_scores_count_nothing() -> None:
    assert found(fitted(depth=1)) == pytest.approx({"a": 0.9, "b": 0.8})
    assert max_sum([[Hit(A0, 0.5), Hit(B0, -0.5)], [Hit(B0, 0.2)]]) == {"a": 0.5, "b": 0.2}


def test_the_base_searches_passages_and_the_method_documents() -> None:
    method = fitted()
    assert method.parts[0].corpus.ids == (A0, A1, B0, C0)
    assert method.corpus.ids == ("a", "b", "c")
    bm25 = make({"method": "keller", "passage": 1})
    bm25.fit(LAW)
    assert ids_of(bm25.search([Query("q", "둘이다")], 1)["q"]) == ["a"]


def test_a_model_names_the_facts_and_is_counted_where_it_does_not() -> None:
    talker = Talker(lambda _: json.dumps({"facts": ["하나", " "]}))
    method = fitted(talker, facts="model")
    assert found(method) == pytest.approx({"a": 0.9, "b": 0.5})
    assert dict(talker.asked[0].values) == {"question": ASKED.text, "most": "10"}
    silent = fitted(Talker(lambda _: "refused"), facts="model")
    assert found(silent) == found(fitted())
    assert silent.notes == {"keller.asked": 1, "keller.refused": 1}
    assert fitted().prompts == ()


@pytest.mark.parametrize(
    "base",
    [
        {"method": "sar"},
        {"method": "refwalk", "anchor": False},
        {"method": "rrf", "of": ["bm25", "cited_as"]},
        {"method": "keller", "base": {"method": "weighted", "of": ["bm25", "cited_by"]}},
    ],
)
def test_methods_that_follow_citations_have_no_place_among_passages(base) -> None:
    """Citations join documents, so they would find no link and say nothing of it."""
    spec = {"method": "keller", "base": _spelled(base)}
    with pytest.raises(UserError) as refused:
        make(spec)
    assert refused.value.code == "method_among_passages"
    assert refused.value.params["method"] == "keller"
    around = make({"method": "sar", "base": {"method": "keller"}})  # what the remedy says
    assert isinstance(around.parts[0], Keller)


def _spelled(spec):
    parts = [{"method": each} if isinstance(each, str) else each for each in spec.get("of", ())]
    spec = spec | {"of": parts} if parts else spec
    return spec | {"base": _spelled(spec["base"])} if "base" in spec else spec
