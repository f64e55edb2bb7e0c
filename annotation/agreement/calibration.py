"""Known answers, and each annotator's accuracy on calibration items.

A known answer is set by a lead, or taken from settled gold; a newer one supersedes. Annotators are
not told which items have one. A submission is right if it accepts exactly the units of the known
answer, or gives "no provision" if that is the answer; unsure is not right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.batches.commands import find_batch
from annotation.forms.form import form_of
from annotation.forms.submissions import answers_in
from annotation.gold.derivation import gold_in
from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.submissions import Decision, checked_text, is_current
from errors import UserError, Where
from evaluation.figure import Figure, share_figure
from normalization.grouping import grouped
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.tables.core import (
    Annotation,
    AnnotationLabel,
    Item,
    Person,
    QuestionRow,
    Snapshot,
    UnitRow,
)
from storage.tables.people import BatchItem, KnownAnswer
from storage.tasks import NAME, Task, of_task

Answer = tuple[frozenset[str], bool]  # semantic ids of the accepted units, "no provision"


@dataclass(frozen=True, slots=True)
class Known:
    """A known answer: `units` are semantic ids, none for "no provision"."""

    external_id: str
    units: tuple[str, ...]
    no_provision: bool = False
    explanation: str = ""
    line: int | None = None  # line of the file it was read from


@dataclass(frozen=True, slots=True)
class Accuracy:
    """One person's accuracy on calibration items: the share right of the n submitted.

    `known` are the external ids of those right, `wrong` of the others.
    """

    person_id: int
    person: str
    right: int
    share: Figure
    known: tuple[str, ...]
    wrong: tuple[str, ...]


def set_known_answers(
    ws: Workspace, project_slug: str, answers: Sequence[Known], by: int | None = None
) -> int:
    """Set known answers, all or none; return the number of new or changed ones.

    Raises UserError, with the line if there is one, for an unknown question or unit, units beside
    "no provision", neither, and an explanation that is too long; and without permission to assign.
    """
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        items, units = _item_ids(session, project), _semantic_ids(session, project)
        before = standing_answers(session, project.id)
        changed = 0
        for each in answers:
            answer = {"units": sorted(set(each.units)), "no_provision": each.no_provision}
            said = _checked_item(each, items, units), answer, each.explanation
            changed += keep_known(session, said, before, ws.clock(), by)
        return changed


def keep_known(
    session: Session,
    known: tuple[int, dict[str, Any], str],
    before: dict[int, KnownAnswer],
    at: datetime,
    by: int | None,
) -> bool:
    """Store an item's known answer, also in `before`, unless unchanged; return True if stored.

    `known` is (item id, answer, explanation), `before` the current known answers by item.
    """
    item_id, answer, explanation = known
    stood = before.get(item_id)
    if stood is not None and (stood.answer, stood.explanation) == (answer, explanation):
        return False
    row = KnownAnswer(
        item_id=item_id,
        answer=answer,
        explanation=explanation,
        supersedes_id=None if stood is None else stood.id,
        by_person_id=by,
        at=at,
    )
    add_row(session, row)
    before[item_id] = row
    return True


def known_from_gold(
    ws: Workspace,
    project_slug: str,
    external_ids: Sequence[str] | None = None,
    by: int | None = None,
) -> list[Known]:
    """Return final gold as known answers, with the adjudicator's reason as explanation.

    Of all items with final gold, or of the named questions. Raises UserError for one without it
    and without permission to assign.
    """
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        gold = gold_in(session, project)
    settled = {each.external_id: each for each in gold if each.settled}
    for name in external_ids or ():
        if name not in settled:
            raise UserError("gold_unsettled", Where(field="items"), item=name)
    return [
        Known(name, each.units, each.no_provision, each.lineage[-1].reason if each.lineage else "")
        for name, each in settled.items()
        if external_ids is None or name in external_ids
    ]


def known_answer(session: Session, item_id: int) -> KnownAnswer | None:
    """Return the newest known answer of the item, None if there is none."""
    query = select(KnownAnswer).where(KnownAnswer.item_id == item_id)
    return session.exec(query.order_by(col(KnownAnswer.id).desc()).limit(1)).first()


def right_answer(known: KnownAnswer) -> Answer:
    """Return a known answer of citation mapping in the form that `answer_of` returns."""
    return frozenset(known.answer["units"]), bool(known.answer["no_provision"])


def accuracy(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    batch_id: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> list[Accuracy]:
    """Return everybody's accuracy on the calibration items of a task, by name.

    Current submissions on calibration items of one batch or of all count; practice does not. Raises
    UserError for a person who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        if batch_id is not None:
            find_batch(session, project.id, batch_id)
        known = standing_answers(session, project.id)
        right = _checker(session, project.id, task)
        made = grouped(
            ((name, row.person_id), (external, right(row, known[row.item_id])))
            for row, name, external in _calibration_submissions(session, project.id, task, batch_id)
        )
    return [
        Accuracy(
            person_id=number,
            person=name,
            right=sum(is_right for _, is_right in said),
            share=share_figure("calibration", sum(is_right for _, is_right in said), len(said)),
            known=tuple(external for external, is_right in said if is_right),
            wrong=tuple(external for external, is_right in said if not is_right),
        )
        for (name, number), said in sorted(made.items())
    ]


