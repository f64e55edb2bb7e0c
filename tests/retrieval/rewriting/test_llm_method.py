"""What asking methods share: the language, the counts, the model in the version."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import pytest

from errors import UserError
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Document, Hit, Query
from retrieval.rewriting.llm_method import LANGUAGE, Asking, language_of
from tests.retrieval.talking import Talker

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
    with pytest.raises(UserError) as caught:
        Echo({"method": "echo"})
    assert caught.value.code == "method_needs_model"
    assert Echo({"method": "echo", "silent": True}).versions == "1"


def test_half_a_character_reaches_no_model() -> None:
    talker = Talker(lambda _: "b")
    echo(talker).search([Query("q", "one\ud800")], 1)
    assert talker.asked[0].values["question"] == "one\N{REPLACEMENT CHARACTER}"
