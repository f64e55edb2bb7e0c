from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from llm.reply import Problem, Reply, Status, reply_of
from llm.store import FileStore

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def reply(key: str = "k", status: Status = Status.ANSWERED, **more: Any) -> Reply:
    return Reply(key, "solve", "p@1-a", "http://s/v1", "m", {"max_tokens": 2}, status, AT, **more)


def test_what_is_put_is_there_after_opening_again(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    kept = reply(text="② \u2028 끝", logprobs=((("2", -0.5), ("3", -math.inf)),), vectors=((1.5,),))
    FileStore(file).put([kept, reply("other")])
    assert FileStore(file).get(["k", "unknown"]) == {"k": kept}


def test_a_failure_does_not_stand_and_the_oldest_answer_does(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "calls.jsonl")
    store.put([reply(status=Status.FAILED, problem=Problem.TIMEOUT)])
    assert store.get(["k"]) == {}
    store.put([reply(text="first"), reply(text="second")])
    for each in (store, FileStore(store.file)):
        assert each.get(["k"])["k"].text == "first"


def test_a_file_cut_anywhere_loses_only_what_was_not_finished(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    FileStore(whole).put([reply("a"), reply("b", text="{}")])
    content = whole.read_bytes()
    first = content.index(b"\n") + 1
    for cut in range(len(content)):
        file = tmp_path / "cut.jsonl"
        file.write_bytes(content[:cut])
        store = FileStore(file)
        assert set(store.get(["a", "b"])) == ({"a"} if cut >= first else set())
        store.put([reply("c")])
        assert set(FileStore(file).get(["a", "b", "c"])) >= {"c"}
        assert ("a" in FileStore(file).get(["a"])) == (cut >= first)


def test_a_line_that_is_no_reply_is_named(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    FileStore(file).put([reply()])
    with file.open("a") as out:
        out.write('{"key": 3}\n')
    with pytest.raises(UserError) as caught:
        FileStore(file)
    assert (caught.value.code, caught.value.where.line) == ("models_store_unreadable", 2)


floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
places = st.lists(st.tuples(st.text(), st.floats(max_value=0, allow_nan=False)), min_size=1)


@given(
    st.sampled_from(Status),
    st.one_of(st.none(), st.sampled_from(Problem)),
    st.text(),
    st.lists(st.lists(floats, max_size=4).map(tuple), max_size=3).map(tuple),
    st.one_of(st.none(), st.lists(places.map(tuple), max_size=3).map(tuple)),
)
def test_a_reply_comes_back_as_it_was(status, problem, text, vectors, logprobs) -> None:
    kept = reply("k", status, problem=problem, text=text, vectors=vectors, logprobs=logprobs)
    assert reply_of(kept.as_json()) == kept
