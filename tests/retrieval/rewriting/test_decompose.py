"""Decomposition: which sub-questions are asked, and their fusion worked out by hand."""

from __future__ import annotations

import json

import pytest

from retrieval.core.method import Method, Resources
from retrieval.core.model import Query
from retrieval.core.registry import make
from retrieval.rewriting.decompose import Decompose
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyScores, corpus_of, ids_of, made

LAW = corpus_of("a", "b", "c", "d")
# What the base ranks for each text: the whole question a, b; its two halves b, c and d, b.
SCORES = {
    "whole": {"a": 2.0, "b": 1.0},
    "half": {"b": 2.0, "c": 1.0},
    "other": {"d": 2.0, "b": 1.0},
}


def decompose(said: str, **given: object) -> tuple[Method, Talker]:
    talker = Talker(lambda _: said)
    method: Method = made(Decompose, [ToyScores(SCORES)], Resources(ask=talker), **given)
    method.fit(LAW)
    return method, talker


def halves(*texts: str) -> str:
    return json.dumps({"queries": list(texts)})


def test_the_rankings_of_the_question_and_its_parts_are_fused() -> None:
    method, talker = decompose(halves("half", "other"))
    [hits] = method.search([Query("q", "whole")], 10).values()
    # b: 1/62 + 1/61 + 1/62; a and d: 1/61; c: 1/62
    assert ids_of(hits) == ["b", "a", "d", "c"]
    assert hits[0].score == pytest.approx(1 / 62 + 1 / 61 + 1 / 62)
    assert (hits[1].score, hits[3].score) == pytest.approx((1 / 61, 1 / 62))
    assert dict(talker.asked[0].values) == {"question": "whole", "most": "5"}
    assert method.notes == {"decompose.asked": 1}


def test_the_question_may_be_left_out_and_the_best_rank_alone_may_count() -> None:
    method, _ = decompose(halves("half", "other"), original=False, fusion="rrm", k=1)
    [hits] = method.search([Query("q", "whole")], 10).values()
    # b and d are first once (1/2), c second (1/3); a is the whole question's alone
    assert [(hit.unit_id, hit.score) for hit in hits] == [
        ("b", 1 / 2), ("d", 1 / 2), ("c", pytest.approx(1 / 3))
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["failed", "refused", "invalid", halves(" ")])
@pytest.mark.parametrize("original", [True, False])
def test_without_parts_the_question_is_its_own(said: str, original: bool) -> None:
    method, _ = decompose(said, original=original)
    [hits] = method.search([Query("q", "whole")], 10).values()
    assert [(hit.unit_id, hit.score) for hit in hits] == [("a", 1 / 61), ("b", 1 / 62)]


def test_no_more_parts_count_than_asked_for_and_each_counts_once() -> None:
    method, _ = decompose(halves("whole", "half", "other"), most=2)
    [hits] = method.search([Query("q", "whole")], 10).values()
    # whole once, half once; "other" is the third
    assert ids_of(hits) == ["b", "a", "c"]
    assert hits[0].score == pytest.approx(1 / 62 + 1 / 61)


def test_it_is_registered() -> None:
    spec = {"method": "decompose", "base": {"method": "bm25"}}
    assert isinstance(make(spec, Resources(ask=Talker(lambda _: ""))), Decompose)
