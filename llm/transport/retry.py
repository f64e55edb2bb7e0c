"""How long to wait before a call is made again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from random import Random

FIRST_S = 0.5
LONGEST_S = 60.0
LONGEST_ASKED_S = 600.0  # a server that asks for more is not waited for any longer than this


def delay(attempt: int, retry_after: float | None, rng: Random) -> float:
    """Return the seconds to wait after the failed attempt of that number, counted from 1.

    They double from attempt to attempt, and half of them is by chance, so that calls that failed
    together do not come back together. Never less than what the server asked for.
    """
    doubled: float = min(LONGEST_S, FIRST_S * 2 ** min(attempt - 1, 30))
    waited = doubled * (0.5 + rng.random() / 2)
    if retry_after is None:
        return waited
    return min(LONGEST_ASKED_S, retry_after) + waited * 0.1


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a response asks to wait, None if it does not or cannot be read.

    Both forms of ``Retry-After`` are read, seconds and a date, and ``retry-after-ms``.
    """
    millis = _number(headers.get("retry-after-ms"))
    if millis is not None:
        return millis / 1000
    written = headers.get("retry-after")
    seconds = _number(written)
    if seconds is not None or written is None:
        return seconds
    try:
        until = parsedate_to_datetime(written)
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _number(written: str | None) -> float | None:
    try:
        number = float(written or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
