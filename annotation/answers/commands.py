"""Answering a form: each function is one act, saved whole before it returns.

Comment, flag, skip and undo are those of `annotation.commands`. All raise UserError for all that
`annotation.pen` refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.answers.forms import FORMS, form_of
from annotation.confidence import checked_confidence
from annotation.pen import Pen, drafting
from errors import UserError
from storage.answer_tables import AnnotationAnswer
from storage.workspace import Workspace


def answer(ws: Workspace, person_id: int, item_id: int, field: str, value: Any) -> None:
    """Answer a field of the item's form; None takes the answer back.

    Raises UserError for a field or a value that the form does not take.
    """
    with drafting(ws, person_id, item_id, FORMS) as pen:
        form, given = form_of(pen.room.task), pen.draft.answers
        if value is None:
            form.clear(field, given)
            kept = None
        else:
            kept = form.check_in(pen.session, pen.who.project_id, field, value, given)
        if given.get(field) != kept:
            seal = {"seal": True} if field in form.seals else {}
            pen.write("label", {"field": field, "value": kept, **seal})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
) -> int:
    """Submit the answers of the draft; return the id of the annotation.

    `confidence` and `revision` are as in :func:`annotation.commands.submit`. Raises UserError for
    another confidence, for a draft that says something else than the revision, and for answers
    that the form cannot take yet.
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id, FORMS) as pen:
        if revision is not None and revision != pen.draft.revision:
            raise UserError("draft_changed")
        form = form_of(pen.room.task)
        form.fit(pen.draft.answers)
        annotation_id = pen.submit(sure)
        _keep(pen, annotation_id, pen.draft.answers)
        form.submitted(pen, annotation_id)
        return annotation_id


def _keep(pen: Pen, annotation_id: int, answers: Mapping[str, Any]) -> None:
    pen.session.add_all(
        AnnotationAnswer(annotation_id=annotation_id, field=field, value=value)
        for field, value in sorted(answers.items())
    )
    pen.session.flush()
