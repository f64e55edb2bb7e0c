"""Generated questions in curation, and the admission of curated ones to the project.

Admission of curated questions to the project, with their provenance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from corpus.model import words_of_place
from errors import UserError
from normalization.grouping import nested
from storage.closure.completed import completed_gold
from storage.db.columns import add_rows, view_of
from storage.db.rows import rows_with
from storage.subjects import add_questions
from storage.tables.augmentation import (
    Admission,
    AugmentationAttempt,
    AugmentationMaking,
    AugmentedQuestion,
    LayerResult,
    Restoration,
)
from storage.tables.core import CandidateSet, QuestionRow, StatuteRow, UnitRow

PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision in the law of an item; `spans` are the relevant parts of its text.

    `number` is its database id, None where that law lacks it; `added` is whether a curator added
    it, `closed` whether closure added it to the provisions that the question was written from.
    Spans are character offsets, end exclusive; none means all of the text.
    """

    unit: str
    number: int | None
    head: str
    text: str
    language: str
    roles: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    added: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class LayerLine:
    """The result of one layer for a question; `restored` is the reason of its restoration."""

    layer: str
    place: int
    outcome: str
    reasons: tuple[Mapping[str, Any], ...]
    restored: str | None


def questions(session: Session, project_id: int) -> list[AugmentedQuestion]:
    """Return the project's generated questions, in order of id."""
    query = select(AugmentedQuestion).where(AugmentedQuestion.project_id == project_id)
    return list(session.exec(query.order_by(col(AugmentedQuestion.id))))


def question_by_id(session: Session, project_id: int, number: int) -> AugmentedQuestion:
    """Return one question. Raises UserError if the project has no question of that id."""
    row = session.get(AugmentedQuestion, number)
    if row is None or row.project_id != project_id:
        raise UserError("curation_unknown", id=number)
    return row


def listed_units(session: Session, rows: Sequence[AugmentedQuestion]) -> dict[int, tuple[str, ...]]:
    """Return the semantic ids of the provisions that each question came with, each once, by id.

    Those that it was written from come first, then those that closure added.
    """
    return {
        number: tuple(dict.fromkeys(str(each["unit"]) for each in gold))
        for number, gold in completed_gold(session, rows).items()
    }


def known_units(session: Session, item_id: int, units: Collection[str]) -> frozenset[str]:
    """Return which of the semantic ids are in a snapshot that the item has shown."""
    laws = select(CandidateSet.snapshot_id).where(CandidateSet.item_id == item_id)
    query = select(UnitRow.semantic_id).where(
        col(UnitRow.snapshot_id).in_(laws), col(UnitRow.semantic_id).in_(sorted(units))
    )
    return frozenset(session.exec(query))


def provisions(
    session: Session, row: AugmentedQuestion, snapshot_id: int, added: Iterable[str] = ()
) -> tuple[Provision, ...]:
    """Return a question's gold provisions as they are in a snapshot, then the `added` units."""
    gold = completed_gold(session, [row])[row.id or 0]
    listed = dict.fromkeys(str(each["unit"]) for each in gold)
    units = (*listed, *sorted(set(added) - listed.keys()))
    query = (
        select(UnitRow, StatuteRow)
        .join(StatuteRow)
        .where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.semantic_id).in_(units))
    )
    there = {unit.semantic_id: (unit, statute) for unit, statute in session.exec(query)}
    return tuple(_provision(row, gold, name, there.get(name)) for name in units)


def _provision(
    row: AugmentedQuestion,
    gold: Iterable[Mapping[str, Any]],
    name: str,
    unit_and_statute: tuple[UnitRow, StatuteRow] | None,
) -> Provision:
    """Return unit `name` with its roles in the gold; without text if `unit_and_statute` is None."""
    named = [each for each in gold if each["unit"] == name]
    roles = tuple(dict.fromkeys(each["role"] for each in named if each.get("role")))
    new, closed = not named, bool(named) and named[0] not in row.gold
    if unit_and_statute is None:
        return Provision(name, None, name, "", row.language, roles, added=new, closed=closed)
    unit, statute = unit_and_statute
    places = {each["pinpoint"] for each in named if each.get("pinpoint")}
    spans = {(start, end) for path, start, end in unit.parts if path in places}
    place = words_of_place(statute.kind, statute.title, unit.label)
    head = " ".join(filter(None, (*place, unit.heading))) or name
    where = tuple(sorted(spans))
    about = name, unit.id, head, unit.text, statute.language, roles, where
    return Provision(*about, added=new, closed=closed)


