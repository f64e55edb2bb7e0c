"""What scoring and a search take: beside pytrec_eval, beside rank-bm25, and with what is added.

    python -m benchmarks.retrieval_speed [--json]

prints ``metrics_time_ratio``: how long scoring takes over pytrec_eval's time, on 1,000 queries of
1,000 documents each. Both get what they work on ready made: pytrec_eval a dictionary of scores,
Touchstone a ranking. Of Touchstone everything is timed that a leaderboard line needs: values, means
and their intervals. Times are of the processor, so other work on the machine does not count, and
the least of several rounds in turn; both compute the same values, which is checked.

`benchmarks.retrieval` prints it as well, and measures searches on the whole of Korean law. BM25 and
rank-bm25 search the same corpus and tokens: both cut text to Korean morphemes and weigh terms by
Lucene's rule. Figures:

``bm25_cut_seconds``     cutting every article to morphemes, with no word known before
``bm25_fit_seconds``     cutting with its words known, counting, weighing
``bm25_index_mb``        what the index takes on disk
``bm25_open_seconds``    opening the kept index and answering one question
``bm25_query_ms``        processor time of a question: cutting, scoring, best ten; the mean, and
                         ``bm25_query_ms_p95``. Every question is new; the analyser has started
``bm25_speedup``         rank-bm25's time per question over ours, on `SAMPLE` questions drawn by a
                         fixed seed, both with cutting
``bm25_same_top10``      the share of those whose ten best are the same, in the same order; units
                         may trade places only where rank-bm25's own scores differ by less than one
                         part in a million
``sar_ms``               SAR over a dense base: 50 seeds, a pool of 100, candidates from outside it
``rocchio_ms``           moving a query to the mean of its first 50 documents
``fusion_ms``            the slowest of RRF, weighted RRF, Reciprocal Rank MAX and min-max over two
                         rankings of 100

The last three are each the mean over queries asked one at a time, with its interval; ``…_p95`` is
the time that one query in twenty exceeds. The searches that these build on are made beforehand and
played back, so that what is timed is what they add.
"""

from __future__ import annotations

import sys

from benchmarks.program import program

PARSER = program(__doc__, "metrics_time_ratio")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pytrec_eval
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from benchmarks.program import program, run, seconds
from corpus.run import Rankings
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.scoring import LEADERBOARD, Measure, Qrels, evaluate
from retrieval.core.method import Dense, Method, Resources
from retrieval.core.model import Corpus, Hit, Query
from retrieval.core.registry import complete, make
from retrieval.dense.rocchio import Rocchio
from retrieval.fusion.rank_fusion import RRF, RRM, WRRF, Fused, MinMax
from retrieval.graph.sar import SAR
from retrieval.text.tokenise import cut_all, tokeniser

SAMPLE = 20
SEED = 0
TOP = 10
_TIED = 1e-6


