"""Statistics of data sets: a project beside other projects and BEIR folders.

The official answer is read only here: no retrieval method sees it.

Lexical similarity of questions, gold units and answers, as TF-IDF cosines.

The inverse document frequencies are those of the corpus. `Likening` selects what is compared of a
unit: title (statute, label, heading) with text, or text only; and whether for several gold units
the cosine is the mean or the nearest's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.long_work import Progress
from corpus.model import words_of_place
from errors import UserError, Where, require_known
from evaluation.figure import share_figure
from evaluation.figures.datasets import (
    Dataset,
    Description,
    Difference,
    Likeness,
    describe,
    differences,
)
from evaluation.ranking.compare import columns, strata
from messages import say
from retrieval.core.method import Scoring
from retrieval.core.model import COMPARED, TITLED, Corpus, Document, Query, Spec
from retrieval.core.registry import make
from retrieval.text.tokenise import DEFAULT
from services.gold.gold_set import GoldSet, GoldSize, chosen_snapshot, required_gold
from services.runs.methods.preparation import ready, resources, searched_corpus
from services.runs.strata import question_columns
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
        require_known("statistics_several", (MEAN, NEAREST), value=self.several)

    @property
    def spec(self) -> Spec:
        """Spec of the comparing method."""
        return {"method": "tfidf", "tokeniser": self.tokeniser, COMPARED.name: self.compared}

    def say(self, language: str = "en") -> str:
        """Describe the compared texts and how several gold units are aggregated."""
        said = (say(f"parameter_choice.compared.{self.compared}", language), self.several)
        several = say(f"figures.several.{said[1]}", language)
        return say("figures.compared_note", language, compared=said[0], several=several)


USUAL = Likening()


def project_likeness(
    ws: Workspace,
    project_slug: str,
    gold: GoldSet,
    how: Likening,
    progress: Progress | None = None,
) -> list[Likeness]:
    """Return the cosines of each gold question, and of its answer, with its gold units.

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
    return list(_similarities_of_gold(ByDatabase.of(ws), project_slug, key, how))


@dataclass(frozen=True, slots=True)
class _Gold:
    """Cache key of a gold set and the corpus searched."""

    hash: str
    snapshot_id: int
    levels: Levels
    units: GoldSet = field(compare=False)
    progress: Progress | None = field(compare=False)


@lru_cache(maxsize=8)
def _similarities_of_gold(
    source: ByDatabase, project_slug: str, key: _Gold, how: Likening
) -> tuple[Likeness, ...]:
    """Compute the similarity of each question to its gold units."""
    ws, gold = source.ws, key.units
    corpus = searched_corpus(ws, key.snapshot_id, key.levels)
    using = replace(resources(ws, key.snapshot_id), progress=key.progress)
    method = ready(ws, how.spec, corpus, using)
    asked = (gold.questions[each.external_id] for each in gold.items)
    said = {each.external_id: (each.text, each.answer) for each in asked}
    return tuple(likeness(scoring(method), said, gold.qrels, how.several))


def likeness(
    method: Scoring,
    texts: Mapping[str, tuple[str, str]],
    gold: Mapping[str, Sequence[str] | Mapping[str, int]],
    several: str = MEAN,
) -> list[Likeness]:
    """Return the cosines of each question, and of its answer, with its gold units.

    `texts` are (question, answer) by id. Gold units missing in the corpus are counted and left out
    of the cosines.
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
    """Return the largest or mean cosine of a text and units, None where one is missing."""
    if not units or not text.strip():
        return None
    cosines = method.score(Query("", text), units)
    return float(cosines.max() if several == NEAREST else cosines.mean())


MOST = 8  # maximum of data sets compared


@dataclass(frozen=True, slots=True)
class OtherProject:
    """Another project to compare with; `by` is the requester's person there."""

    slug: str
    by: int | None = None


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """A data set in a BEIR folder, with its display name.

    The folder has corpus.jsonl, or is the only subfolder of `folder` that has.
    """

    folder: Path
    name: str = ""

    @property
    def shown(self) -> str:
        """Display name of the data set, by default its folder's."""
        return self.name or self.folder.resolve().name

    @property
    def place(self) -> Path:
        """The folder with the files: `folder`, or the only folder inside it that has a corpus."""
        from corpus.importers.beir import CORPUS

        inside = sorted(each.parent for each in self.folder.glob(f"*/{CORPUS}"))
        return (
            inside[0] if len(inside) == 1 and not (self.folder / CORPUS).exists() else self.folder
        )


