"""Which further fields of a question are kept as columns, by which figures can be split.

A column is a category: a short text, a number, yes or no, or a list of short texts. Whatever is
longer is content; it is left out, as are fields that have a place of their own.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from corpus.files.textfile import is_storable

CHARACTERS = 60
MOST = 30

Column = tuple[str, str | tuple[str, ...]]


def question_columns(fields: Mapping[str, Any], own: Collection[str]) -> tuple[Column, ...]:
    """Return the columns among `fields` that are not `own`, by ascending name; MOST at most."""
    found = (
        (name, _column(value))
        for name, value in sorted(fields.items())
        if name not in own and _short(name)
    )
    kept = [(name, value) for name, value in found if value is not None]
    return tuple(kept[:MOST])


def _column(value: Any) -> str | tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(value) if value and all(_short(entry) for entry in value) else None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return text if _short(text := str(value)) else None
    return value.strip() if _short(value) else None


def _short(value: Any) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value.strip()) <= CHARACTERS
        and len(value.splitlines()) == 1
        and is_storable(value)
    )
