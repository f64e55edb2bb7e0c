"""What becomes of each submission when answers are taken over to another version of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import settled
from annotation.guidelines.versions import number_of
from annotation.people.roles import Act, may
from annotation.work.submissions import Decision, stands
from storage.projects import ProjectView
from storage.tables.core import Annotation, AnnotationLabel, Item, Person, QuestionRow
from storage.tables.people import Batch, BatchItem, Referral

SAME, AGAIN = "same", "again"
NO_PROVISION = "no_provision"
ANSWERS = (*(str(each) for each in Decision), NO_PROVISION)  # what may be migrated
_CHUNK = 500  # ids in one query
Fate = Literal["same", "mapped", "again", "settled", "referred", "closed", "away"]
FATES: tuple[Fate, ...] = ("same", "mapped", "again", "settled", "referred", "closed", "away")
LEFT: tuple[Fate, ...] = ("settled", "referred", "closed", "away")


@dataclass(frozen=True, slots=True)
class Answer:
    """A submission that stands, with the labels and "no provision" that it would have after."""

    row: Annotation
    external_id: str
    person: str
    labels: Mapping[int, str]
    no_provision: bool
    fate: Fate


def answers_under(
    session: Session,
    project: ProjectView,
    kind: str,
    task: str,
    from_number: int,
    answers: Mapping[str, str],
) -> list[Answer]:
    """Return the submissions made under that version with what becomes of each, in queue order."""
    column = {"guideline": "guideline_version", "codebook": "codebook_version"}[kind]
    query = (
        select(Annotation, QuestionRow.external_id, Person, Batch.closed_at)
        .join(Item, col(Item.id) == Annotation.item_id)
        .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(Person, col(Person.id) == Annotation.person_id)
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(Item.project_id == project.id, Item.task == task, stands())
        .order_by(col(Item.order), col(Person.name), col(Annotation.id))
    )
    rows = [each for each in session.exec(query) if _number(each[0], column) == from_number]
    labels = _labels(session, [row.id or 0 for row, *_ in rows])
    done, talked = settled(session, project.id), _talked_over(session)
    found = []
    for row, external_id, person, closed_at in rows:
        before = labels.get(row.id or 0, {})
        after = {unit: answers.get(said, said) for unit, said in before.items()}
        nothing = row.no_provision and NO_PROVISION not in answers
        fate = _fate(row, before, after, nothing)
        if row.item_id in done:
            fate = "settled"
        elif row.id in talked:
            fate = "referred"
        elif fate == AGAIN:
            fate = _given_back(person, closed_at)
        kept = {unit: said for unit, said in after.items() if said != AGAIN}
        found.append(Answer(row, external_id, person.name, kept, nothing, fate))
    return found


def _given_back(person: Person, closed_at: datetime | None) -> Fate:
    """Return what becomes of an answer to be given again: only who can give it gets it back."""
    if closed_at is not None:
        return "closed"
    return "again" if person.active and may(person.role, Act.ANNOTATE) else "away"


def _number(row: Annotation, column: str) -> int:
    return number_of(getattr(row, column))


def _fate(
    row: Annotation, before: Mapping[int, str], after: Mapping[int, str], nothing: bool
) -> Fate:
    if AGAIN in after.values() or nothing != row.no_provision:
        return "again"
    said = set(after.values())
    decides = nothing or bool(said & {Decision.ACCEPT, Decision.UNSURE})
    if not decides or (nothing and Decision.ACCEPT in said):
        return "again"
    return "same" if before == after else "mapped"


def _labels(session: Session, ids: Sequence[int]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    for start in range(0, len(ids), _CHUNK):
        part = col(AnnotationLabel.annotation_id).in_(ids[start : start + _CHUNK])
        for row in session.exec(select(AnnotationLabel).where(part)):
            found.setdefault(row.annotation_id, {})[row.unit_id] = row.label
    return found


def _talked_over(session: Session) -> set[int]:
    """Return the submissions that an adjudicator has sent back to be talked over."""
    return {each for row in session.exec(select(Referral)) for each in row.annotation_ids}
