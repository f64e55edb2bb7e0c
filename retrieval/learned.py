"""Methods that learn from other questions' gold: votes of similar questions, and a gold prior.

`SimilarQuestions` is nearest-neighbour classification with units as classes (Yang 1994 for texts)::

  S(q, d) = Σ over other questions p with d gold: cos(q, p)^power / |gold(p)|

`GoldPrior` is query-independent: ln(1 + Σ 1 / |gold(p)|) over other questions
p and their gold in the same unit, statute or family (an act with its decree and rules).

"Other" is defined by `retrieval.learned`: not the question itself nor a
near-duplicate. Gold outside the corpus does not count. Where no other question has gold, both
are 0 and add nothing to a sum. A run learns from the questions and units of its gold hash.

Leave-one-out over questions with gold: each learns from all but its near-duplicates.

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

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, ScoresAll
from retrieval.core.model import Corpus, JudgedQuestion, Parameter, Query
from retrieval.dense.lsa import count
from retrieval.fusion.weighted import Prior
from retrieval.lexical.bm25_method import families_of
from retrieval.lexical.lexical_method import TOKENISER, TermCounter
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
        """Return the indices of questions that the one at `at` may learn from: of other groups."""
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
        """Return the group of each question: near-duplicates and families share one."""
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


GOLD = "gold"
"""The setting of `Resources` with a hash of the gold."""

NEAR = Parameter("near", "float", 0.3, 0, 1)
_CUT = Parameter("tokeniser", "choice", "morphemes", choices=TOKENISER.choices)
_GROUPS = "groups.npy"

Scores = NDArray[np.float64]


class FromGold(ScoresAll):
    """Base class: scores units by the gold of other questions than the present one."""

    _known: OtherQuestions
    _gold: list[NDArray[np.intp]]  # positions of each question's gold in the corpus

    def _set_up(self) -> None:
        if self.resources.gold is None:
            raise UserError("method_gold", method=self.NAME)

    @property
    def versions(self) -> str:
        """The versions of `Method`, with the beginning of the gold's hash."""
        return f"{super().versions}/{self.resources.settings.get(GOLD, '')[:12]}"

    def all_scores(self, query: Query) -> Scores:
        """Return the score of every document; 0 for one that is not gold of another question.

        Raises UserError for a question that is not among those with gold.
        """
        text = query.text[:QUERY_CHARACTERS]
        if not text.strip():
            return np.zeros(len(self.corpus))
        at = self._known.position(query, self.NAME)
        others = self._known.others(at)
        self._counts["near_duplicates_left_out"] += len(self._known) - 1 - len(others)
        self._counts["learnt_from_none"] += not any(len(self._gold[other]) for other in others)
        return self.scores_from(text, others)

    @property
    def known(self) -> OtherQuestions:
        """The questions with gold, in the order of `scores_from`."""
        return self._known

    @abstractmethod
    def scores_from(self, text: str, others: NDArray[np.intp]) -> Scores:
        """Return the score of every document from the gold of the questions at `others` alone."""

    def _read_gold(self, corpus: Corpus) -> None:
        """Read the questions with gold, and their gold's positions; UserError without gold."""
        if self.resources.gold is None:
            raise UserError("method_gold", method=self.NAME)
        judged = self.resources.gold()
        self._known = OtherQuestions(judged, self.spec["tokeniser"], self.spec["near"])
        at = corpus.positions
        self._gold = [
            np.array(sorted({at[unit] for unit in each.gold if unit in at}), dtype=np.intp)
            for each in self._known.judged
        ]


class SimilarQuestions(FromGold):
    """Similar questions vote for their gold."""

    NAME = "similar_questions"
    PARAMETERS = (_CUT, NEAR, Parameter("power", "float", 2.0, 0, 10))

    def _fit(self, corpus: Corpus) -> None:
        """Read the judged questions."""
        self._read_gold(corpus)

    def scores_from(self, text: str, others: NDArray[np.intp]) -> Scores:
        """Return the votes of the questions at `others`, weighted by their similarity to `text`."""
        likeness = self._known.likeness(text) ** self.spec["power"]
        found = np.zeros(len(self.corpus))
        for other in others.tolist():
            gold = self._gold[other]
            found[gold] += likeness[other] / max(len(gold), 1)
        return found


UNIT, STATUTE, FAMILY = "unit", "statute", "family"


class GoldPrior(FromGold, Prior):
    """Prior for sums: how often a unit, its statute or its family is gold of other questions."""

    NAME = "gold_prior"
    KEEPS = True  # families follow from titles, and reading every document again takes long
    PARAMETERS = (Parameter("level", "choice", UNIT, choices=(UNIT, STATUTE, FAMILY)), _CUT, NEAR)
    _groups: NDArray[np.int64]

    def _fit(self, corpus: Corpus) -> None:
        """Read the judged questions, and number the groups of documents."""
        self._read_gold(corpus)
        self._groups = _groups_of(corpus, self.spec["level"])

    def scores_from(self, text: str, others: NDArray[np.intp]) -> Scores:
        """Return ln(1 + frequency) of each document's group in the gold of `others`."""
        mass = np.zeros(int(self._groups.max(initial=-1)) + 1)
        for other in others.tolist():
            gold = self._gold[other]
            np.add.at(mass, self._groups[gold], 1 / max(len(gold), 1))
        found: Scores = np.log1p(mass)[self._groups]
        return found

    def _save(self, folder: Path) -> None:
        """Write the groups."""
        np.save(folder / _GROUPS, self._groups)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read groups and gold."""
        self._groups = np.load(folder / _GROUPS)
        if len(self._groups) != len(corpus):
            raise ValueError("not one group for each document")
        self._read_gold(corpus)


def _groups_of(corpus: Corpus, level: str) -> NDArray[np.int64]:
    """Return the number of each document's group: its unit, family or statute, by `level`."""
    if level == UNIT:
        return np.arange(len(corpus), dtype=np.int64)
    if level == FAMILY:
        return families_of(corpus.documents)
    statutes = [document.statute for document in corpus.documents]
    number = {name: at for at, name in enumerate(sorted(set(statutes)))}
    return np.array([number[name] for name in statutes], dtype=np.int64)
