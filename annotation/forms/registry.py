"""Every task's form by the task's name, and refusing what a form keeps from people.

No form is imported before it is asked for, so that a form may build on whatever asks for forms.
"""

from __future__ import annotations

from importlib import import_module

from sqlmodel import Session

from annotation.forms.form import Form, ItemContext
from annotation.people.authorization import ProjectMember
from annotation.work.slots import SlotState
from errors import UserError
from storage.tasks import Task

# Where each task's form is: the module that has it as FORM.
_MODULES: dict[Task, str] = {
    Task.ANSWER_RATING: "annotation.judging.rating",
    Task.FACTOR_TAGGING: "annotation.tagging.form",
    Task.JUDGE_REVIEW: "annotation.judging.review",
    Task.MCQ_SOLVABILITY: "annotation.mcq.solvability",
    Task.OCR_CORRECTION: "annotation.ocr.correction",
    Task.OCR_VERIFICATION: "annotation.ocr.verification",
}

FORMS = frozenset(_MODULES)
"""The tasks that have a form."""


def find_form(task: str) -> Form | None:
    """Return the form of a task, None for a task that has none."""
    module = _MODULES.get(Task(task))
    if module is None:
        return None
    found: Form = import_module(module).FORM
    return found


def form_of(task: str) -> Form:
    """Return the form of a task. Raises UserError for one that has none."""
    form = find_form(task)
    if form is None:
        raise UserError("task_without_form")
    return form


def refuse_hidden(session: Session, who: ProjectMember, room: SlotState) -> None:
    """Raise UserError for an item that its form keeps from the person, unless they submitted it."""
    form = find_form(room.task)
    if form is not None and not room.mine and room.item_id in form.hidden(session, who):
        raise UserError("item_not_yours")


def refuse_withdrawal(pen: ItemContext) -> None:
    """Raise UserError for a submission that its form says cannot be taken back now."""
    form = find_form(pen.room.task)
    if form is not None:
        form.withdrawn(pen)
