"""The forms of all tasks that have one, and refusing what is not a task's."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sqlmodel import Session

from annotation.answers import (
    answer_rating,
    factor_tagging,
    judge_review,
    mcq_solvability,
    ocr_correction,
    ocr_verification,
)
from annotation.answers.form import Form
from annotation.standing import Standing
from errors import UserError
from storage.tasks import Task

if TYPE_CHECKING:
    from annotation.leases import Room
    from annotation.pen import Pen

_EVERY: tuple[Form, ...] = (
    answer_rating.FORM,
    factor_tagging.FORM,
    judge_review.FORM,
    mcq_solvability.FORM,
    ocr_correction.FORM,
    ocr_verification.FORM,
)
FORMS: Mapping[Task, Form] = {form.task: form for form in _EVERY}


def form_of(task: str) -> Form:
    """Return the form of a task. Raises UserError for one that has none."""
    form = FORMS.get(Task(task))
    if form is None:
        raise UserError("task_without_form")
    return form


def require_task(room: Room, tasks: Collection[str] | None) -> None:
    """Raise UserError for an item of a task that an act is not of; None stands for every task."""
    if tasks is not None and room.task not in tasks:
        raise UserError("item_unknown", item=room.item_id)


def refuse_hidden(session: Session, who: Standing, room: Room) -> None:
    """Raise UserError for an item that its form keeps from the person, unless they submitted it."""
    form = FORMS.get(Task(room.task))
    if form is not None and not room.mine and room.item_id in form.hidden(session, who):
        raise UserError("item_not_yours")


def refuse_withdrawal(pen: Pen) -> None:
    """Raise UserError for a submission that its form says cannot be taken back now."""
    form = FORMS.get(Task(pen.room.task))
    if form is not None:
        form.withdrawn(pen)
