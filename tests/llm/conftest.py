"""A scripted server, and a client of it that never waits longer than it must."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from llm.budget import Budget
from llm.client import Client, Store
from llm.prompts.prompt_files import Prompt
from llm.reply import FINAL, Reply
from llm.request import Message, Request
from llm.roles import Endpoint, Pace, Role, Secret
from llm.structured.answers import Shape, Structured, ask_all_for
from tests.llm.server import Server

KEY = "sk-planted-0123456789abcdef"


async def ask_for(
    client: Client, request: Request, shape: type[Shape], repair: Prompt
) -> Structured[Shape]:
    """Ask one request for an answer of that shape, with one repair."""
    found: list[Structured[Shape]] = []
    await ask_all_for(client, [request], shape, repair, lambda _, each: found.append(each))
    return found[0]


class MemoryStore:
    """Keeps replies as long as the process lives."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self._standing: dict[str, Reply] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        return {key: self._standing[key] for key in keys if key in self._standing}

    def put(self, replies: Sequence[Reply]) -> None:
        self.replies += replies
        for reply in replies:
            if reply.status in FINAL:
                self._standing.setdefault(reply.key, reply)


class Asker:
    """Asks the scripted server; `slept` are the waits between attempts, which it skips."""

    def __init__(self, server: Server) -> None:
        self.store: Store = MemoryStore()
        self.slept: list[float] = []
        # A busy machine may answer late: a call that is made again would count as another.
        pace = Pace(timeout_s=30, attempts=3)
        self.endpoint = Endpoint(Role.SOLVE, server.base_url, "model-a", max_tokens=20, pace=pace)

    def having(self, **changes: Any) -> Asker:
        self.endpoint = replace(self.endpoint, **changes)
        return self

    def request(self, text: str = "question", **more: Any) -> Request:
        said = (Message("system", "Answer."), Message("user", text))
        return Request(self.endpoint, more.pop("messages", said), "test@1-abc", **more)

    def run(self, work: Callable[[Client], Any], budget: Budget | None = None) -> Any:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            await asyncio.sleep(0)

        async def whole() -> Any:
            client = Client(
                self.endpoint,
                Secret(KEY),
                self.store,
                budget,
                now=lambda: time.monotonic() + sum(self.slept),
                sleep=sleep,
                rng=Random(7),
            )
            async with client:
                return await work(client)

        return asyncio.run(whole())

    def ask(self, text: str = "question", budget: Budget | None = None, **more: Any) -> Reply:
        check = more.pop("check", None)
        request = self.request(text, **more)
        reply = self.run(lambda client: client.ask(request, check), budget)
        assert isinstance(reply, Reply)
        return reply


@pytest.fixture
def asker(server: Server) -> Asker:
    return Asker(server)
