from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.roles import Pace
from llm.transport.rate_limit import LONGEST_ASKED_S, LONGEST_S, Pacer, delay, retry_after

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def starts(pace: Pace, tokens: list[int], pause: float = 0.0) -> list[float]:
    time = Time()

    async def run() -> list[float]:
        pacer = Pacer(pace, time, time.sleep)
        if pause:
            pacer.pause(pause)
        at = []
        for each in tokens:
            async with pacer.call(each):
                at.append(time.now)
        return at

    return asyncio.run(run())


@given(st.integers(1, 60), st.integers(1, 200))
def test_requests_stay_within_what_a_minute_allows(per_minute: int, number: int) -> None:
    at = starts(Pace(requests_per_minute=per_minute), [1] * number)
    for index, first in enumerate(at):
        within = sum(1 for other in at[index:] if other - first < 60 - 1e-6)
        assert within <= 2 * per_minute  # a full bucket, and what a minute brings
    expected = max(0, number - per_minute) * 60 / per_minute
    assert at[-1] == pytest.approx(expected, abs=1e-6)


@given(st.integers(10, 1000), st.lists(st.integers(1, 3000), min_size=1, max_size=30))
def test_tokens_do_too_and_the_largest_call_still_goes_out(
    per_minute: int, tokens: list[int]
) -> None:
    at = starts(Pace(tokens_per_minute=per_minute), tokens)
    spent = sum(tokens[:-1])
    assert at[-1] >= (spent + min(tokens[-1], per_minute) - per_minute) * 60 / per_minute - 1e-6


def test_nothing_goes_out_during_a_pause() -> None:
    assert starts(Pace(), [1, 1], pause=9.0) == [9.0, 9.0]


@given(st.integers(1, 100), st.one_of(st.none(), st.floats(0, 1e6)), st.integers())
def test_a_delay_is_long_enough_and_not_for_ever(
    attempt: int, asked: float | None, seed: int
) -> None:
    waited = delay(attempt, asked, Random(seed))
    assert 0 < waited <= LONGEST_ASKED_S + LONGEST_S
    if asked is not None:
        assert waited >= min(asked, LONGEST_ASKED_S)


def test_delays_double_and_differ() -> None:
    rng = Random(1)
    means = [sum(delay(n, None, rng) for _ in range(200)) / 200 for n in (1, 2, 3)]
    assert means == sorted(means)
    assert means[2] == pytest.approx(4 * means[0], rel=0.1)
    assert delay(1, None, rng) != delay(1, None, rng)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({}, None),
    ],
)
def test_both_ways_to_ask_for_patience_are_read(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.text())
def test_no_header_breaks_it(written: str) -> None:
    waited = retry_after({"retry-after": written}, NOW)
    assert waited is None or waited >= 0
