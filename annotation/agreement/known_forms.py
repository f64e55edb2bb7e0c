"""Known answers to form items: setting them, and feedback in practice.

A known answer is one that an adjudicator could decide on the item. A submission is right if it
agrees in every field of the known answer that can be right or wrong
(`annotation.forms.form.Form.graded`); free-text reasons cannot.

Practice: feedback after each submitted item of a practice batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.agreement.calibration import (
    answer_of,
    keep_known,
    known_answer,
    right_answer,
    standing_answers,
)
from annotation.forms.form import FORMS, Form, form_of
from annotation.forms.submissions import answers_in
from annotation.people.roles import (
    Act,
    reading_as,
    require,
    writing_as,
)
from annotation.work.slots import act_of, at_work
from annotation.work.submissions import Decision, checked_text, is_current
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, AnnotationLabel, Item, QuestionRow, StatuteRow, UnitRow
from storage.tables.people import Batch, BatchItem
from storage.tasks import NAME, TITLE, Task, of_task


@dataclass(frozen=True, slots=True)
class KnownForm:
    """A known answer to an item of a form, by field."""

    external_id: str
    answers: Mapping[str, Any]
    explanation: str = ""
    line: int | None = None  # line of the file it was read from


@dataclass(frozen=True, slots=True)
class FieldFeedback:
    """The known answer to a field, and the person's own; None if they gave none."""

    field: str
    known: Any
    said: Any
    right: bool


Verdict = Literal["right", "missed", "wrong"]


@dataclass(frozen=True, slots=True)
class UnitFeedback:
    """A unit in the person's or the known answer; `label` is its citation form.

    `said` is the person's decision, None if they made none. The verdict is ``right`` for a unit
    that both accept, ``missed`` for one that only the known answer has, ``wrong`` for one that only
    the person accepts.
    """

    semantic_id: str
    label: str
    said: str | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Feedback:
    """Feedback on a practice item: known answer, own answer, explanation.

    Of a form by `fields`; in citation mapping by `units`, where `no_provision` is the known
    answer's and `said_none` the person's.
    """

    item_id: int
    external_id: str
    title: str
    explanation: str
    right: bool
    fields: tuple[FieldFeedback, ...] = ()
    units: tuple[UnitFeedback, ...] = ()
    no_provision: bool = False
    said_none: bool = False


def set_known_forms(
    ws: Workspace,
    project_slug: str,
    task: str,
    answers: Sequence[KnownForm],
    by: int | None = None,
) -> int:
    """Set known answers, all or none; return the number of new or changed ones.

    Raises UserError, with the line if there is one, for an unknown task or item, for answers that
    an adjudicator could not decide on and those without a gradable field, for an explanation that
    is too long, and without permission to assign.
    """
    if task not in FORMS:
        raise UserError("task_unknown", Where(field="task"), task=task)
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        items = {
            each.external_id: each
            for each in session.exec(select(Item).where(of_task(project.id, task)))
        }
        before = standing_answers(session, project.id)
        changed = 0
        for answer in answers:
            item = items.get(answer.external_id)
            if item is None:
                where = Where(line=answer.line, field="item")
                raise UserError("questions_unknown", where, ids=answer.external_id, count=1)
            kept = _checked_answers(session, item, answer)
            said = item.id or 0, kept, answer.explanation
            changed += keep_known(session, said, before, ws.clock(), by)
        return changed


def known_from_settlements(
    ws: Workspace, project_slug: str, task: str, by: int | None = None
) -> list[KnownForm]:
    """Return a task's current decisions as known answers, with their reasons as explanations."""
    if task not in FORMS:
        raise UserError("task_unknown", Where(field="task"), task=task)
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        found = current_decisions(session, project.id, Task(task))
        names = {item_id: session.get_one(Item, item_id).external_id or "" for item_id in found}
        return [
            KnownForm(names[item_id], dict(each.answers), each.reason)
            for item_id, each in found.items()
        ]


def is_right(form: Form, known: Mapping[str, Any], answers: Mapping[str, Any]) -> bool:
    """Return True if the answers match the known ones in every gradable field."""
    return all(field.right for field in _field_feedback(form, known, answers))


