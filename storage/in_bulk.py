"""Making very many plain objects at once.

Python looks for cycles among all objects whenever their number has grown by a quarter. Rows of the
law have none, but there are hundreds of thousands of them: two fifths of the time of reading them
went into looking, and every thread of the server stood still for up to a second each time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def in_bulk() -> Iterator[None]:
    """Put off looking for cycles until the block ends; for seconds of work, not for minutes."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:  # else it is for somebody else, who began earlier, to turn it on
            gc.enable()
