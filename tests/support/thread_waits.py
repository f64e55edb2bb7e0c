"""How long work of one thread keeps the others waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def longest_silence() -> Iterator[list[float]]:
    """Yield a list that holds afterwards how many seconds, at most, another thread had no turn.

    Those count in which this process computed: on a busy machine all of it waits for its turn.
    """
    gaps, over = [0.0], threading.Event()

    def tick() -> None:
        last, used = time.perf_counter(), time.process_time()
        while not over.wait(0.005):
            now, using = time.perf_counter(), time.process_time()
            gaps[0] = max(gaps[0], min(now - last, using - used))
            last, used = now, using

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield gaps
    finally:
        over.set()
        thread.join()
