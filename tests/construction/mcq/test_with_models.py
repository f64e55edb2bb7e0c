"""From linked provisions to answers read: drafts, items, filters and four settings over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

from construction.mcq.filters import filtered
from construction.mcq.model import (
    GENERATE,
    Draft,
    Mcq,
    Pair,
    generation_values,
    item_of,
    solving_prompt,
    solving_values,
)
from evaluation.mcq.votes import Setting
from evaluation.replies.choices import Parse, read_choice
from llm.client import Client
from llm.prompts.prompt_files import prompt
from llm.request import Request
from llm.roles import Endpoint, Role, Secret
from llm.structured.shapes import McqDraft
from tests.construction.mcq.law import GOOD, pair
from tests.llm.conftest import MemoryStore, ask_for
from tests.llm.server import Server, Step

ANSWERS = {
    Setting.ZERO: "I cannot say without the decree.",
    Setting.A: "⑤",
    Setting.B: "Option 5.",
    Setting.BOTH: "정답: {}번",
}


async def generate(client: Client, each: Pair) -> Mcq | None:
    wording = prompt(GENERATE, "ko")
    request = Request(client.endpoint, wording.messages(generation_values(each)), wording.name)
    found = await ask_for(client, request, McqDraft, prompt("json_repair", "ko"))
    if found.value is None:
        return None
    written = found.value
    draft = Draft(written.query, tuple(written.options), written.answer, written.explanation)
    return item_of(draft, each, seed=1)


def asked(endpoint: Endpoint, item: Mcq, setting: Setting) -> Request:
    wording = prompt(solving_prompt(setting), "ko")
    return Request(endpoint, wording.messages(solving_values(item, setting)), wording.name)


def test_from_pairs_to_answers(server: Server) -> None:
    good = GOOD["ko"]
    values: dict[str, Any] = {"query": good.query, "options": list(good.options)}
    values |= {"answer": good.answer, "explanation": good.explanation}
    meta = values | {"query": "제시된 조문에 따르면 며칠 안에 알려야 합니까?"}
    server.on("act_1", Step(text=json.dumps(values)))
    server.on("act_2", Step(text=f"```json\n{json.dumps(meta)}\n```"))
    server.on("act_3", Step(text="I would rather not."))
    server.on("요청한 형식이 아닙니다", Step(text="Still not."))

    async def work() -> None:
        endpoint = Endpoint(Role.GENERATE, server.base_url, "writer")
        async with Client(endpoint, Secret(""), MemoryStore()) as client:
            made = await asyncio.gather(*(generate(client, pair(n, "ko")) for n in (1, 2, 3)))
        assert made[2] is None
        result = filtered([each for each in made if each])
        assert [dropped.reason for dropped in result.dropped] == ["meta"]
        [item] = result.kept
        server.rules.clear()
        await solve(item)

    async def solve(item: Mcq) -> None:
        endpoint = Endpoint(Role.SOLVE, server.base_url, "solver")
        for setting in Setting:
            server.rules.clear()
            server.on("", Step(text=ANSWERS[setting].format(item.answer)))
            async with Client(endpoint, Secret(""), MemoryStore()) as client:
                reply = await client.ask(asked(endpoint, item, setting))
            read[setting] = read_choice(reply.text, item.options)
        assert read[Setting.BOTH].option == item.answer
        assert read[Setting.A].option == read[Setting.B].option == item.abstention

    read: dict[Setting, Any] = {}
    asyncio.run(work())
    assert Counter(each.parse for each in read.values()) == {Parse.CHOSEN: 3, Parse.UNPARSED: 1}
