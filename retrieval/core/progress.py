"""Telling whoever waits how far slow fitting has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

EVERY = 1_000  # texts: less than half a second of cutting

T = TypeVar("T")


def telling(texts: Iterable[T], total: int, told: Callable[[int, int], None] | None) -> Iterator[T]:
    """Yield `texts`; `told` hears (texts done, `total`) after every EVERY of them, and at the end.

    Without `told` nobody hears.
    """
    done = 0
    for done, text in enumerate(texts, 1):
        yield text
        if told and done % EVERY == 0 and done < total:
            told(done, total)
    if told and done:
        told(done, total)
