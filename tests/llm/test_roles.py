"""A planted key is searched for in everything that is written down."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback

import pytest
from rich.console import Console
from rich.traceback import Traceback

from llm.batch import ask_all
from llm.client import Client
from llm.reply import Reply
from llm.roles import PREFIX, Role, Secret, key_of
from llm.transport.openai_client import CallError, Form, Transport
from tests.llm.conftest import KEY, Asker, MemoryStore
from tests.llm.server import Server, Step


def test_each_role_has_its_own_key_or_the_common_one() -> None:
    source = {PREFIX: " common\n", f"{PREFIX}_JUDGE": "its own"}
    assert key_of(Role.JUDGE, source).reveal() == "its own"
    assert key_of(Role.DRAFT_OCR, source).reveal() == "common"
    assert not key_of(Role.JUDGE, {})


def test_a_key_shows_itself_to_nobody() -> None:
    secret = Secret(KEY)
    for shown in (repr(secret), str(secret), f"{secret}", f"{[secret]!r}"):
        assert KEY not in shown
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_a_short_placeholder_is_no_key_to_be_hidden() -> None:
    assert Secret("x").scrub("x marks the spot") == "x marks the spot"


@pytest.mark.parametrize("stream", [False, True])
def test_no_key_in_logs_stores_errors_or_reprs(
    asker: Asker, server: Server, caplog: pytest.LogCaptureFixture, stream: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    repeated = f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}"
    for status in (400, 401, 429, 500):
        server.on(f"status {status}", Step("error", status=status, message=repeated))
    server.on("echo", Step(text=f"your key is {KEY}"))
    server.on("garbage", Step("malformed", text=repeated))
    server.on("refuse", Step("refuse", text=repeated))
    asker.store = store = MemoryStore()
    asker.having(stream=stream)
    texts = ["status 400", "status 429", "status 500", "echo", "garbage", "refuse", "status 401"]

    async def batch(client: Client) -> list[object]:
        told = await ask_all(client, [asker.request(text) for text in texts])
        return [client, vars(client), told]

    said = asker.run(batch)
    replies: list[Reply] = [asker.ask(text) for text in texts]
    assert len(store.replies) >= len(texts)
    for text in (caplog.text, repr(said), repr(replies), repr(store.replies)):
        assert KEY not in text
    assert any("[key]" in reply.text for reply in replies)


def test_no_key_in_an_exception_or_its_traceback(asker: Asker, server: Server) -> None:
    server.on("question", Step("error", status=401, message=f"bad key {KEY}"))
    transport = Transport(asker.endpoint, Secret(KEY))
    with pytest.raises(CallError) as caught:
        asyncio.run(transport.send(asker.request(), Form()))
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    plain = "".join(traceback.format_exception(error))
    console = Console(record=True, width=200)
    console.print(
        Traceback.from_exception(type(error), error, error.__traceback__, show_locals=True)
    )
    for text in (plain, repr(error), repr(error.args), console.export_text()):
        assert KEY not in text