Other = OtherProject | BeirFolder


@dataclass(frozen=True, slots=True)
class Statistics:
    """Described data sets, the project first, and the tests between every two of them.

    `how` is what the cosines compare, `levels` the levels searched per project, which define its
    corpus, and `gold` the gold set per project.
    """

    how: Likening
    datasets: tuple[Description, ...]
    differences: tuple[Difference, ...]
    levels: Mapping[str, Levels]
    gold: Mapping[str, GoldSize]


def statistics(
    ws: Workspace,
    project_slug: str,
    others: Sequence[Other] = (),
    how: Likening = USUAL,
    *,
    gold: str = "",
    by: int | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Return the statistics of a project's gold questions, and of the others.

    `how` is what the cosines compare, with the document frequencies of each data set's own corpus.
    For other projects the gold set of the same name is read. `by` is None for the operator;
    `progress` is called with (units done, units) while reading a project's corpus. Raises UserError
    for `by` who may not see scores, in the project or in another, for unknown projects and gold
    sets, ones without gold, for a folder that cannot be read, two data sets of one name, more than
    MOST, and an unknown tokeniser.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    for other in others:
        if isinstance(other, OtherProject):
            allow(ws, other.slug, other.by, Act.SEE_SCORES)
    names = [each.slug if isinstance(each, OtherProject) else each.shown for each in others]
    _check_names([project_slug, *names])
    slugs = [project_slug, *(each.slug for each in others if isinstance(each, OtherProject))]
    golds = {slug: required_gold(ws, slug, chosen_snapshot(ws, slug).id, gold) for slug in slugs}
    found = [
        _folder_dataset(other, how)
        if isinstance(other, BeirFolder)
        else _project_dataset(ws, other.slug, golds[other.slug], how, progress)
        for other in (OtherProject(project_slug, by), *others)
    ]
    with ws.reading() as session:
        levels = {s: levels_searched(session, find_project(session, s).id) for s in slugs}
    sizes = {slug: each.size for slug, each in golds.items()}
    return Statistics(how, tuple(map(describe, found)), tuple(differences(found)), levels, sizes)


def _check_names(names: Sequence[str]) -> None:
    """Raise UserError for too many data sets, or two of one name."""
    if len(names) > MOST:
        raise UserError("statistics_many", count=len(names), limit=MOST)
    for name in names:
        if names.count(name) > 1:
            raise UserError("statistics_same", name=name)


def _project_dataset(
    ws: Workspace, slug: str, gold: GoldSet, how: Likening, progress: Progress | None
) -> Dataset:
    """Read a project's gold questions as a data set; texts and columns are of all questions."""
    with ws.reading() as session:
        project = find_project(session, slug).id
        questions = load_questions(session, project).values()
        rows = question_columns(session, project)
    texts = {"question": [q.text for q in questions], "answer": [q.answer for q in questions]}
    shares = {
        column: {value: share_figure(value, len(ids), len(rows)) for value, ids in found.items()}
        for column in columns(rows)
        for found in (strata(rows, column),)
    }
    return Dataset(slug, tuple(project_likeness(ws, slug, gold, how, progress)), texts, shares)


def _folder_dataset(other: BeirFolder, how: Likening) -> Dataset:
    """Read a BEIR folder as a data set. Raises UserError for one without questions."""
    from corpus.importers.beir import read_beir, read_beir_questions

    statutes = read_beir(other.place).statutes
    questions = read_beir_questions(other.place)
    if not questions:
        raise UserError("statistics_no_questions", Where(file=str(other.folder)))
    corpus = Corpus.of(
        Document(
            unit.semantic_id,
            *words_of_place(statute.kind, statute.title, unit.label),
            unit.heading,
            unit.text,
        )
        for statute in statutes
        for unit in statute.units
        if not unit.deleted
    )
    method = make(how.spec)
    method.fit(corpus)
    texts = {question.external_id: (question.text, question.answer) for question in questions}
    gold = {question.external_id: question.gold_ids for question in questions}
    found: list[Likeness] = likeness(scoring(method), texts, gold, how.several)
    told = {"question": [q.text for q in questions], "answer": [q.answer for q in questions]}
    return Dataset(other.shown, tuple(found), told)
