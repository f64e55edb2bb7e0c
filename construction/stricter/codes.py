"""Answers as whole numbers: equal answers of one column get equal codes, in order of appearance."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer[Any]]
_SPARSE = 32  # as many times the labels there may be numbers that no label has


def encoded(rows: Sequence[Sequence[Hashable]], width: int) -> Codes:
    """Return a table of codes with one row per row of answers.

    `width` is how many answers each row has. Raises ValueError for a row that has not so many.
    """
    codes = np.empty((len(rows), width), dtype=np.int32)
    if not rows:
        return codes
    if any(len(row) != width for row in rows):
        raise ValueError(f"every row needs {width} answers")
    for place, column in enumerate(zip(*rows, strict=True)):
        code = {answer: at for at, answer in enumerate(dict.fromkeys(column))}
        codes[:, place] = np.fromiter(map(code.__getitem__, column), np.int32, len(rows))
    return codes


def require_codes(codes: Codes) -> None:
    """Raise ValueError unless `codes` is a table of whole numbers, none below zero."""
    if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
        raise ValueError("codes are a table of whole numbers")
    if codes.size and codes.min() < 0:
        raise ValueError("a code below zero")


def merged(labels: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return labels from 0 on that are equal where both are; neither may hold one below zero."""
    if labels.size == 0:
        return labels
    return renumbered(labels * (int(more.max()) + 1) + more)


def renumbered(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the labels, none below zero, as the numbers from 0 on in the same order."""
    if labels.size and labels.max() < _SPARSE * labels.size:  # counting them beats sorting them
        there = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
        there[labels] = True
        return (np.cumsum(there, dtype=np.int64) - 1)[labels]
    numbers: NDArray[np.int64] = np.unique(labels, return_inverse=True)[1]
    return numbers
