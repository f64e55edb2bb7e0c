"""Checks by retrieval: what BM25 answers trivially, what nothing reaches, what gold may lack.

Three unlike methods rank the documents for every question with gold: BM25 over pairs of letters,
TF-IDF over whole words, and latent semantic analysis. A document that nobody judged is a likely
false negative if two of them put it among the first ten and before all gold of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from corpus.run import Run
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query, Spec
from retrieval.core.registry import complete, make
from services.audit.material import EVERY_PART, Case, Check, Material
from services.audit.texts import snippet

METHODS: tuple[Spec, ...] = (
    {"method": "bm25"},
    {"method": "tfidf", "tokeniser": "whitespace"},
    {"method": "lsa", "dimensions": 64, "power_iterations": 1},
)
DEPTH = 100
_FIRST, _AGREEING = 10, 2  # places of a ranking, and methods, that make a likely false negative
_MARGIN = 2.0  # times the score of the best other document that gold must have to be trivial
_LETTERS = 8_000  # of a document that are ranked by


def rankings(material: Material) -> Sequence[Run]:
    """Return METHODS' rankings of the queries with gold in the corpus, searched for only once."""
    if not material.rankings:
        corpus, queries = _corpus(material), _queries(material)
        for number, spec in enumerate(METHODS):
            progress = material.progress and partial(_of_all, material.progress, number)
            method = make(complete(spec), Resources(progress=progress))
            method.fit(corpus)
            material.rankings.append(method.search(queries, DEPTH))
    return material.rankings


def _of_all(progress: object, number: int, done: int, total: int) -> None:
    """Report the progress of one of several methods."""
    if callable(progress):
        progress(number * total + done, len(METHODS) * total)


def _corpus(material: Material) -> Corpus:
    """Return the documents as a corpus, long texts cut."""
    return Corpus.of(
        Document(each.id, heading=each.title, body=each.text[:_LETTERS])
        for each in material.document_of.values()
    )


def _queries(material: Material) -> list[Query]:
    """Return the queries that have gold among the documents."""
    known = material.document_of
    return [
        Query(key, query.text)
        for key, query in material.query_of.items()
        if any(document in known for document in material.gold.get(key, ()))
    ]


def _trivial(material: Material) -> Iterator[Case]:
    """Yield queries whose gold BM25 ranks first by a wide margin."""
    bm25 = rankings(material)[0]
    for query, hits in bm25.items():
        gold = set(material.gold[query])
        others = (hit.score for hit in hits if hit.unit_id not in gold)
        if hits and hits[0].unit_id in gold and hits[0].score >= _MARGIN * next(others, 0.0):
            yield _query_case(material, query, hits[0].unit_id)


def _unreached(material: Material) -> Iterator[Case]:
    """Yield gold that no method ranks among its first hits."""
    runs = rankings(material)
    for query in runs[0]:
        reached = {hit.unit_id for run in runs for hit in run[query]}
        for key in material.gold[query]:
            if key in material.document_of and key not in reached:
                yield _query_case(material, query, key)


def _before_gold(material: Material) -> Iterator[Case]:
    """Yield unjudged documents that several methods rank above all gold."""
    runs = rankings(material)
    for query in runs[0]:
        gold, judged = set(material.gold[query]), material.grades[query]
        votes: Counter[str] = Counter()
        for run in runs:
            for hit in run[query][:_FIRST]:
                if hit.unit_id in gold:
                    break
                votes[hit.unit_id] += 1
        for key, count in votes.most_common():
            if count >= _AGREEING and key not in judged:
                said = f"{count}/{len(runs)}: {snippet(material.document_of[key].text)}"
                yield replace(_query_case(material, query, key), detail=said)


def _query_case(material: Material, query: str, document: str) -> Case:
    """Return a case at a query, with a document and the beginning of the query's text."""
    asked = material.query_of[query]
    return Case(asked.place, query, document, snippet(asked.text))


def reached(material: Material) -> Mapping[str, tuple[int, int]]:
    """Return (gold reached among the first DEPTH, gold in all) by method."""
    found = {}
    for spec, run in zip(METHODS, rankings(material), strict=True):
        wanted = [(q, d) for q in run for d in material.gold[q] if d in material.document_of]
        ids = {query: {hit.unit_id for hit in hits} for query, hits in run.items()}
        found[str(spec["method"])] = sum(d in ids[q] for q, d in wanted), len(wanted)
    return found


CHECKS = (
    Check("before_gold", "warning", "queries", _before_gold, EVERY_PART),
    Check("bm25_trivial", "info", "queries", _trivial, EVERY_PART),
    Check("gold_unreached", "info", "judgments", _unreached, EVERY_PART),
)
