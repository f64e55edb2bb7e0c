"""How alike the words of questions, gold units and answers are: TF-IDF cosines.

The inverse document frequencies are those of the corpus. What is compared of a unit is said by
`Likening`: its title (statute, label, heading) with its text, or its text alone; and whether over
several gold units a cosine is the mean or that of the nearest.
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
    """How texts are compared: how they are cut, what of a unit, and what of several gold units.

    `compared` is a choice of the parameter of that name of retrieval methods. `several` is MEAN, or
    NEAREST for the cosine of the gold unit that is most alike. Raises UserError for another choice.
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
        """The spec of the method that compares."""
        return {"method": "tfidf", "tokeniser": self.tokeniser, COMPARED.name: self.compared}

    def say(self, language: str = "en") -> str:
        """Say what is compared and what stands for several gold units."""
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
    """Return the cosine of each gold question with its gold, those without gold left out."""
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

    The corpus is of the levels that the project searches now; gold units outside it are counted
    and compared with nothing. The official answer is read for this alone; no retrieval method sees
    it. What was computed is kept in memory; `progress` is told how far reading the corpus has come.
    Raises UserError for an unknown tokeniser, and where the snapshot has no unit of these levels.
    """
    if gold.snapshot_id is None:
        raise ValueError("the gold must name its snapshot")
    with ws.reading() as session:
        levels = levels_searched(session, find_project(session, project_slug).id)
    key = _Gold(gold.hash, gold.snapshot_id, levels, gold, progress)
    return list(_likeness(ByDatabase.of(ws), project_slug, key, how))


@dataclass(frozen=True, slots=True)
class _Gold:
    """A gold set and what is searched as a cache key: what is equal is equally alike."""

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

    Gold units that the corpus lacks are left out of the cosines, and counted.
    """
    found = []
    for query, (question, answer) in sorted(texts.items()):
        wanted = gold.get(query, ())
        units = [unit for unit in wanted if unit in method.corpus.positions]
        cosines = [_cosine(method, text, units, several) for text in (question, answer)]
        found.append(Likeness(query, len(units), *cosines, len(wanted) - len(units)))
    return found


def scoring(method: object) -> Scoring:
    """Return the method as one that scores any unit, which TF-IDF is."""
    if not isinstance(method, Scoring):
        raise TypeError(f"{method} scores no unit by itself")
    return method


def _cosine(method: Scoring, text: str, units: Sequence[str], several: str) -> float | None:
    if not units or not text.strip():
        return None
    cosines = method.score(Query("", text), units)
    return float(cosines.max() if several == NEAREST else cosines.mean())
