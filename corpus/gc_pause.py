"""A pause of the garbage collector while very many plain objects are created.

Python searches for cycles among all objects whenever their number has grown by a quarter. Units,
edges and references of the law have none, but there are hundreds of thousands of them: two fifths
of the time of reading units went into the search, and every thread of the server waited meanwhile.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def in_bulk() -> Iterator[None]:
    """Pause garbage collection of cycles in the block; for work that creates few of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:  # else an outer block will turn it on
            gc.enable()
