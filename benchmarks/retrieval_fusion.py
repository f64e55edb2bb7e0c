"""What reranking by citations, feedback and fusion add to a search, in milliseconds per query.

Figures, each the mean over queries asked one at a time, with its interval; ``…_p95`` is the time
that one query in twenty exceeds:

``sar_ms``      SAR over a dense base: 50 seeds, a pool of 100, candidates from outside it
``rocchio_ms``  moving a query to the mean of its first 50 documents
``fusion_ms``   the slowest of RRF, weighted RRF, Reciprocal Rank MAX and min-max over two rankings
                of 100

The searches that these build on are made beforehand and played back, so that what is timed is what
they add. Run by itself it takes BM25 and latent semantic analysis over the law of ``--statutes``.
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.program import program

PARSER = program(
    __doc__, "units sar_ms sar_ms_p95 rocchio_ms rocchio_ms_p95 fusion_ms fusion_ms_p95"
)
PARSER.add_argument("--statutes", type=Path, required=True, help="tree of legalize-kr")
PARSER.add_argument("--questions", type=Path, required=True, help="qna.jsonl")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import run
from benchmarks.retrieval_law import asked_of, corpus_of, resources_of
from corpus.importers.legalize_kr import read_tree
from evaluation.figure import Figure, mean_figure
from retrieval.core.method import Dense, Method, Resources
from retrieval.core.model import Corpus, Hit, Query
from retrieval.core.registry import complete, make
from retrieval.dense.rocchio import Rocchio
from retrieval.fusion.rank_fusion import RRF, RRM, WRRF, Fused, MinMax
from retrieval.graph.sar import SAR

SEEDS = 50
POOL = 100
FUSIONS: tuple[type[Fused], ...] = (RRF, WRRF, RRM, MinMax)
_LEAF = {"method": "bm25"}  # stands in a spec for what is played back


class Played(Dense):
    """Answers from memory what another method found; vectors are those of a dense one."""

    NAME = "played"

    def __init__(self, method: Method, queries: Sequence[Query], dense: Dense) -> None:
        """Ask `method` once for the pool of each of `queries`, and `dense` for their vectors."""
        super().__init__(_LEAF)
        self._run = {query.id: hits for query, hits in _first(method, queries)}
        self._encoded = dict(zip(self._run, dense.encode(queries), strict=True))
        self._dense = dense
        self.fit(dense.corpus)

    @property
    def vectors(self) -> NDArray[np.float32]:
        """The vectors of the dense method."""
        return self._dense.vectors

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return the vectors that the queries had."""
        return np.array([self._encoded[query.id] for query in queries])

    def nearest(
        self, queries: Sequence[Query], vectors: NDArray[np.float32], k: int
    ) -> Mapping[str, Sequence[Hit]]:
        """Return what the queries found, whatever the vectors."""
        return {query.id: self._run[query.id][:k] for query in queries}

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of the dense method."""
        return self._dense.score(query, unit_ids)

    def _fit(self, corpus: Corpus) -> None:
        """Have nothing to learn."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        return {query.id: self._run[query.id][:k] for query in queries}


def fusion_figures(
    dense: Dense, lexical: Method, resources: Resources, queries: Sequence[Query]
) -> list[Figure]:
    """Return the figures over fitted methods on one corpus; `resources` have its graph.

    Raises ValueError when there is no query, or none that has text.
    """
    asked = [query for query in queries if query.text.strip()]
    if not asked:
        raise ValueError("there is no query to time")
    near, words = Played(dense, asked, dense), Played(lexical, asked, dense)
    sar = SAR(
        complete({"method": "sar", "base": _LEAF, "K": SEEDS, "pool": POOL}), [near], resources
    )
    sar.fit(dense.corpus)
    rocchio = Rocchio(complete({"method": "rocchio", "base": _LEAF, "K": SEEDS}), [near])
    rocchio.fit(dense.corpus)
    return [
        *_figures("sar_ms", lambda query: sar.search([query], POOL), asked),
        *_figures("rocchio_ms", lambda query: rocchio.search([query], POOL), asked),
        *max((_fusion(kind, [words, near], asked) for kind in FUSIONS), key=_mean),
    ]


def _fusion(kind: type[Fused], parts: Sequence[Method], queries: Sequence[Query]) -> list[Figure]:
    spec = complete({"method": kind.NAME, "of": [_LEAF, _LEAF], "depth": POOL})
    method = kind(spec, parts)
    method.fit(parts[0].corpus)
    return _figures("fusion_ms", lambda query: method.search([query], POOL), queries)


def _mean(figures: Sequence[Figure]) -> float:
    return figures[0].value or 0.0


def _figures(name: str, ask: Callable[[Query], object], queries: Sequence[Query]) -> list[Figure]:
    for query in queries[:5]:  # pages of mapped arrays and lazily made tables are not what is timed
        ask(query)
    times = [_milliseconds(ask, query) for query in queries]
    return [
        mean_figure(name, times),
        Figure(f"{name}_p95", float(np.quantile(times, 0.95)), len(times)),
    ]


def _milliseconds(ask: Callable[[Query], object], query: Query) -> float:
    started = time.perf_counter()
    ask(query)
    return (time.perf_counter() - started) * 1000


def _first(method: Method, queries: Sequence[Query]) -> list[tuple[Query, Sequence[Hit]]]:
    run = method.search(queries, POOL)
    return [(query, run[query.id]) for query in queries]


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the figures over the statutes and questions that are named."""
    statutes = read_tree(options.statutes)
    corpus, resources = corpus_of(statutes), resources_of(statutes)
    asked = asked_of(options.questions, statutes, corpus)
    dense, lexical = make({"method": "lsa"}, resources), make({"method": "bm25"}, resources)
    dense.fit(corpus)
    lexical.fit(corpus)
    if not isinstance(dense, Dense):
        raise TypeError("latent semantic analysis is dense")
    queries = [each.query for each in asked]
    found = fusion_figures(dense, lexical, resources, queries)
    return [Figure("units", len(corpus), len(statutes)), *found]


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
