"""Expansion: what the base is asked, and what it is asked where the model says nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Hit, Query
from retrieval.core.registry import complete, make
from retrieval.rewriting.expand import KINDS, Expand
from tests.retrieval.talking import Talker
from tests.retrieval.toys import corpus_of, made

LAW = corpus_of("a", "b")


class Listener(Method):
    """Keeps what it is asked, and finds the first unit."""

    NAME = "listener"

    def __init__(self) -> None:
        super().__init__({"method": "listener"})
        self.heard: list[str] = []

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        self.heard += [query.text for query in queries]
        return {query.id: (Hit("a", 1.0),) for query in queries}


def expand(talker: Talker, **given: object) -> tuple[Method, Listener]:
    base = Listener()
    method: Method = made(Expand, [base], Resources(ask=talker), **given)
    method.fit(LAW)
    return method, base


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_model_says_is_appended_to_the_question(kind: str) -> None:
    talker = Talker(lambda asked: f"<{asked.values['question']}>")
    method, base = expand(talker, kind=kind)
    found = method.search([Query("1", "화재"), Query("2", "fire")], 5)
    assert base.heard == ["화재\n<화재>", "fire\n<fire>"]
    assert [each.prompt for each in talker.asked] == [KINDS[kind]] * 2
    assert [each.language for each in talker.asked] == ["ko", "en"]
    assert list(found) == ["1", "2"]


@pytest.mark.parametrize("problem", Talker.PROBLEMS)
def test_without_an_expansion_the_question_is_asked_as_it_is(problem: str) -> None:
    method, base = expand(Talker(lambda asked: problem))
    method.search([Query("1", "fire")], 5)
    assert base.heard == ["fire"]
    assert method.notes == {"expand.asked": 1, f"expand.{problem}": 1}


def test_an_empty_query_costs_no_call() -> None:
    talker = Talker(lambda _: "more")
    method, _ = expand(talker)
    assert method.search([Query("1", " ")], 5) == {"1": ()}
    assert talker.asked == []


def test_it_is_registered_with_structured_reasoning_as_its_kind() -> None:
    spec = complete({"method": "expand", "base": {"method": "bm25"}})
    assert spec["kind"] == "structured"
    made_ = make(spec, Resources(ask=Talker(lambda _: "more")))
    assert isinstance(made_, Expand)
    assert made_.versions == f"1({made_.parts[0].versions})@talker:expand_structured"