class Reference(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """rank-bm25 with the inverse document frequency of Lucene instead of its floored one.

    It multiplies every score by k1 + 1, which changes no ranking.
    """

    def _calc_idf(self, nd: dict[str, int]) -> None:
        n = self.corpus_size
        self.idf = {w: math.log(1 + (n - df + 0.5) / (df + 0.5)) for w, df in nd.items()}


def bm25_figures(
    corpus: Corpus, queries: Sequence[Query], folder: Path, cut: str = "morphemes"
) -> list[Figure]:
    """Measure BM25 on `corpus` with `queries`; `folder` holds words and index and has neither yet.

    `cut` names another tokeniser.
    """
    spec = {"method": "bm25", "tokeniser": cut}
    cutting = seconds(lambda: deque(_cut(corpus, cut, folder), maxlen=0))
    fresh = make(spec, Resources(folder=folder))
    fitting = seconds(lambda: fresh.fit(corpus))
    fresh.save(folder / "index")
    index = make(spec)
    tokeniser(cut)("시작")  # the analyser starts once per process
    opening = seconds(lambda: _opened(index, folder / "index", corpus, queries[0]))
    size = sum(file.stat().st_size for file in (folder / "index").rglob("*") if file.is_file())
    asked = [
        1_000 * seconds(partial(index.search, [query], TOP), time.process_time) for query in queries
    ]
    return [
        Figure("bm25_cut_seconds", cutting, len(corpus)),
        Figure("bm25_fit_seconds", fitting, len(corpus)),
        Figure("bm25_index_mb", size / 1e6, len(corpus)),
        Figure("bm25_open_seconds", opening, len(corpus)),
        Figure("bm25_query_ms", float(np.mean(asked)), len(asked)),
        Figure("bm25_query_ms_p95", float(np.percentile(asked, 95)), len(asked)),
        *_against_reference(corpus, index, queries, folder),
    ]


def _against_reference(
    corpus: Corpus, index: Method, queries: Sequence[Query], folder: Path
) -> list[Figure]:
    drawn = random.Random(SEED).sample(list(queries), min(SAMPLE, len(queries)))
    k1, b, name = (index.spec[each] for each in ("k1", "b", "tokeniser"))
    reference = Reference(_cut(corpus, name, folder), k1=k1, b=b)
    cut = tokeniser(name)
    ours = theirs = 0.0
    same = 0
    for query in drawn:
        began = time.perf_counter()
        hits = index.search([query], TOP)[query.id]
        between = time.perf_counter()
        scores = np.asarray(reference.get_scores(cut(query.text)))
        top = np.argsort(-scores, kind="stable")[:TOP]
        ours, theirs = ours + between - began, theirs + time.perf_counter() - between
        same += agrees([corpus.positions[hit.unit_id] for hit in hits], top, scores)
    return [
        Figure("bm25_speedup", theirs / ours, len(drawn)),
        Figure("bm25_rank_bm25_ms", 1_000 * theirs / len(drawn), len(drawn)),
        Figure("bm25_same_top10", same / len(drawn), len(drawn)),
    ]


def agrees(ranking: Sequence[int], top: NDArray[np.intp], scores: NDArray[np.floating]) -> bool:
    """Return whether `ranking` is `top` but for rounding of `scores`."""
    wanted = [at for at in top.tolist() if scores[at] > 0]
    if len(ranking) != len(wanted) or len(set(ranking)) != len(ranking):
        return False
    return all(
        mine == at or abs(scores[mine] - scores[at]) <= _TIED * scores[at]
        for mine, at in zip(ranking, wanted, strict=True)
    )


def _cut(corpus: Corpus, name: str, folder: Path) -> Iterator[list[str]]:
    return cut_all(name, (each.text for each in corpus.documents), folder)


def _opened(index: Method, folder: Path, corpus: Corpus, query: Query) -> None:
    index.load(folder, corpus)
    index.search([query], TOP)


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
    times = [1_000 * seconds(partial(ask, query)) for query in queries]
    return [
        mean_figure(name, times),
        Figure(f"{name}_p95", float(np.quantile(times, 0.95)), len(times)),
    ]


def _first(method: Method, queries: Sequence[Query]) -> list[tuple[Query, Sequence[Hit]]]:
    run = method.search(queries, POOL)
    return [(query, run[query.id]) for query in queries]


QUERIES, DOCUMENTS, GOLD = 1000, 1000, 5
ROUNDS = 5
MEASURES = (*LEADERBOARD, Measure("AP"), Measure("nDCG"), Measure("P", 5), Measure("FullCov", 10))


def metrics_time_ratio(queries: int = QUERIES, rounds: int = ROUNDS) -> Figure:
    """Return our time over pytrec_eval's; n is the number of queries."""
    run, qrels = _made_up(queries)
    scores = {
        query: {unit: float(DOCUMENTS - rank) for rank, unit in enumerate(ranking)}
        for query, ranking in run.items()
    }
    requests = {measure.trec_request for measure in MEASURES}

    def theirs() -> object:
        return pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(scores)

    def ours() -> object:
        return evaluate(run, qrels, MEASURES)

    _require_equal(run, qrels, scores)
    times = [(seconds(ours, process_time), seconds(theirs, process_time)) for _ in range(rounds)]
    ratio = min(our for our, _ in times) / min(their for _, their in times)
    return Figure("metrics_time_ratio", ratio, queries)


def _made_up(queries: int) -> tuple[Rankings, Qrels]:
    """Return random rankings of a corpus of 20,000 units, and gold that is in part among them."""
    rng = np.random.default_rng(0)
    units = [f"법령-{number // 50}_{number % 50 + 1}조" for number in range(20 * DOCUMENTS)]
    run, qrels = {}, {}
    for number in range(queries):
        picked = rng.choice(len(units), DOCUMENTS, replace=False)
        gold = [*rng.choice(picked, GOLD - 2, replace=False), *rng.choice(len(units), 2)]
        run[f"q{number}"] = [units[at] for at in picked]
        qrels[f"q{number}"] = {units[at]: 1 for at in gold}
    return run, qrels


def _require_equal(run: Rankings, qrels: Qrels, scores: dict[str, dict[str, float]]) -> None:
    requests = {measure.trec_request for measure in MEASURES}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(scores)
    ours = evaluate(run, qrels, MEASURES).table
    for query, values in theirs.items():
        for measure in MEASURES:
            value = ours[query][repr(measure)]
            if value is None or abs(value - measure.read(values)) > 1e-12:
                raise ValueError(f"{measure!r} of {query} differs from pytrec_eval's")


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda options, folder: [metrics_time_ratio()]))
