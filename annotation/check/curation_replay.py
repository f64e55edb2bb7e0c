"""Gold of questions admitted from curation, computed independently from the raw answers.

Nothing of `annotation.curation.state` or `annotation.gold.curated` is used here
(`annotation.check.gold_replay` says why).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from storage.projects import ProjectView
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item, QuestionRow, Settlement, UndoneDecision
from storage.tables.curation import Admission

_CRITERIA = ("voice", "context", "framing", "one_view")


@dataclass(frozen=True, slots=True)
class AdmittedQuestion:
    """An admitted question: admitted wording, the model's wording, and its curation item.

    `admitted` is (question, answer, level), `written` (question, answer).
    """

    item_id: int
    admitted: tuple[str, str, str]
    written: tuple[str, str]


def admitted_questions(session: Session, project: ProjectView) -> dict[int, AdmittedQuestion]:
    """Return the admitted questions by their item of citation mapping."""
    query = (
        select(Item.id, Admission.item_id, QuestionRow, AugmentedQuestion)
        .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(Admission, col(Admission.question_id) == QuestionRow.id)
        .join(AugmentedQuestion, col(AugmentedQuestion.id) == Admission.augmented_question_id)
        .where(Item.project_id == project.id)
    )
    return {
        number or 0: AdmittedQuestion(
            curated,
            (row.text, row.answer, str(row.source.get("columns", {}).get("difficulty", ""))),
            (source.text, source.answer),
        )
        for number, curated, row, source in session.exec(query)
    }


def settlements(session: Session, project: ProjectView) -> dict[int, Mapping[str, Any]]:
    """Return adjudicators' decisions on form items: the last one not withdrawn."""
    query = select(Settlement).join(Item, col(Item.id) == Settlement.item_id)
    query = query.where(Item.project_id == project.id).order_by(col(Settlement.id))
    undone = set(session.exec(select(UndoneDecision.settlement_id)))
    return {row.item_id: row.answers for row in session.exec(query) if row.id not in undone}


def doubts_of(said: Sequence[Mapping[str, Any]], flagged: bool) -> tuple[str, ...]:
    """Return why these complete answers make no gold."""
    alive = [each for each in said if each["verdict"] != "reject"]
    verdicts = {each["verdict"] for each in said}
    corrected = {tuple(sorted(e["edit"].items())) for e in said if e["verdict"] == "edit"}
    differ = len(verdicts) > 1 or len(corrected) > 1
    if alive:
        differ = differ or len({tuple(_gold_units(each)) for each in alive}) > 1
        found = {tuple(each[name] for name in (*_CRITERIA, "difficulty")) for each in said}
        differ = differ or len(found) > 1
    return (*(("differ",) if differ else ()), *(("flagged",) if flagged else ()))


def stands(question: AdmittedQuestion, said: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the gold by these answers, None if they do not accept the admitted wording."""
    if said["verdict"] == "reject":
        return None
    words: tuple[str, ...] = question.written
    if said["verdict"] == "edit":
        words = said["edit"]["question"], said["edit"]["answer"]
    if (*words, said["difficulty"]) != question.admitted:
        return None
    return tuple(_gold_units(said))


def _gold_units(said: Mapping[str, Any]) -> Iterator[str]:
    yield from sorted(unit for unit, belongs in said["gold"].items() if belongs == "yes")
