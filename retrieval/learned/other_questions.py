"""Leave-one-out over questions with gold: each learns from all but its near-duplicates.

A method that learns from gold is measured on that gold. So that no question is answered from
its own gold, every question is answered from the others (leave-one-out cross-validation,
Stone 1974), and near-duplicates are left out together with it: questions whose similarity
is `near` or more are in one group, transitively. Similarity
is the cosine of TF-IDF vectors of their terms, the document frequencies those of the questions.
Questions of one family, derived from one another, are in one group as well.

Questions are identified by id. A question's words under another id would use its own gold,
so an unknown id is refused: methods that ask sub-questions cannot build on this.
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
_DIGITS = 6  # decimals of a similarity within single precision


class OtherQuestions:
    """Questions with gold, ascending by id; `groups` numbers the groups of near-duplicates."""

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
        self.groups = self._groups(near)

    def __len__(self) -> int:
        return len(self.judged)

    def position(self, query: Query, method: str) -> int:
        """Return the index of a question. Raises UserError for an unknown one."""
        at = self._at.get(query.id)
        if at is None:
            raise UserError("method_gold_question", method=method)
        return at

    def others(self, at: int) -> NDArray[np.intp]:
        """Return the ascending indices of the questions that the one at `at` may learn from."""
        return np.flatnonzero(self.groups != self.groups[at])

    def likeness(self, text: str) -> NDArray[np.float64]:
        """Return the similarity of each question to `text`, 0 to 1."""
        row = self._terms.rows([self._cut(text)])
        found: NDArray[np.float64] = (self._rows @ row.T).toarray().ravel().astype(np.float64)
        return found.round(_DIGITS)

    def alike(self, near: float) -> list[tuple[int, int, float]]:
        """Return pairs of questions with a similarity of `near` or more: two indices, similarity.

        The first index of a pair is the smaller; pairs are ordered.
        """
        return [
            (int(one), int(other), float(score))
            for start, (ends, scores) in self._near_pairs(near)
            for one, other, score in zip(ends[0] + start, ends[1], scores, strict=True)
            if one < other
        ]

    def _near_pairs(
        self, near: float
    ) -> Iterator[tuple[int, tuple[NDArray[np.intp], NDArray[np.float64]]]]:
        """Yield, per block of questions, its start, its near pairs and their similarities."""
        for start in range(0, len(self.judged), _BLOCK):
            block = (self._rows[start : start + _BLOCK] @ self._rows.T).toarray().round(_DIGITS)
            ends = np.stack(np.nonzero(block >= near))
            yield start, (ends, block[ends[0], ends[1]])

    def _groups(self, near: float) -> NDArray[np.intp]:
        """Return the group of each question, numbered in the order of their first members."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        size = len(self.judged)
        pairs = [np.zeros((2, 0), dtype=np.intp)]
        for start, (found, _) in self._near_pairs(near):
            found[0] += start
            pairs.append(found)
        pairs.append(self._family_pairs())
        ends = np.concatenate(pairs, axis=1)
        links = coo_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(size, size))
        groups: NDArray[np.intp] = connected_components(links, directed=False)[1].astype(np.intp)
        return groups

    def _family_pairs(self) -> NDArray[np.intp]:
        """Return pairs that join the questions of each family with its first."""
        first: dict[str, int] = {}
        pairs = [
            (first.setdefault(each.family, at), at)
            for at, each in enumerate(self.judged)
            if each.family
        ]
        return np.array(pairs, dtype=np.intp).reshape(-1, 2).T
