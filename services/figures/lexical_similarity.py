"""Lexical similarity of questions, gold units and answers, as TF-IDF cosines.

The inverse document frequencies are those of the corpus. `Likening` selects what is compared of a
unit: title (statute, label, heading) with text, or text only; and whether for several gold units
the cosine is the mean or the nearest's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from corpus.progress import Progress
from errors import UserError
from evaluation.figures.datasets import Likeness
from messages import say
from retrieval.core.method import Scoring
from retrieval.core.model import COMPARED, TITLED, Query, Spec
from retrieval.text.tokenise import DEFAULT
from services.gold.gold_set import GoldSet
from services.runs.methods.preparation import ready, resources, searched_corpus
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import load_questions
from storage.law.passages import Levels
from storage.projects import find_project
from storage.runs.search_levels import levels_searched

NEAREST, MEAN = "nearest", "mean"


@dataclass(frozen=True, slots=True)
class Likening:
    """How texts are compared: tokeniser, parts of a unit, aggregation over gold units.

    `compared` is a value of that parameter of retrieval methods. `several` is MEAN, or NEAREST for
    the most similar gold unit. Raises UserError for another value.
    """

    tokeniser: str = DEFAULT
    compared: str = TITLED
    several: str = MEAN

    def __post_init__(self) -> None:
        COMPARED.check("tfidf", self.compared)
        if self.several not in (MEAN, NEAREST):
            raise UserError("statistics_several", value=self.several, known=f"{MEAN}, {NEAREST}")

    @property
    def spec(self) -> Spec:
        """Spec of the comparing method."""
        return {"method": "tfidf", "tokeniser": self.tokeniser, COMPARED.name: self.compared}

    def say(self, language: str = "en") -> str:
        """Describe what is compared and how several gold units are aggregated."""
        said = (say(f"parameter_choice.compared.{self.compared}", language), self.several)
        several = say(f"figures.several.{said[1]}", language)
        return say("figures.compared_note", language, compared=said[0], several=several)


USUAL = Likening()


def question_gold(
    ws: Workspace,
    project_slug: str,
    gold: GoldSet,
    how: Likening,
    progress: Progress | None = None,
) -> dict[str, float]:
    """Return the cosine of each gold question with its gold, skipping those without."""
    found = project_likeness(ws, project_slug, gold, how, progress)
    return {each.question: each.query_gold for each in found if each.query_gold is not None}


def project_likeness(
    ws: Workspace,
    project_slug: str,
    gold: GoldSet,
    how: Likening,
    progress: Progress | None = None,
) -> list[Likeness]:
    """Return the cosines of a project's gold questions on the snapshot of `gold`.

    The corpus has the levels that the project searches now; gold units outside it are counted and
    not compared. The official answer is read only here; no retrieval method sees it. Results are
    cached in memory; `progress` reports reading of the corpus. Raises UserError for an unknown
    tokeniser, and where the snapshot has no unit of these levels.
    """
    if gold.snapshot_id is None:
        raise ValueError("the gold must name its snapshot")
    with ws.reading() as session:
        levels = levels_searched(session, find_project(session, project_slug).id)
    key = _Gold(gold.hash, gold.snapshot_id, levels, gold, progress)
    return list(_likeness(ByDatabase.of(ws), project_slug, key, how))


@dataclass(frozen=True, slots=True)
class _Gold:
    """Cache key of a gold set and the corpus searched."""

    hash: str
    snapshot_id: int
    levels: Levels
    units: GoldSet = field(compare=False)
    progress: Progress | None = field(compare=False)


@lru_cache(maxsize=8)
def _likeness(
    source: ByDatabase, project_slug: str, key: _Gold, how: Likening
) -> tuple[Likeness, ...]:
    ws, gold = source.ws, key.units
    with ws.reading() as session:
        questions = load_questions(session, find_project(session, project_slug).id)
    corpus = searched_corpus(ws, key.snapshot_id, key.levels)
    using = replace(resources(ws, key.snapshot_id), progress=key.progress)
    method = ready(ws, how.spec, corpus, using)
    texts = {each.external_id: questions[each.external_id] for each in gold.items}
    said = {query: (each.text, each.answer) for query, each in texts.items()}
    return tuple(likeness(scoring(method), said, gold.qrels, how.several))


def likeness(
    method: Scoring,
    texts: Mapping[str, tuple[str, str]],
    gold: Mapping[str, Sequence[str] | Mapping[str, int]],
    several: str = MEAN,
) -> list[Likeness]:
    """Return the cosines of questions, by id, given as question and answer.

    Gold units missing in the corpus are counted and left out of the cosines.
    """
    found = []
    for query, (question, answer) in sorted(texts.items()):
        wanted = gold.get(query, ())
        units = [unit for unit in wanted if unit in method.corpus.positions]
        asked, said = (_cosine(method, text, units, several) for text in (question, answer))
        found.append(Likeness(query, len(units), asked, said, len(wanted) - len(units)))
    return found


def scoring(method: object) -> Scoring:
    """Return `method`, checked to score any unit, as TF-IDF does."""
    if not isinstance(method, Scoring):
        raise TypeError(f"{method} scores no unit by itself")
    return method


def _cosine(method: Scoring, text: str, units: Sequence[str], several: str) -> float | None:
    if not units or not text.strip():
        return None
    cosines = method.score(Query("", text), units)
    return float(cosines.max() if several == NEAREST else cosines.mean())
