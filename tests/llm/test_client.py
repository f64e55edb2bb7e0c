"""The client against a real HTTP server that misbehaves in every way the protocol allows."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from llm.budget import Budget, BudgetReachedError, Limit
from llm.client import Client
from llm.reply import Problem, Reply, Status
from llm.request import Image, Message, Request
from llm.roles import Pace, Price
from tests.llm.conftest import KEY, Asker, MemoryStore
from tests.llm.server import Server, Step


def test_an_answer_with_what_it_used(asker: Asker, server: Server) -> None:
    server.on("question", Step(text="정답: 2"))
    asker.having(price=Price(2.0, 4.0), parameters={"temperature": 0, "min_p": 0.1})
    reply = asker.ask()
    assert (reply.status, reply.text, reply.finish_reason) == (Status.ANSWERED, "정답: 2", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.attempts) == (10, 5, 1)
    assert reply.cost == pytest.approx((10 * 2 + 5 * 4) / 1e6)
    assert reply.parameters == {"temperature": 0, "min_p": 0.1, "max_tokens": 20}
    [seen] = server.seen
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body["temperature"] == 0
    assert seen.body["min_p"] == 0.1
    assert seen.body["max_tokens"] == 20
    assert [m["role"] for m in seen.body["messages"]] == ["system", "user"]
    server.on("untold", Step(usage=False))
    reply = asker.ask("untold")
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (None, None, None)


def test_an_identical_call_is_answered_from_the_store(asker: Asker, server: Server) -> None:
    first = asker.ask()
    assert asker.ask() == first
    assert len(server.seen) == 1
    asker.ask("another")
    asker.ask(repeat=1)
    asker.having(model="model-b").ask()
    assert len(server.seen) == 4


def test_identical_calls_under_way_are_made_once(asker: Asker, server: Server) -> None:
    server.on("question", Step(delay=0.05))
    request = asker.request()

    async def many(client: Client) -> list[Reply]:
        return await asyncio.gather(*(client.ask(request) for _ in range(20)))

    replies = asker.run(many)
    assert len(server.seen) == 1
    assert all(reply is replies[0] for reply in replies)


def test_whoever_stops_waiting_does_not_stop_the_call(asker: Asker, server: Server) -> None:
    server.on("question", Step(delay=0.1))
    request = asker.request()

    async def give_up(client: Client) -> Reply:
        first = asyncio.create_task(client.ask(request))
        await asyncio.sleep(0.03)
        first.cancel()
        return await client.ask(request)

    assert asker.run(give_up).status is Status.ANSWERED
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (Step("hang"), Problem.TIMEOUT),
        (Step("drop"), Problem.CUT_OFF),
        (Step("half", text="a long answer that breaks off"), Problem.CUT_OFF),
        (Step("malformed", text="<html>gateway</html>"), Problem.UNREADABLE),
        (Step("malformed", text='{"choices": []}'), Problem.UNREADABLE),
        (Step("malformed", text="[1, 2]"), Problem.UNREADABLE),
        (Step("error", status=429), Problem.RATE_LIMITED),
        (Step("error", status=503), Problem.SERVER),
    ],
)
def test_what_may_pass_is_tried_again_and_fails_in_the_end(
    asker: Asker, server: Server, step: Step, problem: Problem
) -> None:
    server.on("passes", step, Step(text="in the end"))
    server.on("stays", step)
    if problem is Problem.TIMEOUT:
        asker.having(pace=replace(asker.endpoint.pace, timeout_s=0.2))
    reply = asker.ask("passes")
    assert (reply.status, reply.text, reply.attempts) == (Status.ANSWERED, "in the end", 2)
    assert len(asker.slept) == 1
    reply = asker.ask("stays")
    assert (reply.status, reply.problem, reply.attempts) == (Status.FAILED, problem, 3)
    assert isinstance(asker.store, MemoryStore)
    assert [kept.problem for kept in asker.store.replies] == [None, problem]


@pytest.mark.parametrize("do", ["half", "half_quietly"])
def test_half_a_stream_is_no_answer(asker: Asker, server: Server, do: str) -> None:
    server.on("question", Step(do, text="Option 2 is the one"), Step(text="word by word"))
    reply = asker.having(stream=True).ask()
    assert (reply.text, reply.attempts) == ("word by word", 2)
    assert (reply.finish_reason, reply.tokens_out) == ("stop", 5)
    assert server.seen[0].body["stream"] is True


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (Step("error", status=403), Problem.UNAUTHORISED),
        (Step("error", status=404), Problem.NOT_FOUND),
        (Step("error", status=422), Problem.BAD_REQUEST),
        (Step("error", status=400, code="context_length_exceeded"), Problem.TOO_LONG),
        (Step("error", status=400, message="maximum context length is 8"), Problem.TOO_LONG),
        (Step("error", status=400, message="max_tokens is too large"), Problem.BAD_REQUEST),
        (Step("error", status=413, message="body"), Problem.TOO_LONG),
        (Step("error", status=429, code="insufficient_quota"), Problem.QUOTA),
        (Step("error", status=302, headers={"location": "http://x/"}), Problem.BAD_REQUEST),
    ],
)  # fmt: skip
def test_what_cannot_pass_is_not_tried_again(
    asker: Asker, server: Server, step: Step, problem: Problem
) -> None:
    server.on("question", step)
    reply = asker.ask()
    assert (reply.status, reply.problem, reply.attempts) == (Status.FAILED, problem, 1)
    assert reply.text.endswith(step.message)
    assert len(server.seen) == 1


def test_nobody_listening_is_a_failure(asker: Asker) -> None:
    reply = asker.having(base_url="http://127.0.0.1:9/v1").ask()
    assert (reply.status, reply.problem) == (Status.FAILED, Problem.CONNECTION)


def test_a_failure_is_kept_and_asked_again_by_the_next_run(asker: Asker, server: Server) -> None:
    server.on("question", Step("error", status=404), Step(text="now"))
    assert asker.ask().status is Status.FAILED
    assert asker.ask().text == "now"
    assert isinstance(asker.store, MemoryStore)
    assert [reply.status for reply in asker.store.replies] == [Status.FAILED, Status.ANSWERED]


@pytest.mark.parametrize(
    "step",
    [
        Step("refuse", text="I cannot help with that."),
        Step(text="", finish="content_filter"),
        Step("error", status=400, code="content_filter", message="filtered"),
    ],
)
def test_a_refusal_is_its_own_outcome_and_stands(asker: Asker, server: Server, step: Step) -> None:
    server.on("question", step)
    reply = asker.ask()
    assert (reply.status, reply.problem) == (Status.REFUSED, Problem.DECLINED)
    assert asker.ask() == reply
    assert len(server.seen) == 1


def test_the_server_is_waited_for_as_long_as_it_asks(asker: Asker, server: Server) -> None:
    busy = Step("error", status=429, headers={"retry-after": "7"})
    server.on("question", busy, Step(text="fine"))
    reply = asker.ask()
    assert reply.attempts == 2
    assert asker.slept[0] >= 7


def test_an_unfit_answer_is_kept_as_such(asker: Asker, server: Server) -> None:
    server.on("question", Step(text="an essay", finish="length"))
    reply = asker.ask(check=lambda text: text == "2")
    assert (reply.status, reply.problem) == (Status.INVALID, Problem.UNFINISHED)
    assert reply.text == "an essay"


@pytest.mark.parametrize("limit", [Limit(calls=3), Limit(tokens=2000), Limit(money=0.002)])
def test_the_budget_is_never_passed(asker: Asker, server: Server, limit: Limit) -> None:
    asker.having(price=Price(1.0, 1.0))
    budget = Budget(limit)

    async def many(client: Client) -> list[Any]:
        requests = [asker.request(f"q{number}") for number in range(300)]
        return await asyncio.gather(*map(client.ask, requests), return_exceptions=True)

    kinds = Counter(type(each) for each in asker.run(many, budget))
    assert set(kinds) == {Reply, BudgetReachedError}
    assert kinds[Reply] == len(server.seen) == budget.used.calls
    for name in ("calls", "tokens", "money"):
        allowed = getattr(limit, name)
        assert allowed is None or getattr(budget.used, name) <= allowed


def test_every_attempt_counts_against_the_budget(asker: Asker, server: Server) -> None:
    server.on("question", Step("drop"))
    with pytest.raises(BudgetReachedError):
        asker.ask(budget=Budget(Limit(calls=2)))
    assert len(server.seen) == 2


def test_no_more_calls_at_once_than_the_pace_says(asker: Asker, server: Server) -> None:
    server.delay = 0.01
    asker.having(pace=Pace(concurrency=4))

    async def many(client: Client) -> None:
        await asyncio.gather(*(client.ask(asker.request(f"q{n}")) for n in range(40)))

    asker.run(many)
    assert server.most == 4


def test_an_image_travels_beside_the_words(asker: Asker, server: Server) -> None:
    image = Image(b"\x89PNG", "image/png")
    asker.ask(messages=(Message("user", "Read this", (image,)),))
    [text, picture] = server.seen[0].body["messages"][0]["content"]
    assert text == {"type": "text", "text": "Read this"}
    assert picture["image_url"]["url"] == "data:image/png;base64,iVBORw=="
    other = asker.request(messages=(Message("user", "Read this", (Image(b"else"),)),))
    assert other.key != asker.request(messages=(Message("user", "Read this", (image,)),)).key


def test_texts_become_vectors_in_their_order(asker: Asker, server: Server) -> None:
    request = Request(asker.endpoint, inputs=("a", "bbb"))
    reply = asker.run(lambda client: client.ask(request))
    assert reply.vectors == ((1.0, 1.0), (3.0, 1.0))
    assert (reply.tokens_in, reply.tokens_out) == (7, 0)
    assert server.seen[0].path == "/v1/embeddings"


@pytest.mark.parametrize("vectors", [[[1.0]], [[1.0], [float("nan")]]])
def test_vectors_that_do_not_fit_are_none(
    asker: Asker, server: Server, vectors: list[list[float]]
) -> None:
    server.on("bbb", Step(vectors=vectors))
    request = Request(asker.endpoint, inputs=("a", "bbb"))
    reply = asker.run(lambda client: client.ask(request))
    assert (reply.status, reply.problem) == (Status.FAILED, Problem.UNREADABLE)
    assert reply.vectors == ()


def test_log_probabilities_where_the_server_gives_them(asker: Asker, server: Server) -> None:
    place = [("2", -0.1), ("3", -2.5)]
    server.on("question", Step(text="2", logprobs=[place]))
    assert asker.ask(logprobs=5).logprobs == (tuple(place),)
    server.on("silent", Step(text="2"))
    assert asker.ask("silent", logprobs=5).logprobs is None


def test_a_server_without_log_probabilities_is_asked_without(asker: Asker, server: Server) -> None:
    refused = Step("error", status=400, message="logprobs is not supported")
    server.on("first", refused, Step(text="2"))

    async def twice(client: Client) -> list[Reply]:
        first = await client.ask(asker.request("first", logprobs=5))
        return [first, await client.ask(asker.request("second", logprobs=5))]

    first, second = asker.run(twice)
    assert (first.text, first.logprobs, first.form) == ("2", None, "")
    assert second.text == "ok"
    assert ["logprobs" in seen.body for seen in server.seen] == [True, False, False]


def test_a_server_that_names_the_limit_otherwise(asker: Asker, server: Server) -> None:
    refused = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.on("question", Step("error", status=400, message=refused), Step(text="2"))
    assert asker.ask().text == "2"
    assert server.seen[1].body["max_completion_tokens"] == 20
    assert "max_tokens" not in server.seen[1].body


@pytest.mark.parametrize("text", ["a\x00b", "half \ud83d of it", "\udc00"])
def test_what_no_database_takes_is_marked_as_unreadable(
    asker: Asker, server: Server, text: str
) -> None:
    server.on("question", Step(text=text))
    reply = asker.ask()
    assert "\ufffd" in reply.text
    assert "\x00" not in reply.text
    assert reply.text.encode("utf-8")


@pytest.mark.parametrize("tokens", [-1, 10**30, "many", None, 1.5])
def test_a_count_of_tokens_that_is_none_is_missing(
    asker: Asker, server: Server, tokens: object
) -> None:
    message = {"role": "assistant", "content": "fine"}
    usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": 1}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    text = json.dumps(body | {"choices": [choice], "usage": usage})
    server.on("question", Step("malformed", text=text))
    reply = asker.ask()
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("fine", None, 1)


def test_calls_to_a_server_in_trouble_do_not_wait_for_each_other(
    asker: Asker, server: Server
) -> None:
    server.on("q", Step("hang"))
    asker.having(pace=Pace(timeout_s=0.3, attempts=1))

    async def many(client: Client) -> list[Reply]:
        calls = (client.ask(asker.request(f"q{n}", logprobs=3)) for n in range(16))
        return await asyncio.gather(*calls)

    start = time.monotonic()
    assert {reply.problem for reply in asker.run(many)} == {Problem.TIMEOUT}
    assert time.monotonic() - start < 4  # 4.8 seconds in a row


def test_nothing_of_the_environment_reaches_a_server(
    asker: Asker, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "from-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-own: from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert asker.ask().status is Status.ANSWERED
    asker.run(lambda client: client.ask(Request(asker.endpoint, inputs=("a",))))
    assert len(server.seen) == 2
    for seen in server.seen:
        assert "from-the-environment" not in seen.headers.values()
        assert {"x-own", "openai-organization", "openai-project"}.isdisjoint(seen.headers)


def test_a_store_that_fails_fails_the_call(asker: Asker) -> None:
    class Broken(MemoryStore):
        def put(self, replies: Any) -> None:
            raise OSError("the disk is full")

    asker.store = Broken()
    with pytest.raises(OSError, match="full"):
        asker.ask()