def layer_results(session: Session, question_id: int, run_id: int | None) -> tuple[LayerLine, ...]:
    """Return the results of a run's layers for a question, in order; () for no run."""
    if run_id is None:
        return ()
    query = select(LayerResult).where(
        LayerResult.augmented_question_id == question_id, LayerResult.cascade_run_id == run_id
    )
    restored = restored_layers(session, [question_id]).get(question_id, {})
    return tuple(
        view_of(
            LayerLine,
            each,
            reasons=tuple(each.reasons),
            restored=None if each.outcome == PASSED else restored.get(each.layer),
        )
        for each in session.exec(query.order_by(col(LayerResult.place), col(LayerResult.id)))
    )


def restored_layers(session: Session, questions: Iterable[int]) -> dict[int, dict[str, str]]:
    """Return the restored layers by question and layer, with the reason.

    The newest row per question and layer counts.
    """
    query = select(Restoration, LayerResult.layer).order_by(col(Restoration.id))
    query = query.join(LayerResult)
    rows = rows_with(session, query, Restoration.augmented_question_id, questions)
    newest = {(row.augmented_question_id, layer): row for row, layer in rows}
    return nested((*key, row.reason) for key, row in newest.items() if row.kind == "restore")


def admissions(session: Session, project_id: int) -> dict[int, Admission]:
    """Return the admissions of the project, by the id of the generated question, in order."""
    query = (
        select(Admission)
        .join(AugmentedQuestion)
        .where(AugmentedQuestion.project_id == project_id)
        .order_by(col(Admission.id))
    )
    return {row.augmented_question_id: row for row in session.exec(query)}


def origins(session: Session, project_id: int) -> dict[int, dict[str, Any]]:
    """Return each generated question's parent, model, server, prompt and seed, by id."""
    query = (
        select(AugmentedQuestion, QuestionRow.external_id, AugmentationMaking)
        .outerjoin(QuestionRow)
        .outerjoin(
            AugmentationAttempt,
            col(AugmentationAttempt.augmented_question_id) == AugmentedQuestion.id,
        )
        .outerjoin(AugmentationMaking)
        .where(AugmentedQuestion.project_id == project_id)
    )
    return {
        row.id or 0: {
            "parent": parent,
            "axes_version": row.axes_number,
            "prompt": row.prompt_version,
            "seed": row.seed,
            "server": "" if making is None else making.server,
            "model": "" if making is None else making.model,
        }
        for row, parent, making in session.exec(query)
    }


@dataclass(frozen=True, slots=True)
class Admitted:
    """A question to admit: its agreed text, its language, and its provenance.

    `item_id` is the item that it was curated under.
    """

    augmented_question_id: int
    item_id: int
    external_id: str
    text: str
    answer: str
    language: str
    source: Mapping[str, Any]


def admit(
    session: Session,
    project_id: int,
    found: list[Admitted],
    person_id: int | None,
    at: datetime,
) -> None:
    """Add the questions, each with a citation mapping item at the end of the queue.

    Raises UserError where the project has a question of one of the ids already.
    """
    _refuse_taken(session, project_id, [each.external_id for each in found])
    rows = [
        QuestionRow(
            project_id=project_id,
            external_id=each.external_id,
            text=each.text,
            answer=each.answer,
            language=each.language,
            source=dict(each.source),
        )
        for each in found
    ]
    numbers = add_questions(session, project_id, rows)
    admitted = (
        Admission(
            augmented_question_id=each.augmented_question_id,
            question_id=number,
            item_id=each.item_id,
            person_id=person_id,
            at=at,
        )
        for number, each in zip(numbers, found, strict=True)
    )
    add_rows(session, admitted)


def _refuse_taken(session: Session, project_id: int, names: list[str]) -> None:
    """Raise UserError for external ids that questions have already."""
    taken = select(QuestionRow.external_id).where(
        QuestionRow.project_id == project_id, col(QuestionRow.external_id).in_(names)
    )
    found = sorted(session.exec(taken))
    if found:
        raise UserError("curation_id_taken", ids=", ".join(found))
