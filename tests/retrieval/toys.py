"""Small methods whose answers a test dictates, for tests of what is built on other methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.core.method import Dense, Method, Resources, Scoring
from retrieval.core.model import Corpus, Document, Hit, Query, best
from retrieval.engines.local import products


def corpus_of(*ids: str, **texts: str) -> Corpus:
    """Return the corpus of documents with these ids, and of those whose text is given."""
    plain = [Document(unit) for unit in ids]
    return Corpus.of([*plain, *(Document(unit, body=text) for unit, text in texts.items())])


def made(
    kind: type[Method],
    /,
    parts: Sequence[Method] = (),
    resources: Resources | None = None,
    **given: Any,
) -> Any:
    """Return a method of this kind on these parts, its other parameters at their defaults."""
    values = {each.name: each.default for each in kind.PARAMETERS}
    unknown = set(given) - set(values)
    if unknown:
        raise ValueError(f"{kind.NAME} has no {sorted(unknown)}")
    spec = {"method": kind.NAME} | values
    for each in kind.PARAMETERS:
        if each.kind == "method":
            spec[each.name] = dict(parts[0].spec)
        elif each.kind == "methods":
            spec[each.name] = [dict(part.spec) for part in parts]
    checked = {
        e.name: e.check(kind.NAME, given[e.name]) for e in kind.PARAMETERS if e.name in given
    }
    return kind(spec | checked, parts, resources)


ASKED = Query("q", "안전")


def found(method: Method, k: int = 10, query: Query = ASKED) -> dict[str, float]:
    """Return the score of each unit of a ranking, in its order."""
    return {hit.unit_id: hit.score for hit in method.search([query], k)[query.id]}


def ids_of(hits: Sequence[Hit]) -> list[str]:
    """Return the units of a ranking in its order."""
    return [hit.unit_id for hit in hits]


class ToyScores(Scoring):
    """Gives every unit the score that the test says, whatever the query.

    `search` finds the units with a score other than 0; `scores` maps query text → unit → score,
    or unit → score for every query.
    """

    NAME = "toy"

    def __init__(self, scores: Mapping[str, Any]) -> None:
        super().__init__({"method": "toy", "scores": {**scores}})
        self._scores = scores
        self.asked: list[int] = []

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        for unit in unit_ids:
            self.corpus.positions[unit]
        return np.array([self._of(query).get(unit, 0.0) for unit in unit_ids])

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        self.asked.append(k)
        return {
            query.id: best({u: s for u, s in self._of(query).items() if s}, k) for query in queries
        }

    def _of(self, query: Query) -> Mapping[str, float]:
        first = next(iter(self._scores.values()), None)
        found: Mapping[str, float] = self._scores
        return self._scores.get(query.text, {}) if isinstance(first, Mapping) else found


class ToyDense(Dense):
    """Has the vector that the test says for each unit and each query text; they are made length 1.

    It ranks every unit, as a dense method does.
    """

    NAME = "toy_dense"

    def __init__(
        self, units: Mapping[str, Sequence[float]], queries: Mapping[str, Sequence[float]]
    ) -> None:
        super().__init__({"method": "toy_dense", "units": {**units}, "queries": {**queries}})
        self._units = {unit: _length_one(vector) for unit, vector in units.items()}
        self._queries = {text: _length_one(vector) for text, vector in queries.items()}

    @property
    def vectors(self) -> NDArray[np.float32]:
        return np.array([self._units[unit] for unit in self.corpus.ids], dtype=np.float32)

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        return np.array([self._queries[query.text] for query in queries], dtype=np.float32)

    def nearest(
        self, queries: Sequence[Query], vectors: NDArray[np.float32], k: int
    ) -> Mapping[str, Sequence[Hit]]:
        every = np.arange(len(self.corpus))
        found = [products(self.vectors, vector, every).tolist() for vector in vectors]
        return {
            query.id: best(dict(zip(self.corpus.ids, scores, strict=True)), k)
            for query, scores in zip(queries, found, strict=True)
        }

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        rows = [self.corpus.positions[unit] for unit in unit_ids]
        return products(self.vectors, self.encode([query])[0], np.array(rows, dtype=np.int64))

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        return self.nearest(queries, self.encode(queries), k)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._fit(corpus)


def _length_one(vector: Sequence[float]) -> NDArray[np.float64]:
    array = np.array(vector, dtype=float)
    length = float(np.linalg.norm(array))
    return array / length if length else array
