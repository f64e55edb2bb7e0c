"""What a question may learn from: the questions with gold, without itself and its near-duplicates.

A method that learns from gold is measured on that gold. So that no question is answered from what
is gold for itself, every question is answered from the others (leave-one-out cross-validation,
Stone 1974), and near-duplicates are left out together with it: questions of one group, where two
are in one group if their likeness is `near` or more, and so is who is in one with either. Likeness
is the cosine of TF-IDF vectors of their terms, the document frequencies those of the questions.
Questions of one family, which have their gold from one of them, are in one group as well.

Questions are told by their id. Words of a question under another id would bring its own gold in,
so an id that is not among them is refused: methods that ask sub-questions cannot build on this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.model import JudgedQuestion, Query
from retrieval.dense.lsa import count
from retrieval.lexical.lexical_method import TermCounter
from retrieval.text.tokenise import tokeniser

_BLOCK = 512  # questions compared with all others at a time
_DIGITS = 6  # of a likeness: what single precision is sure of


class OtherQuestions:
    """Questions with gold, ascending by id: `groups` numbers those that leave each other out."""

    def __init__(self, judged: Sequence[JudgedQuestion], cut: str, near: float) -> None:
        """Take the questions in any order; `cut` names the tokeniser.

        Raises ValueError when two have one id.
        """
        self.judged = sorted(judged, key=lambda each: each.id)
        self._at = {each.id: at for at, each in enumerate(self.judged)}
        if len(self._at) != len(self.judged):
            raise ValueError("every question needs an id of its own")
        self._cut = tokeniser(cut)
        texts = (each.text for each in self.judged)
        self._terms, self._rows = count(TermCounter(self._cut), texts, "tfidf", 1)
        self.groups = self._grouped(near)

    def __len__(self) -> int:
        return len(self.judged)

    def position(self, query: Query, method: str) -> int:
        """Return where the question stands. Raises UserError for one that is not among them."""
        at = self._at.get(query.id)
        if at is None:
            raise UserError("method_gold_question", method=method)
        return at

    def others(self, at: int) -> NDArray[np.intp]:
        """Return where the questions stand that the one at `at` may learn from, ascending."""
        return np.flatnonzero(self.groups != self.groups[at])

    def likeness(self, text: str) -> NDArray[np.float64]:
        """Return how like `text` each question is, 0 to 1."""
        row = self._terms.rows([self._cut(text)])
        found: NDArray[np.float64] = (self._rows @ row.T).toarray().ravel().astype(np.float64)
        return found.round(_DIGITS)

    def alike(self, near: float) -> list[tuple[int, int, float]]:
        """Return where two questions stand whose likeness is `near` or more, and that likeness.

        The first of a pair stands before the second; pairs are in the order of where they stand.
        """
        return [
            (int(one), int(other), float(score))
            for start, (ends, scores) in self._near(near)
            for one, other, score in zip(ends[0] + start, ends[1], scores, strict=True)
            if one < other
        ]

    def _near(
        self, near: float
    ) -> Iterator[tuple[int, tuple[NDArray[np.intp], NDArray[np.float64]]]]:
        """Yield where each block of questions begins, its pairs that are near, and how near."""
        for start in range(0, len(self.judged), _BLOCK):
            block = (self._rows[start : start + _BLOCK] @ self._rows.T).toarray().round(_DIGITS)
            ends = np.stack(np.nonzero(block >= near))
            yield start, (ends, block[ends[0], ends[1]])

    def _grouped(self, near: float) -> NDArray[np.intp]:
        """Return the group of each question, numbered in the order of their first members."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        size = len(self.judged)
        pairs = [np.zeros((2, 0), dtype=np.intp)]
        for start, (found, _) in self._near(near):
            found[0] += start
            pairs.append(found)
        pairs.append(self._families())
        ends = np.concatenate(pairs, axis=1)
        links = coo_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(size, size))
        groups: NDArray[np.intp] = connected_components(links, directed=False)[1].astype(np.intp)
        return groups

    def _families(self) -> NDArray[np.intp]:
        """Return pairs that join the questions of each family with its first."""
        first: dict[str, int] = {}
        pairs = [
            (first.setdefault(each.family, at), at)
            for at, each in enumerate(self.judged)
            if each.family
        ]
        return np.array(pairs, dtype=np.intp).reshape(-1, 2).T
