"""How long work of one thread keeps the others waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def longest_silence() -> Iterator[list[float]]:
    """Yield a list that holds afterwards how many seconds, at most, another thread had no turn."""
    gaps, over = [0.0], threading.Event()

    def tick() -> None:
        last = time.perf_counter()
        while not over.wait(0.005):
            now = time.perf_counter()
            gaps[0], last = max(gaps[0], now - last), now

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield gaps
    finally:
        over.set()
        thread.join()
