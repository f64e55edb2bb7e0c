"""Natural sort order of ids: numbers within them count as numbers, so q2 before q10."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = re.compile(r"([0-9]+)")

Key = tuple[tuple[tuple[int, str], ...], str]


def natural_key(text: str) -> Key:
    """Return the sort key of an id for natural order; no two different ids have equal keys.

    Of equal numbers in different spellings (7, 07) the text decides.
    """
    parts = _DIGITS.split(text)  # text and digits alternately
    return tuple(_part(part, at % 2 == 1) for at, part in enumerate(parts)), text


def _part(part: str, number: bool) -> tuple[int, str]:
    """Return the sort key of digits or text."""
    digits = part.lstrip("0") if number else ""
    return (len(digits), digits) if number else (0, part)


def in_natural_order(ids: Iterable[str]) -> list[str]:
    """Return the ids in natural order."""
    return sorted(ids, key=natural_key)
