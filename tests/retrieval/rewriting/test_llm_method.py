"""What asking methods share: the language, the counts, the model in the version."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence

import pytest

from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Document, Hit, Query
from retrieval.rewriting.llm_method import KINDS, LANGUAGE, Asking, Decompose, Expand, language_of
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyScores, corpus_of, ids_of, made
from tests.support.refusals import code_of

LAW = Corpus.of([Document("a", body="fire"), Document("b", body="water")])


class Echo(Asking):
    """Finds the unit that the model names, else the first."""

    NAME = "echo"
    PARAMETERS = (LANGUAGE,)

    @property
    def prompts(self) -> tuple[str, ...]:
        return () if self.spec.get("silent") else ("echo_prompt",)

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        said = self.ask("echo_prompt", queries)
        return {
            query.id: (Hit(text or "a", 1.0),) for query, text in zip(queries, said, strict=True)
        }


def echo(talker: Talker, parts: Sequence[Method] = (), **spec: object) -> Echo:
    made = Echo({"method": "echo", "language": "auto"} | spec, parts, Resources(ask=talker))
    made.fit(LAW)
    return made


def test_the_model_is_told_whose_law_a_question_asks_about() -> None:
    told: list[Mapping[str, str]] = []
    talker = Talker(lambda asked: told.append(asked.values) or "a")  # type: ignore[func-returns-value]
    echo(talker).search([Query("q1", "one", "us-ny"), Query("q2", "two")], 5)
    assert told == [{"question": "one", "jurisdiction": "us-ny"}, {"question": "two"}]


def test_replies_that_cannot_be_read_are_counted_with_those_of_the_parts() -> None:
    replies = {"one": "b", "two": "refused", "three": "invalid", "four": "failed", "five": "failed"}
    talker = Talker(lambda asked: replies[asked.values["question"]])
    inner = echo(talker)
    outer = echo(talker, [inner])
    found = outer.search([Query(text, text) for text in replies], 5)
    assert [hits[0].unit_id for hits in found.values()] == ["b", "a", "a", "a", "a"]
    assert outer.notes == {
        "echo.asked": 5, "echo.failed": 2, "echo.invalid": 1, "echo.refused": 1
    }  # fmt: skip
    inner.search([Query("q", "two")], 5)
    assert (outer.notes["echo.asked"], outer.notes["echo.refused"]) == (6, 2)


@pytest.mark.parametrize(
    ("chosen", "text", "language"),
    [
        ("auto", "소화기", "ko"),
        ("auto", unicodedata.normalize("NFD", "소화기"), "ko"),  # as macOS writes it
        ("auto", "§ 5 fire 消火", "en"),
        ("en", "소화기", "en"),
    ],
)
def test_the_model_is_asked_in_the_language_of_the_query_unless_told(
    chosen: str, text: str, language: str
) -> None:
    assert language_of(text, chosen) == language
    talker = Talker(lambda _: "a")
    echo(talker, language=chosen).search([Query("q", text)], 1)
    assert [each.language for each in talker.asked] == [language]


def test_another_model_makes_another_version() -> None:
    one, two = echo(Talker(lambda _: "a")), echo(Talker(lambda _: "a", "other"))
    assert one.versions == "1@talker:echo_prompt"
    assert one.content != two.content


def test_without_a_model_it_says_so_at_once_unless_it_asks_nothing() -> None:
    assert code_of(Echo, {"method": "echo"}) == "method_needs_model"
    assert Echo({"method": "echo", "silent": True}).versions == "1"


def test_half_a_character_reaches_no_model() -> None:
    talker = Talker(lambda _: "b")
    echo(talker).search([Query("q", "one\ud800")], 1)
    assert talker.asked[0].values["question"] == "one\N{REPLACEMENT CHARACTER}"


DECOMPOSE_LAW = corpus_of("a", "b", "c", "d")
# What the base ranks for each text: the whole question a, b; its two halves b, c and d, b.
SCORES = {
    "whole": {"a": 2.0, "b": 1.0},
    "half": {"b": 2.0, "c": 1.0},
    "other": {"d": 2.0, "b": 1.0},
}


def decompose(said: str, **given: object) -> tuple[Method, Talker]:
    talker = Talker(lambda _: said)
    method: Method = made(Decompose, [ToyScores(SCORES)], Resources(ask=talker), **given)
    method.fit(DECOMPOSE_LAW)
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


EXPAND_LAW = corpus_of("a", "b")


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
    method.fit(EXPAND_LAW)
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
