"""The law and the questions that retrieval is measured on, read from files, no database between.

The corpus follows the product's rule: articles, sections and annexes that are not deleted. Gold is
what the source's labels say, cut down to articles; nothing else of an answer is read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.labels import unit_of_label
from corpus.citations.catalogue import Catalogue
from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import Graph
from corpus.importers.beir import read_questions
from corpus.model import Level, Statute, Unit
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query
from storage.law.graph import METHOD as GRAPH_METHOD
from storage.law.passages import RETRIEVED_LEVELS


class UnmeasurableError(ValueError):
    """There are too few questions for what is to be measured; the message says it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the units that answer it, ascending."""

    query: Query
    gold: tuple[str, ...]


def corpus_of(statutes: Sequence[Statute], levels: Collection[Level] = RETRIEVED_LEVELS) -> Corpus:
    """Return what is searched of the statutes: their units of these levels."""
    return Corpus.of(
        _document(statute, unit)
        for statute in statutes
        for unit in statute.units
        if unit.level in levels and not unit.deleted
    )


def resources_of(statutes: Sequence[Statute], folder: Path | None = None) -> Resources:
    """Return what methods may use beyond the texts: the graph, built when first asked for."""

    @cache
    def graph() -> Graph:
        return graph_of(statutes, build_graph(statutes))

    return Resources(graph=graph, folder=folder, settings={"graph": GRAPH_METHOD})


def asked_of(questions: Path, statutes: Sequence[Statute], corpus: Corpus) -> list[Asked]:
    """Return the questions of a file that have at least one gold unit in the corpus, in its order.

    Raises UserError for a file that cannot be read.
    """
    catalogue = Catalogue.from_statutes(statutes)
    found = []
    for question in read_questions(questions):
        labelled = {unit_of_label(label, catalogue) for label in question.gold_ids}
        gold = tuple(sorted(unit for unit in labelled if unit and unit in corpus.positions))
        if gold:
            found.append(Asked(Query(question.external_id, question.text), gold))
    return found


def _document(statute: Statute, unit: Unit) -> Document:
    return Document(
        id=unit.semantic_id,
        statute_title=statute.title,
        label=unit.label,
        heading=unit.heading,
        body=unit.text,
        statute=statute.semantic_id,
        tier=int(statute.tier),
        path=unit.path,
        order=unit.order,
    )
