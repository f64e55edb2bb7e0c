"""Multiple-choice questions with their attempts: storage and reading.

Provisions as passages for writing and answering questions, and linked pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy import select as rows_of
from sqlmodel import Session, col, func, or_, select

from construction.mcq.model import Mcq as Question
from construction.mcq.model import Pair, Passage, head_of
from corpus.graph.model import Edge, EdgeType
from corpus.model import Tier, words_of_place
from errors import UserError
from storage.db.columns import add_rows
from storage.db.rows import add_row, chunks
from storage.law.graph import edge_of, graph_view
from storage.law.passages import RETRIEVED_LEVELS
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import EdgeRow
from storage.tables.mcq import Mcq, McqAttempt, McqMaking


def passages_of(session: Session, numbers: Iterable[int]) -> dict[int, Passage]:
    """Return the units of these database ids as passages, by database id."""
    found: dict[int, Passage] = {}
    for some in chunks(numbers):
        found |= passages_where(session, col(UnitRow.id).in_(some))
    return found


def passages_where(session: Session, *conditions: ColumnElement[bool]) -> dict[int, Passage]:
    """Return the units that meet the SQL conditions as passages, by database id."""
    columns: list[Any] = [
        *(col(UnitRow.id), col(UnitRow.semantic_id), col(UnitRow.label), col(UnitRow.heading)),
        *(col(UnitRow.text), col(StatuteRow.semantic_id), col(StatuteRow.title)),
        *(col(StatuteRow.tier), col(StatuteRow.language), col(StatuteRow.kind)),
    ]
    query = rows_of(*columns).join(StatuteRow)
    found = {}
    for row in session.execute(query.where(*conditions)):
        number, unit, label, heading, text, statute, title, tier, language, kind = row
        head = head_of(*words_of_place(kind, title, label), heading)
        found[number] = Passage(unit, statute, Tier(tier), language, head, text)
    return found


@dataclass(frozen=True, slots=True)
class Linked:
    """Edges between provisions, the provisions by semantic id, and their database ids."""

    edges: list[Edge]
    passages: dict[str, Passage]
    numbers: dict[str, int]


def linked(session: Session, snapshot_id: int, types: Collection[EdgeType]) -> Linked:
    """Return edges of these types between provisions in force, and these. UserError without graph.

    Provisions are articles, sections and annexes that are not deleted and have a text. Raises
    UserError for a snapshot without a graph.
    """
    if graph_view(session, snapshot_id) is None:
        raise UserError("graph_missing")
    wanted = [kind.value for kind in types]
    of_type = col(EdgeRow.snapshot_id) == snapshot_id, col(EdgeRow.type).in_(wanted)
    passages, numbers = _passages(session, snapshot_id, of_type)
    names = {number: unit for unit, number in numbers.items()}
    edges = [
        edge_of(row, names[row.source_unit_id], names[row.target_unit_id])
        for row in session.exec(select(EdgeRow).where(*of_type).order_by(col(EdgeRow.id)))
        if row.source_unit_id in names and row.target_unit_id in names
    ]
    return Linked(edges, passages, numbers)


def _passages(
    session: Session, snapshot_id: int, of_type: tuple[ColumnElement[bool], ...]
) -> tuple[dict[str, Passage], dict[str, int]]:
    """Return searched units with such edges as passages, and their database ids, by unit id."""
    ends = [select(end).where(*of_type) for end in (EdgeRow.source_unit_id, EdgeRow.target_unit_id)]
    found = passages_where(
        session,
        col(UnitRow.snapshot_id) == snapshot_id,
        col(UnitRow.level).in_([str(level) for level in RETRIEVED_LEVELS]),
        col(UnitRow.deleted).is_(False),
        col(UnitRow.text_missing).is_(False),
        or_(*(col(UnitRow.id).in_(end) for end in ends)),
    )
    numbers = {each.unit_id: number for number, each in found.items()}
    return {each.unit_id: each for each in found.values()}, numbers


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
    """An attempt at a question: its row, which its making completes, and the question if kept.

    `source` are further fields of the question's file.
    """

    row: McqAttempt
    question: Question | None = None
    source: Mapping[str, Any] = field(default_factory=dict)


def attempt_row(
    name: str, ends: tuple[int, int], types: Iterable[EdgeType], **more: Any
) -> McqAttempt:
    """Return the row of an attempt at a question on two units, which its making completes."""
    a, b = ends
    return McqAttempt(name=name, a_unit_id=a, b_unit_id=b, edge_kind=_JOIN.join(types), **more)


def keep_making(
    session: Session, making: McqMaking, attempts: Sequence[Attempt]
) -> list[tuple[int, Question]]:
    """Store a generation run with its attempts; return the kept questions with database ids."""
    making_id = add_row(session, making)
    found = []
    for each in attempts:
        each.row.making_id = making_id
        if each.question is not None:
            each.row.mcq_id = add_row(session, _question_row(making, each, each.question))
            found.append((each.row.mcq_id, each.question))
    add_rows(session, (each.row for each in attempts))
    return found


def questions(session: Session, project_id: int, only: Collection[int] = ()) -> list[Kept]:
    """Return the project's questions in order of id, or those in `only`."""
    query = select(Mcq).where(Mcq.project_id == project_id).order_by(col(Mcq.id))
    rows = [row for row in session.exec(query) if not only or row.id in only]
    passages = passages_of(session, {n for row in rows for n in (row.a_unit_id, row.b_unit_id)})
    return [_stored_question(row, passages) for row in rows]


