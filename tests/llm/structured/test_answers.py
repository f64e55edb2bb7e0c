from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.prompts.prompt_files import prompt
from llm.reply import Problem, Status
from llm.structured.answers import Structured, json_schema, read
from llm.structured.shapes import SHAPES, McqDraft
from tests.llm.conftest import Asker, ask_for
from tests.llm.server import Rule, Server, Step

GOOD: dict[str, Any] = {
    "query": "When?",
    "options": ["a", "b", "c", "d"],
    "answer": 2,
    "explanation": "because",
}
TEXT = json.dumps(GOOD)
REPAIR = prompt("json_repair", "en")


def ask(asker: Asker, text: str = "question") -> Structured[McqDraft]:
    request = asker.request(text)
    found = asker.run(lambda client: ask_for(client, request, McqDraft, REPAIR))
    assert isinstance(found, Structured)
    return found


def test_an_answer_of_the_schema(asker: Asker, server: Server) -> None:
    server.on("question", Step(text=TEXT))
    found = ask(asker)
    assert found.value == McqDraft(**GOOD)
    assert found.replies[0].form == "schema"
    wanted = server.seen[0].body["response_format"]
    assert wanted["json_schema"]["strict"] is True
    assert wanted["json_schema"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    "refusals",
    [
        ["response_format json_schema is not supported"],
        ["response_format is unknown", "response_format is unknown"],
        ["bad request", "bad request"],
    ],
)
def test_a_server_that_knows_less_is_asked_for_less_and_remembered(
    asker: Asker, server: Server, refusals: list[str]
) -> None:
    steps = [Step("error", status=400, message=each) for each in refusals]
    server.on("first", *steps, Step(text=f"Here it is:\n```json\n{TEXT}\n```"))
    server.on("second", Step(text=TEXT))
    requests = [asker.request("first"), asker.request("second")]

    async def both(client: Any) -> list[Structured[McqDraft]]:
        return [await ask_for(client, each, McqDraft, REPAIR) for each in requests]

    for found in asker.run(both):
        assert found.value == McqDraft(**GOOD)
        assert found.replies[0].form == ("json" if len(refusals) == 1 else "plain")
    kinds = [seen.body.get("response_format", {}).get("type") for seen in server.seen]
    least = "json_object" if len(refusals) == 1 else None
    refused = ["json_schema", "json_object", None][: len(refusals)]
    assert kinds == [*refused, least, least]


def test_a_request_that_is_bad_in_every_form_fails_and_is_not_remembered(
    asker: Asker, server: Server
) -> None:
    server.on("bad", Step("error", status=400, message="unknown field"))
    server.on("good", Step(text=TEXT))
    bad, good = asker.request("bad"), asker.request("good")

    async def both(client: Any) -> list[Structured[McqDraft]]:
        return [await ask_for(client, each, McqDraft, REPAIR) for each in (bad, good)]

    first, second = asker.run(both)
    assert (first.value, first.problem) == (None, Problem.BAD_REQUEST)
    assert second.replies[0].form == "schema"


def test_one_repair_and_the_model_is_told_what_is_wrong(asker: Asker, server: Server) -> None:
    server.on("question", Step(text=json.dumps(GOOD | {"answer": 7})))
    server.rules.insert(0, Rule("not in the form", [Step(text=TEXT)]))
    found = ask(asker)
    assert found.value == McqDraft(**GOOD)
    assert [reply.status for reply in found.replies] == [Status.INVALID, Status.ANSWERED]
    said = server.seen[1].body["messages"]
    assert [m["role"] for m in said] == ["system", "user", "assistant", "user"]
    assert "answer: Input should be less than or equal to 4" in said[-1]["content"]
    assert found.replies[1].prompt.startswith("json_repair.en@1-")


def test_what_does_not_fit_twice_is_a_recorded_failure(asker: Asker, server: Server) -> None:
    server.on("not in the form", Step(text='{"query": '))
    server.on("question", Step(text="I would say the second."))
    for _ in range(2):  # the second time from the store
        found = ask(asker)
        assert (found.value, found.problem) == (None, Problem.FORM)
        assert [reply.status for reply in found.replies] == [Status.INVALID, Status.INVALID]
    assert len(server.seen) == 2


@pytest.mark.parametrize("step", [Step("refuse", text="no"), Step("error", status=404)])
def test_a_refusal_or_failure_is_not_repaired(asker: Asker, server: Server, step: Step) -> None:
    server.on("question", step)
    found = ask(asker)
    assert found.value is None
    assert len(found.replies) == len(server.seen) == 1


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"Sure! {TEXT} Hope this helps {{smile}}",
        f"<think>maybe {json.dumps(GOOD | {'answer': 3})}</think>{TEXT}",
        f"<answer>{TEXT}</answer>",
        f"{TEXT}\n{TEXT}",
        f'{{"other": 1}} {TEXT}',
    ],
)
def test_the_one_reading_counts_whatever_stands_around_it(text: str) -> None:
    assert read(text, McqDraft) == McqDraft(**GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT[:-1],
        f"<think>{TEXT}",
        f"{TEXT}</think>",
        json.dumps([GOOD["query"]]),
        f"{TEXT} or {json.dumps(GOOD | {'answer': 3})}",
        json.dumps(GOOD | {"answer": "2"}),
        json.dumps(GOOD | {"options": ["a", "b"]}),
        json.dumps(GOOD | {"extra": 1}),
        json.dumps(GOOD | {"explanation": ""}),
        "{" * 5000,
        '{"a":' * 5000,
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    assert read(text, McqDraft) is None


@given(st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    assert read(text, McqDraft) is None


@given(st.text(alphabet="abc 가나 .:!"), st.text(alphabet="abc 가나 .:!"))
def test_words_around_change_nothing(before: str, after: str) -> None:
    assert read(before + TEXT + after, McqDraft) == McqDraft(**GOOD)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_every_field_of_a_schema_is_named_and_no_other_allowed(name: str) -> None:
    def objects(node: Any) -> Any:
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for each in node.values():
                yield from objects(each)

    found = list(objects(json_schema(SHAPES[name])))
    assert found
    for each in found:
        assert each["additionalProperties"] is False
        assert sorted(each["required"]) == sorted(each["properties"])
