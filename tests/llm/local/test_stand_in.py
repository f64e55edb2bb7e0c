"""The stand-in for a model: it says the same again, in the form that was asked for."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest

from llm.local.stand_in import ADDRESS, MODEL, StandIn
from llm.request import Message, Request
from llm.roles import Endpoint, Role
from llm.structured.answers import json_schema, read
from llm.structured.shapes import SHAPES
from llm.transport.openai_client import Form, ServerReply

CLAIMS = """Rules:
1. Snow falls.

Official claims:
1. A railing is high.
2. Gates stay shut.

Claims:
1. A railing is high.
2. Snow falls.
3. Gates open at noon."""
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
        {"claim": 3, "match": [], "partial": [2]},
    ]


def test_it_chooses_the_option_nearest_to_the_material() -> None:
    reply = said(CHOICE, options=("1", "2"), logprobs=2)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("2", len(CHOICE) // 4, 1)
    assert reply.logprobs is not None
    (first, likely), (second, less) = reply.logprobs[0]
    assert (first, second) == ("2", "1")
    assert math.exp(likely) + math.exp(less) == pytest.approx(1)
    assert likely - less == pytest.approx(4, 1e-3)  # all of the words are shared, or none
    assert said(CHOICE, options=("1", "2")).logprobs is None
    assert said(CHOICE, logprobs=2).logprobs is None


@pytest.mark.parametrize(
    ("prompt", "answers", "choice"),
    [
        ("judge_binary", ("Railings are high.",), "1"),
        ("judge_binary", ("Snow falls here.",), "0"),
        ("judge_pairwise", ("Railings are high.", "Snow falls."), "A"),
        ("judge_pairwise", ("Snow falls.", "Railings are high."), "B"),
    ],
)
def test_it_judges_by_the_words_of_the_law(
    prompt: str, answers: tuple[str, ...], choice: str
) -> None:
    asked = "\n\n".join(("Judge it.", "A railing is high.", *answers))
    assert said(asked, prompt=prompt).text == choice


def test_a_value_is_made_by_its_schema() -> None:
    numbers = {"a": {"minimum": 4}, "b": {"minimum": 0}, "c": {}}
    of = {name: {"type": "integer"} | more for name, more in numbers.items()}
    kinds = {"const": {"const": "k"}, "enum": {"enum": ["x", "y"]}, "yes": {"type": "boolean"}}
    lists: dict[str, Any] = {"few": {"type": "array", "items": {"$ref": "#/$defs/word"}}}
    lists["more"] = lists["few"] | {"minItems": 3}
    schema: dict[str, Any] = {"type": "object", "properties": of | kinds | lists}
    schema["$defs"] = {"word": {"type": "string"}}
    long = "a" * 301
    assert json.loads(said(f"First one.\nShort.\n{long}", schema=schema).text) == {
        **{"a": 4, "b": 1, "c": 1, "const": "k", "enum": "x", "yes": True},
        **{"few": ["First one.", "a" * 300], "more": ["First one.", "a" * 300, "First one."]},
    }


def test_it_writes_the_letter_of_an_option_where_one_is_asked_for_in_writing() -> None:
    asked = f"{CHOICE.replace('1. A', 'Y. A').replace('2. 1.2', 'N. 1.2')}\nLetter of the option:"
    assert said(asked, prompt="answer_choice.en").text == "N"


def test_a_text_becomes_a_vector_of_length_one() -> None:
    endpoint = Endpoint(Role.EMBED, ADDRESS, MODEL)
    reply = asyncio.run(StandIn().send(Request(endpoint, inputs=("railing", "")), Form()))
    first, empty = reply.vectors
    assert sorted(filter(None, first)) == pytest.approx([6**-0.5] * 6) and not any(empty)


def test_it_answers_with_sentences_that_it_was_shown() -> None:
    shown = "[b] A gate stays shut at night.\n[a] A railing is high.\n[c] It is high water now."
    reply = said(f"Provisions:\n{shown}\n[a] is high.\n\nQuestion:\nIs it high?\n\nAnswer:")
    assert reply.text == "[c] It is high water now. [a] A railing is high.\n[References] b, a"


def test_it_answers_a_request_of_one_part_with_its_own_words() -> None:
    assert said("Hello").text == "Hello"