def question_by_id(session: Session, project_id: int, number: int) -> Kept:
    """Return one question. Raises UserError if the project has no question of that id."""
    row = session.get(Mcq, number)
    if row is None or row.project_id != project_id:
        raise UserError("mcq_unknown", id=number)
    return _stored_question(row, passages_of(session, {row.a_unit_id, row.b_unit_id}))


def attempt_names(session: Session, project_id: int) -> set[str]:
    """Return the names of the project's attempts to generate a question, kept or not."""
    query = select(McqAttempt.name).join(McqMaking)
    return set(session.exec(query.where(McqMaking.project_id == project_id)))


def attempt_drafts(session: Session, project_id: int) -> dict[str, Mapping[str, Any] | None]:
    """Return the drafts of the project's attempts, by name."""
    query = (
        select(McqAttempt.name, McqAttempt.draft)
        .join(McqMaking)
        .where(McqMaking.project_id == project_id)
    )
    return dict(session.exec(query).all())


def tried_pairs(
    session: Session, project_id: int, server: str, model: str, versions: Collection[str]
) -> set[tuple[int, int]]:
    """Return the unit pairs that this model was asked about under these versions of the prompt."""
    query = (
        select(McqAttempt.a_unit_id, McqAttempt.b_unit_id)
        .join(McqMaking)
        .where(
            McqMaking.project_id == project_id,
            McqMaking.server == server,
            McqMaking.model == model,
            col(McqAttempt.prompt_version).in_(list(versions)),
        )
    )
    return {(a, b) for a, b in session.exec(query)}


def outcomes(session: Session, project_id: int) -> Counter[str]:
    """Count the project's attempts to generate a question by outcome."""
    query = select(McqAttempt.outcome).join(McqMaking)
    return Counter(session.exec(query.where(McqMaking.project_id == project_id)))


def makings(session: Session, project_id: int) -> list[tuple[McqMaking, int]]:
    """Return the project's generation runs and imports with their numbers of attempts, in order."""
    of_project = McqMaking.project_id == project_id
    counts = select(McqAttempt.making_id, func.count()).join(McqMaking).where(of_project)
    attempts = dict(session.exec(counts.group_by(col(McqAttempt.making_id))).all())
    query = select(McqMaking).where(of_project)
    found = session.exec(query.order_by(col(McqMaking.id)))
    return [(making, attempts.get(making.id or 0, 0)) for making in found]


def _question_row(making: McqMaking, attempt: Attempt, question: Question) -> Mcq:
    row = attempt.row
    return Mcq(
        project_id=making.project_id,
        external_id=row.name,
        snapshot_id=making.snapshot_id,
        a_unit_id=row.a_unit_id,
        b_unit_id=row.b_unit_id,
        edge_kind=row.edge_kind,
        query=question.query,
        options=list(question.options),
        answer=question.answer - 1,
        explanation=question.explanation,
        language=question.pair.source.language,
        llm_call_id=row.llm_call_id,
        prompt_version=row.prompt_version,
        seed=making.seed,
        source=dict(attempt.source),
        at=making.at,
    )


def _stored_question(row: Mcq, passages: Mapping[int, Passage]) -> Kept:
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
