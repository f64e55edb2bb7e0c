"""How long work will still take, from how far it has come since it was begun."""

from __future__ import annotations

import time
from collections.abc import Callable

_SURE_SECONDS = 1.0  # what is told sooner is a guess


class Estimate:
    """Tells the time left, by the pace so far; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._before = 0

    def left(self, done: int, total: int) -> str:
        """Return minutes and seconds, such as ``0:42``; "" while nothing can be said of it."""
        now = self._clock()
        if self._began is None:
            self._began, self._before = now, done
        came, spent = done - self._before, now - self._began
        if came <= 0 or spent < _SURE_SECONDS or done >= total:
            return ""
        minutes, seconds = divmod(round(spent / came * (total - done)), 60)
        return f"{minutes}:{seconds:02}"
