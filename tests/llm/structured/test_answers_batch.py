from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from llm.batch import End, Progress
from llm.budget import Budget, Limit
from llm.client import Client
from llm.prompts.prompt_files import prompt
from llm.reply import Problem, Status
from llm.structured.answers import Structured, ask_all_for
from llm.structured.shapes import McqDraft
from tests.llm.conftest import Asker
from tests.llm.server import Server, Step

GOOD = {"query": "When?", "options": list("abcd"), "answer": 2, "explanation": "because"}
REPAIR = prompt("json_repair", "en")
Found = dict[int, Structured[McqDraft]]


def scripted(server: Server) -> None:
    """Let questions with an even number be answered well, with a 3 be refused, others badly."""
    server.on("not in the form asked for: no JSON", Step(text="still not"))
    server.on("not in the form", Step(text=json.dumps(GOOD)))
    server.on("never", Step(text="an essay"))
    server.on("refused", Step("refuse", text="no"))
    server.on("bad", Step(text=json.dumps(GOOD | {"answer": 9})))
    server.on("good", Step(text=json.dumps(GOOD)))


def run(
    asker: Asker, texts: list[str], budget: Budget | None = None, **more: Any
) -> tuple[Progress, Found]:
    found: Found = {}
    requests = [asker.request(text) for text in texts]

    def keep(place: int, value: Structured[McqDraft]) -> None:
        assert place not in found
        found[place] = value

    async def work(client: Client) -> Progress:
        return await ask_all_for(client, requests, McqDraft, REPAIR, keep, **more)

    return asker.run(work, budget), found


def test_each_request_comes_to_something_once(asker: Asker, server: Server) -> None:
    scripted(server)
    texts = [f"{kind} {n}" for n in range(10) for kind in ("good", "bad", "refused", "never")]
    told, found = run(asker, texts)
    assert (told.end, told.done, told.total) == (End.DONE, 60, 60)
    assert sorted(found) == list(range(40))
    for place, text in enumerate(texts):
        each = found[place]
        assert (each.value is not None) == text.startswith(("good", "bad"))
        assert len(each.replies) == (2 if text.startswith(("bad", "never")) else 1)
    assert found[3].problem is Problem.FORM
    assert found[2].replies[-1].status is Status.REFUSED


def test_it_is_taken_up_where_the_budget_ended_it(asker: Asker, server: Server) -> None:
    scripted(server)
    texts = [f"bad {n}" for n in range(20)]
    told, found = run(asker, texts, Budget(Limit(calls=30)))
    assert (told.end, len(found)) == (End.BUDGET, 10)
    told, found = run(asker, texts)
    assert (told.end, len(found), told.recalled) == (End.DONE, 20, 30)
    assert set(server.counts.values()) == {1}


def test_it_stops_between_the_questions_and_the_repairs(asker: Asker, server: Server) -> None:
    scripted(server)

    class After:
        def __init__(self, asks: Callable[[], int]) -> None:
            self.asks = asks

        def is_set(self) -> bool:
            return self.asks() >= 20

    told, found = run(asker, [f"bad {n}" for n in range(20)], stop=After(lambda: len(server.seen)))
    assert told.end in (End.STOPPED, End.DONE)
    assert len(server.seen) <= 20
    assert found == {}
