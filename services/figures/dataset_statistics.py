"""Statistics of data sets: a project beside other projects and BEIR folders.

The official answer is read only here: no retrieval method sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.model import words_of_place
from corpus.progress import Progress
from errors import UserError, Where
from evaluation.figures.datasets import (
    Dataset,
    Description,
    Difference,
    Likeness,
    describe,
    differences,
)
from retrieval.core.model import Corpus, Document
from retrieval.core.registry import make
from services.figures.lexical_similarity import USUAL, Likening, likeness, project_likeness, scoring
from services.gold.gold_set import GoldSet, GoldSize, chosen_snapshot, required_gold
from storage.db.workspace import Workspace
from storage.law.passages import Levels
from storage.projects import find_project
from storage.runs.search_levels import levels_searched

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
        """Folder with the files."""
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
    _check_names([project_slug, *(_display_name(other) for other in others)])
    slugs = [project_slug, *(each.slug for each in others if isinstance(each, OtherProject))]
    golds = {slug: required_gold(ws, slug, chosen_snapshot(ws, slug).id, gold) for slug in slugs}
    found = [
        _folder_dataset(other, how)
        if isinstance(other, BeirFolder)
        else _project_dataset(ws, other.slug, golds[other.slug], how, progress)
        for other in (OtherProject(project_slug, by), *others)
    ]
    levels = {slug: _levels(ws, slug) for slug in slugs}
    sizes = {slug: each.size for slug, each in golds.items()}
    return Statistics(how, tuple(map(describe, found)), tuple(differences(found)), levels, sizes)


def _levels(ws: Workspace, slug: str) -> Levels:
    with ws.reading() as session:
        return levels_searched(session, find_project(session, slug).id)


def _display_name(other: Other) -> str:
    return other.slug if isinstance(other, OtherProject) else other.shown


def _check_names(names: Sequence[str]) -> None:
    if len(names) > MOST:
        raise UserError("statistics_many", count=len(names), limit=MOST)
    for name in names:
        if names.count(name) > 1:
            raise UserError("statistics_same", name=name)


def _project_dataset(
    ws: Workspace, slug: str, gold: GoldSet, how: Likening, progress: Progress | None
) -> Dataset:
    return Dataset(slug, tuple(project_likeness(ws, slug, gold, how, progress)))


def _folder_dataset(other: BeirFolder, how: Likening) -> Dataset:
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
    return Dataset(other.shown, tuple(found))
