"""Storage of generated questions with every attempt, and reading them back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, and_, col, func, or_, select

from construction.augmentation.axes import Cell
from storage.db.columns import add_rows, view_of
from storage.tables.augmentation import (
    AugmentationAttempt,
    AugmentationMaking,
    AugmentedQuestion,
)
from storage.tables.core import Person, QuestionRow
from storage.tables.models import LlmCall

KEPT, WRITTEN = "kept", "written"  # the outcome of a successful attempt, as stored and as shown
OUTCOMES = (WRITTEN, "refused", "invalid", "duplicate")


Attempt = tuple[AugmentationAttempt, AugmentedQuestion | None]
"""A generation attempt, with its question if successful."""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A stored generated question; `id` is its database id, `parent` an external id.

    `cell` is the cell that was asked for, None without an attempt.
    """

    id: int
    external_id: str
    axes: Mapping[str, Any]
    text: str
    answer: str
    language: str
    gold: tuple[Mapping[str, Any], ...]
    snapshot_id: int
    axes_number: int
    parent: str | None
    prompt_version: str
    seed: int
    at: datetime
    cell: Cell | None


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A stored generation attempt: requester (None: the operator) and model."""

    id: int
    name: str
    cell: Cell
    asked: Mapping[str, Any]
    gold: tuple[Mapping[str, Any], ...]
    outcome: str
    detail: str
    draft: Mapping[str, Any] | None
    question: str | None
    model: str
    person: str | None
    prompt_version: str
    at: datetime


def cell_of(values: Mapping[str, Any]) -> Cell:
    """Return the grid cell of an attempt's requested values."""
    return Cell(str(values["type"]), str(values["difficulty"]), str(values.get("facet", "")))


def shown_outcome(row: AugmentationAttempt) -> str:
    """Return the outcome of an attempt as it is shown, one of `OUTCOMES`."""
    return WRITTEN if row.outcome == KEPT else row.outcome


def keep_attempts(
    session: Session, project_id: int, attempts: Sequence[Attempt], at: datetime
) -> None:
    """Write attempts with the question of each successful one, which gets its external id.

    Needs a writing transaction: ids continue from the project's last.
    """
    query = select(func.count()).select_from(AugmentedQuestion)
    last = session.exec(query.where(AugmentedQuestion.project_id == project_id)).one()
    written = [question for _, question in attempts if question is not None]
    for number, made in enumerate(written, last + 1):
        made.external_id, made.at = f"aug-{number:04}", at
    add_rows(session, written)
    for row, question in attempts:
        row.augmented_question_id = None if question is None else question.id
    add_rows(session, (row for row, _ in attempts))


def questions(
    session: Session, project_id: int, only: Collection[int] | None = None
) -> list[QuestionView]:
    """Return the project's generated questions in order of id, or those in `only`."""
    row = AugmentedQuestion
    query = (
        select(row, QuestionRow.external_id, AugmentationAttempt.cell)
        .outerjoin(QuestionRow)
        .outerjoin(AugmentationAttempt)
        .where(row.project_id == project_id)
        .order_by(col(row.id))
    )
    return [
        _view(each, parent, cell)
        for each, parent, cell in session.exec(query)
        if only is None or each.id in only
    ]


def attempts(session: Session, project_id: int) -> list[AttemptView]:
    """Return every attempt of the project to generate a question, in order."""
    row, making = AugmentationAttempt, AugmentationMaking
    query = (
        select(row, making, Person.name, AugmentedQuestion.external_id)
        .join(making, col(making.id) == col(row.making_id))
        .outerjoin(Person)
        .outerjoin(AugmentedQuestion)
        .where(making.project_id == project_id)
        .order_by(col(row.id))
    )
    return [
        view_of(
            AttemptView,
            each,
            cell=cell_of(each.cell),
            asked=each.cell,
            gold=tuple(each.gold),
            outcome=shown_outcome(each),
            question=question,
            model=made.model,
            person=person,
            at=made.at,
        )
        for each, made, person, question in session.exec(query)
    ]


def reply_of(session: Session, project_id: int, attempt_id: int) -> str | None:
    """Return the model's raw reply in an attempt of the project, None where there is none."""
    query = (
        select(LlmCall.response)
        .join(AugmentationAttempt)
        .join(AugmentationMaking)
        .where(AugmentationAttempt.id == attempt_id, AugmentationMaking.project_id == project_id)
    )
    return session.exec(query).first()


def makings(session: Session, project_id: int) -> list[AugmentationMaking]:
    """Return each generation request of the project, in order."""
    query = select(AugmentationMaking).where(AugmentationMaking.project_id == project_id)
    return list(session.exec(query.order_by(col(AugmentationMaking.id))))


def tried_sets(
    session: Session, project_id: int, server: str, model: str, versions: Iterable[str]
) -> dict[str, set[tuple[str, tuple[str, ...]]]]:
    """Return the seeds and gold sets already tried, by the id of the cell; units are sorted.

    They are those that this model was asked about under these versions of the prompt, and those
    that a question of the cell was kept on, whoever wrote it.
    """
    row, making = AugmentationAttempt, AugmentationMaking
    same = (
        making.server == server,
        making.model == model,
        col(row.prompt_version).in_(list(versions)),
    )
    query = (
        select(row.cell, row.gold)
        .join(making)
        .where(making.project_id == project_id, or_(row.outcome == KEPT, and_(*same)))
    )
    found: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
    for cell, gold in session.exec(query):
        units = tuple(sorted(str(each["unit"]) for each in gold))
        found.setdefault(cell_of(cell).id, set()).add((str(cell.get("seed", "")), units))
    return found


def attempts_by_cell(session: Session, project_id: int) -> Counter[str]:
    """Count the project's attempts to generate a question by cell id."""
    query = select(AugmentationAttempt.cell).join(AugmentationMaking)
    found = session.exec(query.where(AugmentationMaking.project_id == project_id))
    return Counter(cell_of(cell).id for cell in found)


def known_texts(session: Session, project_id: int) -> list[tuple[str, str]]:
    """Return the ids and texts of the project's questions, generated ones first, in order."""
    found: list[tuple[str, str]] = []
    for row in (AugmentedQuestion, QuestionRow):
        query = select(row.external_id, row.text).where(row.project_id == project_id)
        found += session.exec(query.order_by(col(row.id))).all()
    return found


def _view(
    row: AugmentedQuestion, parent: str | None, cell: Mapping[str, Any] | None
) -> QuestionView:
    """Return a question with its parent and cell."""
    asked = None if cell is None else cell_of(cell)
    return view_of(QuestionView, row, gold=tuple(row.gold), parent=parent, cell=asked)
