"""How often each term stands in each text, as sparse matrices: one row per text.

Texts are counted a few thousand at a time, in single precision: the whole of Korean law has 10^8
terms, and no list of all of them is ever made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_AT_ONCE = 4_096  # texts


class TermCounter:
    """Counts the terms of several fields of the same texts with one numbering of terms."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def count(self, texts: Iterable[list[str]]) -> csr_array:
        """Return the counts of texts already cut into terms; columns are in the order found."""
        from scipy.sparse import csr_array, vstack

        parts = [csr_array((0, 1), dtype=np.float32)]
        rest = iter(texts)
        while batch := list(islice(rest, _AT_ONCE)):
            parts.append(self._part(batch))
        widest = max(part.shape[1] for part in parts)
        for part in parts:
            part.resize(part.shape[0], widest)
        return vstack(parts, format="csr")

    @classmethod
    def counted(cls, texts: Iterable[list[str]]) -> tuple[list[str], csr_array]:
        """Return the terms of texts of one field, ascending, and their counts."""
        counter = cls()
        terms, [counts] = counter.by_term([counter.count(texts)])
        return terms, counts

    def by_term(self, fields: Sequence[csr_array]) -> tuple[list[str], list[csr_array]]:
        """Return the terms in ascending order, and the counts with their columns in that order.

        `fields` are all that was counted; they are turned in place.
        """
        terms = sorted(self._numbers)
        place = np.empty(len(terms), dtype=np.int32)
        place[[self._numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
        for counts in fields:
            counts.resize(counts.shape[0], len(terms))
            counts.indices = place[counts.indices].astype(counts.indptr.dtype)
            counts.has_sorted_indices = False
            counts.sort_indices()
        return terms, list(fields)

    def _part(self, batch: list[list[str]]) -> csr_array:
        from scipy.sparse import csr_array

        known, numbers, ends = self._numbers, array("i"), [0]
        for tokens in batch:
            numbers.extend([known.setdefault(token, len(known)) for token in tokens])
            ends.append(len(numbers))
        columns = np.array(numbers, dtype=np.int32)
        ones = np.ones(len(columns), dtype=np.float32)
        part = csr_array(
            (ones, columns, np.array(ends, dtype=np.int32)),
            shape=(len(batch), max(1, len(self._numbers))),
        )
        part.sum_duplicates()
        return part
