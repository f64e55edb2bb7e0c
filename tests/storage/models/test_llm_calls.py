from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy.exc import DatabaseError
from sqlmodel import select

from llm.budget import Use
from llm.reply import Problem, Reply, Status
from storage.db.workspace import Workspace
from storage.models import CallStore, usage_by_model, used
from storage.tables.models import LlmCall

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def reply(key: str = "k", status: Status = Status.ANSWERED, **more: Any) -> Reply:
    values: dict[str, Any] = {
        "role": "solve",
        "prompt": "mcq.en@1-abc",
        "server": "http://s/v1",
        "model": "m",
    }
    return Reply(key, **values | {"parameters": {"t": 0}, "status": status, "at": AT} | more)


def test_a_reply_comes_back_as_it_was(ws: Workspace) -> None:
    kept = reply(
        text="② 끝",
        problem=Problem.FORM,
        finish_reason="length",
        tokens_in=3,
        tokens_out=4,
        cost=0.25,
        seconds=1.5,
        attempts=2,
        form="schema",
        logprobs=((("2", -0.5), ("3", -math.inf)),),
        vectors=((1.5, -2.0),),
        status=Status.INVALID,
    )
    bare = reply("bare", prompt="")
    CallStore(ws).put([kept, bare])
    assert CallStore(ws).get(["k", "bare", "none"]) == {"k": kept, "bare": bare}


def test_the_first_that_stands_counts_and_a_failure_does_not(ws: Workspace) -> None:
    store = CallStore(ws)
    store.put([reply(status=Status.FAILED, problem=Problem.TIMEOUT)])
    assert store.get(["k"]) == {}
    store.put([reply(text="first")])
    store.put([reply(text="second"), reply(status=Status.REFUSED)])
    assert store.get(["k"])["k"].text == "first"
    with ws.reading() as session:
        assert len(session.exec(select(LlmCall)).all()) == 4


def test_many_keys_are_looked_up_at_once(ws: Workspace) -> None:
    store = CallStore(ws)
    store.put([reply(str(n)) for n in range(0, 1500, 2)])
    assert set(store.get([str(n) for n in range(1500)])) == {str(n) for n in range(0, 1500, 2)}


def test_one_that_cannot_be_kept_keeps_none(ws: Workspace) -> None:
    bad = reply("bad", server=None)
    with pytest.raises(DatabaseError):
        CallStore(ws).put([reply(), bad])
    assert CallStore(ws).get(["k"]) == {}


def test_what_was_spent_by_role_and_model(ws: Workspace) -> None:
    told: dict[str, Any] = {"tokens_in": 10, "tokens_out": 5, "cost": 0.5, "attempts": 1}
    CallStore(ws).put(
        [
            reply("a", **told),
            reply("b", **told | {"attempts": 3}),
            reply("c", Status.REFUSED, attempts=1),
            reply("d", Status.FAILED, problem=Problem.SERVER, attempts=6),
            reply("e", role="judge", **told | {"cost": None}),
        ]
    )
    with ws.reading() as session:
        judge, solve = usage_by_model(session)
        assert used(session) == Use(12, 45, 1.0)
    assert (solve.role, solve.calls, solve.answered, solve.refused, solve.failed) == (
        "solve",
        4,
        2,
        1,
        1,
    )
    assert (solve.tokens_in, solve.tokens_out, solve.cost) == (20, 10, 1.0)
    assert (solve.untold, solve.unpriced, solve.first) == (1, 1, AT)
    assert (judge.unpriced, judge.cost) == (1, 0.0)
