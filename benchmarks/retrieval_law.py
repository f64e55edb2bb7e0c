"""The law and the questions that retrieval is measured on, read from files, no database between.

The corpus follows the product's rule: articles, sections and annexes that are not deleted. Gold is
what the source's labels say, cut down to articles; nothing else of an answer is read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.model import RETRIEVED_LEVELS, Level, Statute
from library.law import Law, load_questions
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Query


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the units that answer it, ascending."""

    query: Query
    gold: tuple[str, ...]


def corpus_of(statutes: Sequence[Statute], levels: Collection[Level] = RETRIEVED_LEVELS) -> Corpus:
    """Return what is searched of the statutes: their units of these levels."""
    return Law(statutes, levels).corpus


def resources_of(statutes: Sequence[Statute], folder: Path | None = None) -> Resources:
    """Return what methods may use beyond the texts: the graph, built when first asked for."""
    return Law(statutes, cache=folder).resources


def asked_of(questions: Path, statutes: Sequence[Statute], corpus: Corpus) -> list[Asked]:
    """Return the questions of a file that have at least one gold unit in the corpus, in its order.

    Raises UserError for a file that cannot be read.
    """
    read = load_questions(questions)
    labelled = Law(statutes).gold(read)
    found = []
    for question in read:
        units = labelled[question.external_id]
        gold = tuple(sorted(unit for unit in units if unit in corpus.positions))
        if gold:
            found.append(Asked(Query(question.external_id, question.text), gold))
    return found