def feedback(ws: Workspace, person_id: int, item_id: int) -> Feedback:
    """Return the feedback on a practice item that the person has submitted.

    Raises UserError for an unknown person or item, one that is not for practice, and one without a
    current submission of this person: nobody sees a known answer before they have answered.
    """
    with ws.reading() as session:
        who, item = at_work(session, person_id, item_id)
        made = session.exec(_practice_submission_query(who.person_id, item_id)).first()
        known = known_answer(session, item_id)
        if made is None or known is None:
            raise UserError("feedback_closed")
        query = select(NAME, TITLE).select_from(Item).where(Item.id == item_id)
        query = query.outerjoin(QuestionRow)
        about = item_id, *session.exec(query).one(), known.explanation
        if item.task == Task.CITATION_MAPPING:
            right, said = right_answer(known), answer_of(session, made)
            units = _unit_feedback(session, made, right[0])
            return Feedback(*about, said == right, (), units, right[1], made.no_provision)
        form = form_of(session, item.project_id, item.task)
        answers = answers_in(session, Annotation.id == made.id).get(made.id or 0, {})
        fields = _field_feedback(form, known.answer, answers)
        return Feedback(*about, is_right(form, known.answer, answers), fields)


def latest_feedback(
    ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING
) -> Feedback | None:
    """Return the feedback on the person's last submission of a task, None if not practice.

    Raises UserError for an unknown person, and one who does not work on the task.
    """
    with ws.reading() as session:
        require(session, person_id, act_of(Task(task)))
        query = select(Annotation.item_id).join(Item)
        query = query.where(Annotation.person_id == person_id, Item.task == task, is_current())
        last = session.exec(query.order_by(col(Annotation.id).desc()).limit(1)).first() or 0
        practised = session.exec(_practice_submission_query(person_id, last)).first()
        if practised is None or known_answer(session, last) is None:
            return None
    return feedback(ws, person_id, last)


def _practice_submission_query(person_id: int, item_id: int) -> Any:
    """Return the query for the person's current submission on a practice item."""
    return (
        select(Annotation)
        .join(Item)
        .join(BatchItem)
        .join(Batch)
        .where(Item.id == item_id, col(Batch.practice), is_current())
        .where(Annotation.person_id == person_id)
    )


def _checked_answers(session: Session, item: Item, known: KnownForm) -> dict[str, Any]:
    """Return the known answers of a file in stored form. Raises UserError with the line."""
    form = form_of(session, item.project_id, item.task)
    where = Where(line=known.line, field="answers")
    try:
        kept = form.decided(session, item, known.answers)
        form.refuse_for(session, item, kept)
    except UserError as error:
        raise UserError(error.code, where, **error.params) from error
    if not form.graded(kept):
        raise UserError("known_answer_form", where)
    checked_text(known.explanation, "explanation", where=where)
    return kept


def _field_feedback(
    form: Form, known: Mapping[str, Any], answers: Mapping[str, Any]
) -> tuple[FieldFeedback, ...]:
    """Compare a person's answer with the known one, field by field."""
    given = form.graded(answers)
    return tuple(
        FieldFeedback(field, value, given.get(field), given.get(field) == value)
        for field, value in form.graded(known).items()
    )


def _unit_feedback(
    session: Session, submission: Annotation, right: frozenset[str]
) -> tuple[UnitFeedback, ...]:
    """Return feedback on each unit that the person accepts or the known answer has (`right`)."""
    said = dict(
        session.exec(
            select(UnitRow.semantic_id, AnnotationLabel.label)
            .join(AnnotationLabel)
            .where(AnnotationLabel.annotation_id == submission.id)
        ).all()
    )
    accepted = {unit for unit, label in said.items() if label == Decision.ACCEPT}
    query = (
        select(UnitRow.semantic_id, StatuteRow.title, UnitRow.label)
        .join(StatuteRow)
        .where(col(UnitRow.semantic_id).in_(sorted(accepted | right)))
        .order_by(col(UnitRow.snapshot_id))
    )
    labels = {unit: f"{title} {label}" for unit, title, label in session.exec(query)}
    return tuple(
        UnitFeedback(
            semantic_id=unit,
            label=labels.get(unit, unit),
            said=said.get(unit),
            verdict="wrong" if unit not in right else "right" if unit in accepted else "missed",
        )
        for unit in sorted(accepted | right)
    )
