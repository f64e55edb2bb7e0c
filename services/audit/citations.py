"""Checks by law: provisions that an answer cites or that rules imply, and nobody judged.

They are run where most ids of documents name places of law. Rules of closure are those that
projects start from; the citation graph that they need is built where the corpus is one file that
can be read as statutes, of at most `MOST_UNITS` documents.

Checks by retrieval: what BM25 answers trivially, what nothing reaches, what gold may lack.

Three unlike methods rank the documents for every question with gold: BM25 over pairs of letters,
TF-IDF over whole words, and latent semantic analysis. A document that nobody judged is a likely
false negative if two of them put it among the first ten and before all gold of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from construction.closure.engine import GoldSet, missing
from construction.closure.rules import parse, starter
from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.labels import unit_of_label
from corpus.citations.resolve import resolve
from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import Direction, Edge, EdgeType
from corpus.importers.registry import read_statutes
from corpus.model import Statute, Tier, Unit, parse_place, split_id
from corpus.run import Run
from errors import UserError
from normalization import composed
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query, Spec
from retrieval.core.registry import complete, make
from services.audit.material import Case, Check, Material, Text
from services.audit.texts import snippet

MOST_UNITS = 30_000
_FEWEST = 0.5  # share of documents whose ids name a place of law, for the corpus to be law


class _Law:
    """Statutes of a corpus as closure reads them."""

    def __init__(self, statutes: Sequence[Statute]) -> None:
        self._statutes = {each.semantic_id: each for each in statutes}
        self._units = {unit.semantic_id: unit for each in statutes for unit in each.units}
        self._graph = graph_of(statutes, build_graph(statutes))

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None for an unknown id."""
        return self._units.get(unit_id)

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, without loops."""
        if unit_id not in self._graph:
            return ()
        found = self._graph.edges_of(unit_id, types, direction)
        return [each for each in found if each.source != each.target]

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in document order."""
        found = self._statutes.get(statute_id)
        return [unit.semantic_id for unit in found.units] if found else ()


class _Gold:
    """Queries of a benchmark of law with what is judged, as units of its corpus."""

    def __init__(self, material: Material) -> None:
        law = [each for each in material.documents if parse_place(split_id(composed(each.id))[1])]
        self._material = material
        self._law = law if len(law) >= _FEWEST * len(material.documents) else []

    def __iter__(self) -> Iterator[tuple[Text, set[str], list[str]]]:
        """Yield each query that somebody judged, the units judged for it, and those of its gold."""
        for each in self._material.queries if self._law else ():
            if (judged := self._material.grades.get(each.id)) is not None:
                gold = (key for key, grade in judged.items() if grade > 0)
                yield each, set(map(self._unit, judged)), list(map(self._unit, gold))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue of the corpus, by the ids alone: a broken document does no harm."""
        return Catalogue(map(_entry, self._law))

    def _unit(self, document: str) -> str:
        """Return the unit that a document's id or label names, else the id."""
        label = composed(document)
        return unit_of_label(label, self.catalogue) or label


def _entry(document: Text) -> CatalogueEntry:
    """Return a document as an entry of the catalogue of statutes."""
    unit = composed(document.id)
    statute = split_id(unit)[0]
    title = composed(document.statute) or statute.replace("-", " ")
    return CatalogueEntry(statute, title, "", Tier.ACT, unit)


def _cited_unjudged(material: Material) -> Iterator[Case]:
    """Yield provisions that an official answer cites but gold lacks."""
    gold = _Gold(material)
    for query, judged, _ in gold:
        for unit, words in _cited(query, gold.catalogue).items():
            if unit not in judged:
                yield Case(query.place, query.id, unit, words)


def _cited(query: Text, catalogue: Catalogue) -> dict[str, str]:
    """Return the units that question and answer cite, each with the words around."""
    asked, answer = composed(query.text), composed(query.answer)
    found: dict[str, str] = {}
    before = resolve(find(asked), asked, catalogue)
    after = resolve(find(answer), answer, catalogue, before)
    for text, resolutions in ((asked, before), (answer, after)):
        for each in resolutions:
            words = snippet(text, each.citation.start, each.citation.end)
            for target in each.targets:
                found.setdefault(target.unit_id, words)
    return found


def _implied_unjudged(material: Material) -> Iterator[Case]:
    """Yield provisions that a gold provision implies but gold lacks."""
    files = material.benchmark.documents.files
    gold = list(_Gold(material))
    if not gold or len(files) != 1 or len(material.documents) > MOST_UNITS:
        return
    try:
        _, reading = read_statutes(material.benchmark.home / files[0])
    except UserError:  # other checks say what is wrong with it
        return
    law, rules = _Law(reading.statutes), parse(starter())
    for query, judged, units in gold:
        known = tuple(unit for unit in units if law.unit(unit))
        lacking = missing(GoldSet(known, query.text, query.answer), rules, law)
        for each in lacking.added if known else ():
            if each.unit not in judged:
                why = f"{each.rule}: {each.via} {each.fired[0].text}"
                yield Case(query.place, query.id, each.unit, snippet(why))


_ALL = ("queries", "documents", "judgments")
CHECKS = (
    Check("cited_unjudged", "warning", "queries", _cited_unjudged, _ALL),
    Check("implied_unjudged", "warning", "queries", _implied_unjudged, _ALL),
)


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
    """Return the rankings of METHODS for the questions whose gold the benchmark has."""
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
    documents = (material.documents[at] for at in material.document_at.values())
    return Corpus.of(
        Document(each.id, heading=each.title, body=each.text[:_LETTERS]) for each in documents
    )


def _queries(material: Material) -> list[Query]:
    """Return the queries that have gold among the documents."""
    known = material.document_at
    return [
        Query(key, material.queries[at].text)
        for key, at in material.query_at.items()
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
            if key in material.document_at and key not in reached:
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
                document = material.documents[material.document_at[key]]
                case = _query_case(material, query, key)
                yield replace(case, detail=f"{count}/{len(runs)}: {snippet(document.text)}")


def _query_case(material: Material, query: str, document: str) -> Case:
    asked = material.queries[material.query_at[query]]
    return Case(asked.place, query, document, snippet(asked.text))


def reached(material: Material) -> Mapping[str, tuple[int, int]]:
    """Return (gold reached among the first DEPTH, gold in all) by method."""
    found = {}
    for spec, run in zip(METHODS, rankings(material), strict=True):
        wanted = [(q, d) for q in run for d in material.gold[q] if d in material.document_at]
        ids = {query: {hit.unit_id for hit in hits} for query, hits in run.items()}
        found[str(spec["method"])] = sum(d in ids[q] for q, d in wanted), len(wanted)
    return found


RANKING_CHECKS = (
    Check("before_gold", "warning", "queries", _before_gold, _ALL),
    Check("bm25_trivial", "info", "queries", _trivial, _ALL),
    Check("gold_unreached", "info", "judgments", _unreached, _ALL),
)
