"""Making very many plain objects at once.

Python looks for cycles among all objects whenever their number has grown by a quarter. Units, edges
and references of the law have none, but there are hundreds of thousands of them: two fifths of the
time of reading units went into looking, and every thread of the server stood still meanwhile.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def in_bulk() -> Iterator[None]:
    """Put off looking for cycles until the block ends; for work that makes few of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:  # else it is for somebody else, who began earlier, to turn it on
            gc.enable()
