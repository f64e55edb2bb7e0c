"""Estimate of the remaining time of work, from its progress so far."""

from __future__ import annotations

import time
from collections.abc import Callable

_SURE_SECONDS = 1.0  # no estimate before this


class Estimate:
    """Estimator of the time left from the pace so far; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._before = 0

    def left(self, done: int, total: int) -> str:
        """Return minutes and seconds, such as ``0:42``; "" while unknown."""
        now = self._clock()
        if self._began is None:
            self._began, self._before = now, done
        came, spent = done - self._before, now - self._began
        if came <= 0 or spent < _SURE_SECONDS or done >= total:
            return ""
        minutes, seconds = divmod(round(spent / came * (total - done)), 60)
        return f"{minutes}:{seconds:02}"
