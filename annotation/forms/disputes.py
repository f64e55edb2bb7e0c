"""What was said of each item of a task with a form, before it was sent back and now, and decided.

Where a task has no rule of its own for what is in dispute, an item is where its people's answers
differ in what can be right or wrong, or one of them flagged it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlmodel import Session, col, select

from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.forms.adjudication import Settled, settled
from annotation.forms.form import form_of
from annotation.forms.submissions import (
    FormSubmission,
    form_submissions,
    form_submissions_named,
)
from annotation.work.discussions import discussions
from storage.tables.core import Item
from storage.tasks import ONCE, Task, of_task


class FormCase(ItemCase[FormSubmission, Settled]):
    """What was said of one item, and what an adjudicator decided."""

    __slots__ = ()


def form_cases(
    session: Session, project_id: int, task: Task, item_id: int | None = None
) -> dict[int, FormCase]:
    """Return what was said of each item that is complete or was sent back.

    In queue order. With `item_id`, of that item alone.
    """
    where = session, project_id, task, item_id
    found = item_cases(
        form_submissions(*where),
        settled(*where),
        discussions(session, project_id, item_id, task),
        partial(form_submissions_named, session, project_id),
        FormCase,
    )
    if not any(case.revising for case in found.values()):
        return found
    query = select(Item.id).where(of_task(project_id, task)).order_by(col(Item.order))
    return {item: found[item] for item in session.exec(query) if item in found}


def in_dispute(session: Session, item: Item) -> tuple[Sequence[FormSubmission], tuple[str, ...]]:
    """Return the submissions of a complete item, and why it needs an adjudicator.

    Both may be empty; always of what a single person answers. For tasks without a rule of their
    own.
    """
    if item.task in ONCE:
        return (), ()
    item_id, form = item.id or 0, form_of(item.task)
    case = form_cases(session, item.project_id, Task(item.task), item_id).get(item_id)
    if case is None or case.revising:
        return (), ()
    graded = [form.graded(each.answers) for each in case.submissions]
    found = {
        "differ": any(each != graded[0] for each in graded),
        "flagged": any(each.flag for each in case.submissions),
        "recalled": case.unconfirmed,
    }
    return case.submissions, tuple(cause for cause, holds in found.items() if holds)
