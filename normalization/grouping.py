"""Grouping of things by a key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")
Key = TypeVar("Key", bound=Hashable)


def grouped(things: Iterable[Thing], key: Callable[[Thing], Key]) -> dict[Key, list[Thing]]:
    """Return things by their key: keys in the order of their first thing, things as they come."""
    found: dict[Key, list[Thing]] = {}
    for each in things:
        found.setdefault(key(each), []).append(each)
    return found
