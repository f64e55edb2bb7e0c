"""Values by key, for whatever is counted, averaged or drawn in groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Key = TypeVar("Key")
Inner = TypeVar("Inner")
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of each key, in the order given."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def nested(triples: Iterable[tuple[Key, Inner, Value]]) -> dict[Key, dict[Inner, Value]]:
    """Return the values by two keys; the last of several with the same keys counts."""
    found: dict[Key, dict[Inner, Value]] = {}
    for key, inner, value in triples:
        found.setdefault(key, {})[inner] = value
    return found
