"""Multiple-choice questions with their attempts: storage and reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from construction.mcq.model import Mcq as Question
from construction.mcq.model import Pair, Passage
from corpus.graph.model import EdgeType
from errors import UserError
from storage.mcq.passages import passages_of
from storage.tables.mcq import Mcq, McqAttempt, McqMaking

_JOIN = "+"


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored question: `id` is its database id, `source` further fields of its file."""

    id: int
    question: Question
    snapshot_id: int
    prompt_version: str
    source: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a question: its pair of units (database ids) and its outcome.

    `question` is set if the outcome is ``kept``; `name` is its external id.
    """

    name: str
    a_unit_id: int
    b_unit_id: int
    types: tuple[EdgeType, ...]
    outcome: str
    detail: str = ""
    draft: Mapping[str, Any] | None = None
    question: Question | None = None
    llm_call_id: int | None = None
    prompt_version: str = ""
    source: Mapping[str, Any] | None = None


def keep_making(
    session: Session, making: McqMaking, attempts: Sequence[Attempt]
) -> list[tuple[int, Question]]:
    """Store a generation run with its attempts; return the kept questions with database ids."""
    session.add(making)
    session.flush()
    rows = [(_question_row(making, each), each.question) for each in attempts if each.question]
    session.add_all(row for row, _ in rows)
    session.flush()
    numbers = {row.external_id: row.id or 0 for row, _ in rows}
    session.add_all(_attempt_row(making.id or 0, e, numbers.get(e.name)) for e in attempts)
    session.flush()
    return [(numbers[row.external_id], question) for row, question in rows]


def questions(session: Session, project_id: int, only: Collection[int] = ()) -> list[Kept]:
    """Return the project's questions in order of id, or those in `only`."""
    query = select(Mcq).where(Mcq.project_id == project_id).order_by(col(Mcq.id))
    rows = [row for row in session.exec(query) if not only or row.id in only]
    passages = passages_of(session, {n for row in rows for n in (row.a_unit_id, row.b_unit_id)})
    return [_kept(row, passages) for row in rows]


def question_by_id(session: Session, project_id: int, number: int) -> Kept:
    """Return one question. Raises UserError if the project has no question of that id."""
    row = session.get(Mcq, number)
    if row is None or row.project_id != project_id:
        raise UserError("mcq_unknown", id=number)
    return _kept(row, passages_of(session, {row.a_unit_id, row.b_unit_id}))


def attempt_names(session: Session, project_id: int) -> set[str]:
    """Return the names of all attempts in the project, kept or not."""
    query = select(McqAttempt.name).join(McqMaking, col(McqMaking.id) == McqAttempt.making_id)
    return set(session.exec(query.where(McqMaking.project_id == project_id)))


def attempt_drafts(session: Session, project_id: int) -> dict[str, Mapping[str, Any] | None]:
    """Return the drafts of the project's attempts, by name."""
    query = (
        select(McqAttempt.name, McqAttempt.draft)
        .join(McqMaking, col(McqMaking.id) == McqAttempt.making_id)
        .where(McqMaking.project_id == project_id)
    )
    return dict(session.exec(query).all())


def tried_pairs(
    session: Session, project_id: int, server: str, model: str, versions: Collection[str]
) -> set[tuple[int, int]]:
    """Return the unit pairs that this model was asked about under these versions of the prompt."""
    query = (
        select(McqAttempt.a_unit_id, McqAttempt.b_unit_id)
        .join(McqMaking, col(McqMaking.id) == McqAttempt.making_id)
        .where(
            McqMaking.project_id == project_id,
            McqMaking.server == server,
            McqMaking.model == model,
            col(McqAttempt.prompt_version).in_(list(versions)),
        )
    )
    return {(a, b) for a, b in session.exec(query)}


def outcomes(session: Session, project_id: int) -> Counter[str]:
    """Count the attempts of the project by outcome."""
    query = select(McqAttempt.outcome).join(McqMaking, col(McqMaking.id) == McqAttempt.making_id)
    return Counter(session.exec(query.where(McqMaking.project_id == project_id)))


def makings(session: Session, project_id: int) -> list[tuple[McqMaking, int]]:
    """Return the project's generation runs and imports with their numbers of attempts, in order."""
    of_project = McqMaking.project_id == project_id
    counts = select(McqAttempt.making_id, func.count()).join(McqMaking).where(of_project)
    attempts = dict(session.exec(counts.group_by(col(McqAttempt.making_id))).all())
    query = select(McqMaking).where(of_project)
    found = session.exec(query.order_by(col(McqMaking.id)))
    return [(making, attempts.get(making.id or 0, 0)) for making in found]


def _question_row(making: McqMaking, attempt: Attempt) -> Mcq:
    question = attempt.question
    if question is None:
        raise ValueError(f"{attempt.name} came to no question")
    return Mcq(
        project_id=making.project_id,
        external_id=attempt.name,
        snapshot_id=making.snapshot_id,
        a_unit_id=attempt.a_unit_id,
        b_unit_id=attempt.b_unit_id,
        edge_kind=_JOIN.join(attempt.types),
        query=question.query,
        options=list(question.options),
        answer=question.answer - 1,
        explanation=question.explanation,
        language=question.pair.source.language,
        llm_call_id=attempt.llm_call_id,
        prompt_version=attempt.prompt_version,
        seed=making.seed,
        source=dict(attempt.source or {}),
        at=making.at,
    )


def _attempt_row(making_id: int, attempt: Attempt, number: int | None) -> McqAttempt:
    return McqAttempt(
        making_id=making_id,
        name=attempt.name,
        a_unit_id=attempt.a_unit_id,
        b_unit_id=attempt.b_unit_id,
        edge_kind=_JOIN.join(attempt.types),
        outcome=attempt.outcome,
        detail=attempt.detail,
        draft=None if attempt.draft is None else dict(attempt.draft),
        llm_call_id=attempt.llm_call_id,
        mcq_id=number,
        prompt_version=attempt.prompt_version,
    )


def _kept(row: Mcq, passages: Mapping[int, Passage]) -> Kept:
    """Return a stored question with its provisions."""
    types = tuple(EdgeType(kind) for kind in row.edge_kind.split(_JOIN) if kind)
    question = Question(
        id=row.external_id,
        pair=Pair(passages[row.a_unit_id], passages[row.b_unit_id], types),
        query=row.query,
        options=tuple(row.options),
        answer=row.answer + 1,
        explanation=row.explanation,
    )
    return Kept(row.id or 0, question, row.snapshot_id, row.prompt_version, row.source, row.at)
