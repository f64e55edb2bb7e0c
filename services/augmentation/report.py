"""Report on cells: planned, made, passed, admitted and missing questions; all attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session

from annotation.curation.state import curation_states
from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import Axes, Cell, Wanted, can_be
from construction.augmentation.governing import Provision
from construction.augmentation.rubric import LEVELS, ReferenceSet, difficulty, level_shares
from errors import UserError, Where, require_known
from evaluation.figure import Figure, share_figure
from services.augmentation.axes import computed_levels, reference_sets
from services.augmentation.planning import LOST, Fate, fates_of_questions
from storage.augmentation.provisions import provisions_named
from storage.augmentation.questions import (
    OUTCOMES,
    WRITTEN,
    AttemptView,
    QuestionView,
    attempts,
    makings,
    questions,
    reply_of,
)
from storage.db.workspace import Workspace

_THROUGH = (Fate.THROUGH, Fate.ADMITTED, Fate.DROPPED)


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """Counts of a cell; `planned` is the latest target, 0 where none was set.

    `made` questions were written, `through` of them passed the cascade, and `admitted` of those are
    questions of the project, kept or edited by people. `standing` are not rejected so far. `failed`
    counts attempts without a question, by outcome.
    """

    cell: Cell
    planned: int
    made: int
    through: int
    admitted: int
    standing: int
    failed: Mapping[str, int]

    @property
    def missing(self) -> int:
        """Number of questions that the next run would request to reach the target."""
        return max(0, self.planned - self.standing)

    @property
    def rejected(self) -> int:
        """Number of questions that the cascade or people rejected."""
        return self.made - self.standing

    @property
    def beyond(self) -> int:
        """Number of standing questions beyond the target."""
        return max(0, self.standing - self.planned)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Every cell that was planned or attempted, in the order of the axes.

    `axes` are the current ones. `levels` counts questions by the level requested and the one the
    rubric finds in the cited provisions ("" without citations), and `as_asked` is the share of
    those as requested. `made_levels` are the shares of requested levels, `admitted_levels` those
    that people found in the admitted ones.
    """

    axes: Axes
    rows: tuple[MatrixRow, ...]
    levels: Mapping[tuple[str, str], int]
    as_asked: Figure
    made_levels: tuple[Figure, ...]
    admitted_levels: tuple[Figure, ...]

    def totals(self) -> dict[str, int]:
        """Return planned, made, through, admitted and missing over all cells."""
        return {name: sum(getattr(row, name) for row in self.rows) for name in _COUNTED}


_COUNTED = ("planned", "made", "through", "admitted", "missing")


def matrix(ws: Workspace, slug: str, by: int | None = None) -> Matrix:
    """Count augmented questions by cell of the axes. Raises UserError without permission."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        _, axes = AXES.current(session, project.id)
        planned = _planned(session, project.id)
        tried = attempts(session, project.id)
        made = questions(session, project.id)
        became = fates_of_questions(session, project.id)
        curated = curation_states(session, project.id)
        found = computed_levels(session, project.id, axes, made)
    cells = sorted(
        {*planned, *(each.cell for each in tried)}, key=lambda cell: _cell_order(axes, cell)
    )
    rows = tuple(_matrix_row(cell, planned.get(cell, 0), tried, made, became) for cell in cells)
    inside = [each for each in made if became[each.id] is Fate.ADMITTED]
    asked = Counter(str(each.axes["difficulty"]) for each in made)
    people = Counter(curated[each.id].difficulty for each in inside if each.id in curated)
    levels = Counter((str(each.axes["difficulty"]), found[each.id]) for each in made)
    told = sum(count for (_, level), count in levels.items() if level)
    hit = sum(levels[level, level] for level in LEVELS)
    as_asked = share_figure("as_asked", hit, told)
    shares = level_shares(asked), level_shares(people)
    return Matrix(axes, rows, dict(sorted(levels.items())), as_asked, *shares)


def fillable(axes: Axes) -> set[tuple[str, str]]:
    """Return the type and level of every cell that some law could fill."""
    return {
        (kind.key, level)
        for kind in axes.types
        for level in LEVELS
        if can_be(kind, level, axes.rubric)
    }


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """An attempt, with the outcome of its question if it has one."""

    attempt: AttemptView
    fate: Fate | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values; the time in ISO 8601."""
        said = asdict(self.attempt) | {"at": self.attempt.at.isoformat()}
        return said | {"fate": None if self.fate is None else str(self.fate)}


