"""What is said to a server that embeds: prompts of the model's card, texts cut on request."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from errors import UserError
from retrieval.core.method import Resources, Scoring
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from tests.retrieval.dense.law import corpus


@dataclass
class Server:
    """Embeds a text as its length, and notes what it was told."""

    model: str = "m"
    told: list[str] = field(default_factory=list)

    @property
    def identity(self) -> str:
        return f"here {self.model}"

    def __call__(self, texts):
        self.told.extend(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def said(server: Server, **parameters) -> list[str]:
    """Return the last unit and the query as the server was told them."""
    spec = {"method": "endpoint", **parameters}
    method = make(spec, Resources(embed=lambda name: server))
    method.fit(corpus())
    method.search([Query("q", "등불?")], 3)
    return [next(text for text in server.told if "소방" in text or len(text) == 2), server.told[-1]]


def test_a_known_model_gets_its_prompts():
    unit, query = said(Server("intfloat/multilingual-e5-large"))
    assert unit.startswith("passage: ")
    assert query == "query: 등불?"
    assert said(Server("Qwen/Qwen3-Embedding-8B"))[1].startswith("Instruct: Given a web search")


def test_an_unknown_model_gets_the_text_alone_and_a_given_prompt_goes_first():
    assert said(Server())[1] == "등불?"
    given = said(Server("e5-small"), query_prompt="Q: ", document_prompt="")
    assert given[1] == "Q: 등불?"
    assert not given[0].startswith("passage")


def test_a_text_is_cut_after_so_many_characters_and_its_prompt_is_not():
    unit, query = said(Server(), characters=2, query_prompt="query: ")
    assert (len(unit), query) == (2, "query: 등불")


def test_another_model_of_the_server_is_another_content():
    resources = [Resources(embed=lambda _: Server("one")), Resources(embed=lambda _: Server("two"))]
    contents = {make({"method": "endpoint"}, each).content_for(corpus()) for each in resources}
    assert len(contents) == 2


def test_without_a_server_it_says_what_is_missing():
    with pytest.raises(UserError) as caught:
        make({"method": "endpoint"})
    assert caught.value.code == "method_needs_embedder"


def test_where_no_unit_has_text_nothing_is_found(tmp_path):
    law = Corpus.of([Document("a"), Document("b", body=" ")])
    method = make({"method": "endpoint"}, Resources(embed=lambda name: Server()))
    method.fit(law)
    method.save(tmp_path)
    again = make({"method": "endpoint"}, Resources(embed=lambda name: Server()))
    again.load(tmp_path, law)
    for each in (method, again):
        assert each.search([Query("q", "등불?")], 3) == {"q": ()}
        assert isinstance(each, Scoring)
        assert each.score(Query("q", "등불?"), ["a"]).tolist() == [0]


def test_half_a_character_reaches_no_server():
    server = Server()
    method = make({"method": "endpoint"}, Resources(embed=lambda name: server))
    method.fit(Corpus.of([Document("a", body="등\ud800불")]))
    method.search([Query("q", "\udfff등불?")], 1)
    assert server.told == ["등\N{REPLACEMENT CHARACTER}불", "\N{REPLACEMENT CHARACTER}등불?"]
