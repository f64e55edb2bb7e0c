"""BM25 against rank-bm25 on the same corpus and tokens: speed, and whether the top ten agree.

    python benchmarks/retrieval_bm25.py [--statutes DIR] [--questions FILE] [--json]

Both cut text to Korean morphemes and weigh terms by Lucene's rule. `benchmarks/retrieval.py` calls
`bm25_figures` on the whole of Korean law. Figures:

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
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "bm25_cut_seconds bm25_fit_seconds bm25_index_mb bm25_open_seconds bm25_query_ms "
    "bm25_query_ms_p95 bm25_speedup bm25_rank_bm25_ms bm25_same_top10",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import math
import random
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from benchmarks.figures import run
from benchmarks.retrieval_law import corpus_of
from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from evaluation.figure import Figure
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Query
from retrieval.core.registry import make
from retrieval.text.tokenise import cut_all, tokeniser

ARTICLES = (Level.ARTICLE, Level.SECTION)  # sections of technical standards are their articles
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
    cutting = _seconds(lambda: _exhaust(_cut(corpus, cut, folder)))
    fresh = make(spec, Resources(folder=folder))
    fitting = _seconds(lambda: fresh.fit(corpus))
    fresh.save(folder / "index")
    index = make(spec)
    tokeniser(cut)("시작")  # the analyser starts once per process
    opening = _seconds(lambda: _opened(index, folder / "index", corpus, queries[0]))
    size = sum(file.stat().st_size for file in (folder / "index").rglob("*") if file.is_file())
    asked = [_processor_ms(index, query) for query in queries]
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


def _exhaust(texts: Iterator[list[str]]) -> None:
    for _ in texts:
        pass


def _opened(index: Method, folder: Path, corpus: Corpus, query: Query) -> None:
    index.load(folder, corpus)
    index.search([query], TOP)


def _processor_ms(index: Method, query: Query) -> float:
    began = time.process_time()
    index.search([query], TOP)
    return 1_000 * (time.process_time() - began)


def _seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the figures over the statutes and questions that are named."""
    corpus = corpus_of(read_tree(options.statutes), ARTICLES)
    queries = [Query(each.external_id, each.text) for each in read_questions(options.questions)]
    return bm25_figures(corpus, queries, folder)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