def listing(
    ws: Workspace, slug: str, by: int | None = None, *, outcome: str = "", cell: str = ""
) -> list[AttemptLine]:
    """Return every attempt, newest first, optionally of one outcome or cell.

    Raises UserError for an unknown outcome, and for `by` without permission.
    """
    if outcome:
        require_known("axes_outcome", OUTCOMES, Where(field="outcome"), outcome=outcome)
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = attempts(session, project.id)
        numbers = {each.external_id: each.id for each in questions(session, project.id)}
        became = fates_of_questions(session, project.id)
    return [
        AttemptLine(each, became[numbers[each.question]] if each.question else None)
        for each in reversed(found)
        if outcome in ("", each.outcome) and cell in ("", each.cell.id)
    ]


def reply(ws: Workspace, slug: str, attempt_id: int, by: int | None = None) -> str:
    """Return the model's reply in an attempt, "" if not stored.

    Raises UserError for `by` without permission.
    """
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        return reply_of(session, project.id, attempt_id) or ""


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question with its outcome and the current axes."""

    question: QuestionView
    fate: Fate
    axes: Axes


def question_lines(ws: Workspace, slug: str, by: int | None = None) -> list[QuestionLine]:
    """Return every augmented question, newest first. Raises UserError without permission."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        _, axes = AXES.current(session, project.id)
        found = questions(session, project.id)
        became = fates_of_questions(session, project.id)
    return [QuestionLine(each, became[each.id], axes) for each in reversed(found)]


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """A question with its governing provisions as of its writing, in gold order.

    `level` is the current rubric's level of the provisions cited (`reference_set`), "" without any.
    """

    question: QuestionView
    provisions: tuple[tuple[Mapping[str, Any], Provision | None], ...]
    reference_set: ReferenceSet
    level: str
    fate: Fate
    axes: Axes

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values; the time in ISO 8601."""
        said = asdict(self.question) | {"at": self.question.at.isoformat()}
        provisions = [
            dict(gold) | {"head": "" if found is None else found.head}
            for gold, found in self.provisions
        ]
        return said | {"provisions": provisions, "level": self.level, "fate": str(self.fate)}


def question_detail(
    ws: Workspace, slug: str, external_id: str, by: int | None = None
) -> QuestionShown:
    """Return a question in detail. Raises UserError for an unknown id and without permission."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = questions(session, project.id)
        question = next((each for each in found if each.external_id == external_id), None)
        if question is None:
            raise UserError("augmented_unknown", Where(field="id"), id=external_id[:100])
        _, axes = AXES.current(session, project.id)
        units = [str(each["unit"]) for each in question.gold]
        provisions = provisions_named(session, question.snapshot_id, units)
        seen = reference_sets(session, project.id, axes, [question])[question.id]
        fate = fates_of_questions(session, project.id)[question.id]
    pairs = tuple((gold, provisions.get(str(gold["unit"]))) for gold in question.gold)
    level = difficulty(seen, axes.rubric) if seen.references else ""
    return QuestionShown(question, pairs, seen, level, fate, axes)


def _planned(session: Session, project_id: int) -> dict[Cell, int]:
    """Return the latest target of each cell."""
    found: dict[Cell, int] = {}
    for making in makings(session, project_id):
        found |= {each.cell: each.target for each in map(Wanted.of, making.wanted)}
    return found


def _matrix_row(
    cell: Cell,
    planned: int,
    tried: Iterable[AttemptView],
    made: Iterable[QuestionView],
    became: Mapping[int, Fate],
) -> MatrixRow:
    """Count a cell's questions by outcome, and its attempts without a question by reason."""
    mine = [became[each.id] for each in made if each.cell == cell]
    failed = Counter(
        each.outcome for each in tried if each.cell == cell and each.outcome != WRITTEN
    )
    through = sum(each in _THROUGH for each in mine)
    inside = sum(each is Fate.ADMITTED for each in mine)
    standing = sum(each not in LOST for each in mine)
    counts = planned, len(mine), through, inside, standing
    return MatrixRow(cell, *counts, dict(sorted(failed.items())))


def _cell_order(axes: Axes, cell: Cell) -> tuple[int, str, int, int, str]:
    """Return a cell's sort key: the order of the axes, unknown values last."""
    types = [each.key for each in axes.types]
    facets = ["", *(each.key for each in axes.facets)]
    kind = types.index(cell.type) if cell.type in types else len(types)
    facet = facets.index(cell.facet) if cell.facet in facets else len(facets)
    level = LEVELS.index(cell.difficulty) if cell.difficulty in LEVELS else len(LEVELS)
    return kind, cell.type, level, facet, cell.facet
