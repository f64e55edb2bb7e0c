"""The stand-in for a model: it says the same again, in the form that was asked for."""

from __future__ import annotations

import asyncio
import math

import pytest

from llm.local.stand_in import ADDRESS, MODEL, StandIn
from llm.request import Message, Request
from llm.roles import Endpoint, Role
from llm.structured.answers import json_schema, read
from llm.structured.shapes import SHAPES
from llm.transport.openai_client import Form, ServerReply

CLAIMS = """Official claims:
1. A railing is high.
2. Gates stay shut.

Claims:
1. A railing is high.
2. Snow falls."""
CHOICE = """Material:
A railing is 1.2 metres high.

Question:
How high?

Options:
1. A gate
2. 1.2 metres high
"""


JUDGMENT = """The defendant drove two kilometres at night. He asked for mercy.

# Driving
## distance: How far?
One of these.
- short: below one kilometre
- middle: two kilometres
- not_stated: nothing is said

## time: When?
- night: at night
- day: by day
"""


def said(text: str, **more: object) -> ServerReply:
    endpoint = Endpoint(Role.SOLVE, ADDRESS, MODEL)
    request = Request(endpoint, (Message("user", text),), **more)  # type: ignore[arg-type]
    return asyncio.run(StandIn().send(request, Form()))


@pytest.mark.parametrize("name", SHAPES)
def test_it_answers_in_every_form(name: str) -> None:
    text = "How high is a railing? A railing is 1.2 metres high. A gate is shut at night."
    reply = said(text, schema=json_schema(SHAPES[name]))
    assert read(reply.text, SHAPES[name]) is not None
    assert reply == said(text, schema=json_schema(SHAPES[name]))


def test_it_answers_each_question_on_a_judgment_with_an_option_and_a_quotation() -> None:
    shape = SHAPES["factor_tags"]
    reply = read(said(JUDGMENT, schema=json_schema(shape)).text, shape)
    assert reply is not None
    quote = "The defendant drove two kilometres at night."
    assert reply.model_dump()["answers"] == [
        {"sub_factor": "distance", "options": ["middle"], "quote": quote},
        {"sub_factor": "time", "options": ["night"], "quote": quote},
    ]


def test_it_matches_claims_by_their_words() -> None:
    reply = read(
        said(CLAIMS, schema=json_schema(SHAPES["claim_labels"])).text, SHAPES["claim_labels"]
    )
    assert reply is not None
    assert reply.model_dump()["labels"] == [
        {"claim": 1, "match": [1], "partial": []},
        {"claim": 2, "match": [], "partial": []},
    ]


def test_it_chooses_the_option_nearest_to_the_material() -> None:
    reply = said(CHOICE, options=("1", "2"), logprobs=2)
    assert reply.text == "2"
    assert reply.logprobs is not None
    shares = [math.exp(value) for _, value in reply.logprobs[0]]
    assert sum(shares) == pytest.approx(1)


def test_it_writes_the_letter_of_an_option_where_one_is_asked_for_in_writing() -> None:
    asked = f"{CHOICE.replace('1. A', 'Y. A').replace('2. 1.2', 'N. 1.2')}\nLetter of the option:"
    assert said(asked, prompt="answer_choice.en").text == "N"


def test_a_text_becomes_a_vector_of_length_one() -> None:
    endpoint = Endpoint(Role.EMBED, ADDRESS, MODEL)
    reply = asyncio.run(StandIn().send(Request(endpoint, inputs=("railing", "")), Form()))
    first, empty = reply.vectors
    assert math.hypot(*first) == pytest.approx(1) and not any(empty)


def test_it_answers_with_sentences_that_it_was_shown() -> None:
    reply = said(
        "Provisions:\n[a_1] A railing is 1.2 metres high.\n\nQuestion:\nHow high?\n\nAnswer:"
    )
    assert "1.2 metres" in reply.text and "[References] a_1" in reply.text


def test_it_answers_a_request_of_one_part_with_its_own_words() -> None:
    assert said("Hello").text == "Hello"
