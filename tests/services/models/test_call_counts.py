"""Calls to models counted: each once, whoever makes it, and kept beside what they made."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.reply import Reply, Status
from services.models.call_counts import Call, Calls, CallSums, active_counters, counting_calls

TOKENS = st.none() | st.integers(0, 2**40)
CALL = st.builds(Call, TOKENS, TOKENS, st.floats(0, 1e6), st.booleans())
CALLS = st.dictionaries(st.integers(0, 2**64 - 1), CALL, max_size=5).map(Calls)


def reply(key: str, tokens: int | None = 3, seconds: float = 0.5) -> Reply:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    return Reply(
        *(f"{key:0>64}", "generate", "p@1", "s", "m", {}, Status.ANSWERED, at),
        tokens_in=tokens,
        tokens_out=tokens,
        seconds=seconds,
    )


def test_a_call_counts_once_and_as_it_was_made_first() -> None:
    calls = Calls()
    for key, recalled in (("a" * 64, False), ("a" * 64, True), ("b" * 64, True)):
        calls.add(reply(key), recalled)
    assert calls.sums == CallSums(2, 1, 6, 6, 0, 1.0)


def test_tokens_that_nobody_tells_are_not_none_at_all() -> None:
    calls = Calls()
    calls.add(reply("a" * 64, None), False)
    assert calls.sums.tokens is None and calls.sums.untold == 1
    calls.add(reply("b" * 64, 4), False)
    assert calls.sums.tokens == 8 and calls.sums.untold == 1
    assert CallSums().tokens == 0


@given(CALLS, CALLS)
def test_the_calls_of_two_are_told_once_each(one: Calls, other: Calls) -> None:
    both = one.with_those_of(other)
    assert set(both.by_key) == set(one.by_key) | set(other.by_key)
    assert all(both.by_key[key] == call for key, call in one.by_key.items())
    assert one.with_those_of(one) == one


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    @given(CALLS)
    def kept(calls: Calls) -> None:
        calls.save(tmp_path / "calls.npy")
        assert Calls.load(tmp_path / "calls.npy") == calls
        assert CallSums.read(CallSums().as_json()) == CallSums()

    kept()


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "calls.npy"
    with pytest.raises(OSError):
        Calls.load(file)
    file.write_bytes(b"no array")
    with pytest.raises(ValueError):
        Calls.load(file)
    np.save(file, np.zeros(3))
    with pytest.raises(ValueError):
        Calls.load(file)


@pytest.mark.parametrize("said", [None, 3, {}, {"calls": 1}])
def test_sums_that_an_older_record_lacks_are_not_known(said: object) -> None:
    assert CallSums.read(said) is None


def test_blocks_within_count_for_those_around_them() -> None:
    assert active_counters() == ()
    with counting_calls() as outer:
        with counting_calls() as inner:
            for each in active_counters():
                each.add(reply("a" * 64), False)
        for each in active_counters():
            each.add(reply("b" * 64), False)
    assert (outer.sums.calls, inner.sums.calls) == (2, 1)
    assert active_counters() == ()