def _item_ids(session: Session, project: ProjectView) -> dict[str, int]:
    """Map external ids of the project's questions to ids of items."""
    query = select(QuestionRow.external_id, Item.id).join(Item)
    rows = session.exec(query.where(Item.project_id == project.id))
    return {external: item_id or 0 for external, item_id in rows}


def _semantic_ids(session: Session, project: ProjectView) -> set[str]:
    """Return the semantic ids in all snapshots, since answers may be known from older law."""
    query = select(UnitRow.semantic_id).join(Snapshot).where(Snapshot.project_id == project.id)
    return set(session.exec(query.distinct()))


def standing_answers(session: Session, project_id: int) -> dict[int, KnownAnswer]:
    """Return the current known answers of a project, by item."""
    later = aliased(KnownAnswer)
    superseded = select(later.id).where(later.supersedes_id == KnownAnswer.id).exists()
    query = select(KnownAnswer).join(Item)
    rows = session.exec(query.where(Item.project_id == project_id, ~superseded))
    return {row.item_id: row for row in rows}


def _checked_item(known: Known, items: dict[str, int], units: set[str]) -> int:
    """Return the id of the item; raise UserError for an invalid known answer."""
    if known.external_id not in items:
        where = Where(line=known.line, field="question_id")
        raise UserError("questions_unknown", where, ids=known.external_id, count=1)
    where = Where(line=known.line, field="units")
    if bool(known.units) == known.no_provision:
        raise UserError("known_answer_unfit", where, item=known.external_id)
    for unit in known.units:
        if unit not in units:
            raise UserError("known_unit_unknown", where, unit=unit)
    checked_text(known.explanation, "explanation", where=where)
    return items[known.external_id]


def _calibration_submissions(
    session: Session, project_id: int, task: str, batch_id: int | None
) -> list[tuple[Annotation, str, str]]:
    """Return (submission, person, external id) of current calibration submissions."""
    query = (
        select(Annotation, Person.name, NAME)
        .join(Person)
        .join(Item)
        .outerjoin(QuestionRow)
        .join(BatchItem)
        .where(of_task(project_id, task), is_current(), col(BatchItem.calibration))
        .order_by(col(Person.name), col(Item.order))
    )
    if batch_id is not None:
        query = query.where(BatchItem.batch_id == batch_id)
    return [(row, name, external) for row, name, external in session.exec(query).all()]


def _checker(
    session: Session, project_id: int, task: str
) -> Callable[[Annotation, KnownAnswer], bool]:
    """Return a function that checks a submission against the known answer."""
    if task == Task.CITATION_MAPPING:
        return lambda made, known: answer_of(session, made) == right_answer(known)
    form = form_of(session, project_id, task)
    said = answers_in(session, of_task(project_id, task), is_current())

    def right(submission: Annotation, known: KnownAnswer) -> bool:
        """Return True if the submission answers every field of the known answer alike."""
        wanted, given = form.graded(known.answer), form.graded(said.get(submission.id or 0, {}))
        return all(given.get(field) == value for field, value in wanted.items())

    return right


def answer_of(session: Session, submission: Annotation) -> Answer:
    """Return a citation mapping submission's (accepted semantic ids, "no provision")."""
    query = (
        select(UnitRow.semantic_id)
        .join(AnnotationLabel)
        .where(
            AnnotationLabel.annotation_id == submission.id, AnnotationLabel.label == Decision.ACCEPT
        )
    )
    return frozenset(session.exec(query)), submission.no_provision
