"""Rate limits: concurrency, calls and tokens per minute, and delays before retries."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from random import Random

from llm.roles import Pace

_MINUTE_S = 60.0
_ROUNDING = 1e-6
Sleep = Callable[[float], Awaitable[object]]
Now = Callable[[], float]


class Bucket:
    """A token bucket of one minute's allowance, which one call may overdraw.

    Over any period no more goes out than one minute's allowance plus that of the period.
    """

    def __init__(self, per_minute: int, now: float) -> None:
        self.per_minute = per_minute
        self._held = float(per_minute)
        self._at = now

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount` is available (if over the capacity: until full)."""
        self._fill(now)
        missing = min(amount, self.per_minute) - self._held
        # Less is a rounding error; a clock might never advance by so little.
        return missing * _MINUTE_S / self.per_minute if missing > _ROUNDING else 0.0

    def take(self, amount: float, now: float) -> None:
        """Take `amount`; a negative amount returns what was not used."""
        self._fill(now)
        self._held = min(self.per_minute, self._held - amount)

    def _fill(self, now: float) -> None:
        """Fill up by the time passed."""
        gained = (now - self._at) * self.per_minute / _MINUTE_S
        self._held = min(self.per_minute, self._held + gained)
        self._at = now


class Pacer:
    """Paces calls to one server. Belongs to one event loop."""

    def __init__(self, pace: Pace, now: Now, sleep: Sleep) -> None:
        self._now, self._sleep = now, sleep
        self._free = asyncio.Semaphore(pace.concurrency)
        self._turn = asyncio.Lock()
        self._requests = pace.requests_per_minute and Bucket(pace.requests_per_minute, now())
        self._tokens = pace.tokens_per_minute and Bucket(pace.tokens_per_minute, now())
        self._not_before = 0.0

    @asynccontextmanager
    async def call(self, tokens: int) -> AsyncIterator[None]:
        """Wait for this call's turn, and hold a concurrency slot while it is made."""
        async with self._free:
            await self._wait(tokens)
            yield

    def correct(self, expected: int, tokens: int) -> None:
        """Correct a call's expected tokens by its actual ones."""
        if self._tokens:
            self._tokens.take(tokens - expected, self._now())

    def pause(self, seconds: float) -> None:
        """Hold back all calls for `seconds`, as the server has requested."""
        self._not_before = max(self._not_before, self._now() + seconds)

    async def _wait(self, tokens: int) -> None:
        """Wait until a call may begin, and take its share of the limits."""
        async with self._turn:  # first come, first served
            while (seconds := self._seconds(tokens)) > 0:
                await self._sleep(seconds)
            now = self._now()
            if self._requests:
                self._requests.take(1, now)
            if self._tokens:
                self._tokens.take(tokens, now)

    def _seconds(self, tokens: int) -> float:
        """Return the seconds until a call may begin."""
        now = self._now()
        waits = [self._not_before - now]
        if self._requests:
            waits.append(self._requests.wait(1, now))
        if self._tokens:
            waits.append(self._tokens.wait(tokens, now))
        return max(waits)


FIRST_S = 0.5
LONGEST_S = 60.0
LONGEST_ASKED_S = 600.0  # maximum wait, even if a server asks for more


def delay(attempt: int, retry_after: float | None, rng: Random) -> float:
    """Return the seconds to wait after a failed attempt, counted from 1.

    They double from attempt to attempt, and half of them is random, so that calls that failed
    together are not retried together. Where the server asked for a wait, it is that, within
    LONGEST_ASKED_S, and a tenth of these.
    """
    doubled: float = min(LONGEST_S, FIRST_S * 2 ** min(attempt - 1, 30))
    waited = doubled * (0.5 + rng.random() / 2)
    if retry_after is None:
        return waited
    return min(LONGEST_ASKED_S, retry_after) + waited * 0.1


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a response asks to wait, None if it does not or is unreadable.

    Both forms of ``Retry-After`` are read, seconds and a date, and ``retry-after-ms``.
    """
    millis = _non_negative_number(headers.get("retry-after-ms"))
    if millis is not None:
        return millis / 1000
    written = headers.get("retry-after")
    seconds = _non_negative_number(written)
    if seconds is not None or written is None:
        return seconds
    try:
        until = parsedate_to_datetime(written)
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _non_negative_number(written: str | None) -> float | None:
    """Return a header's number; None if it is none, negative or not finite."""
    try:
        number = float(written or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
