"""Answering a form: each function is one act, saved whole before it returns.

Comment, flag, skip and undo are those of `annotation.mapping.commands`. All raise UserError for all
that `annotation.work.item_session` refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.forms.registry import FORMS, form_of
from annotation.guidelines.documents import held_versions
from annotation.work.basis import ANYTHING, Basis, refuse_other, refuse_revision
from annotation.work.confidence import checked_confidence
from annotation.work.draft import Event
from annotation.work.item_session import ItemWriter, drafting, end_skips
from errors import UserError
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id
from storage.tables.core import AnnotationAnswer, Item


def answer(
    ws: Workspace,
    person_id: int,
    item_id: int,
    field: str,
    value: Any,
    basis: Basis = ANYTHING,
) -> None:
    """Answer a field of the item's form; None takes the answer back.

    The answer never takes the place of another one than its `basis` says: `was` is the field's
    answer that this one was made from, None for none; `revision` is that of the draft, for an
    answer that says much at once, such as the text of a page. Raises UserError for either, and for
    a field or a value that the form does not take.
    """
    with drafting(ws, person_id, item_id, FORMS) as pen:
        form, given = form_of(pen.room.task), pen.draft.answers
        if value is None:
            form.clear(field, given)
        kept = _as_kept(pen, field, value)
        if given.get(field) != kept:
            refuse_other(pen, basis, given.get(field), *_saying(pen, field))
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

    `confidence` and `revision` are as in :func:`annotation.mapping.commands.submit`. Raises
    UserError for another confidence, for a draft that says something else than the revision, for
    answers that the form cannot take yet or not of this item, and for answers to what has been
    shown anew since, where that counts.
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id, FORMS) as pen:
        refuse_revision(pen, revision)
        form = form_of(pen.room.task)
        if form.shown_last and newest_set_id(pen.session, item_id) != pen.candidates.id:
            raise UserError("shown_anew")
        form.fit(pen.draft.answers)
        here = pen.session, pen.session.get_one(Item, item_id), pen.draft.answers
        form.refuse_for(*here)
        form.refuse_unfinished(*here)
        annotation_id = pen.submit(sure)
        _keep(pen, annotation_id, pen.draft.answers)
        form.submitted(pen, annotation_id)
        return annotation_id


def take_up(ws: Workspace, person_id: int, item_id: int) -> None:
    """Begin the item anew with what is shown of it now; the comment and the flag stay.

    Raises UserError where the draft is on that already.
    """
    with drafting(ws, person_id, item_id, FORMS) as pen:
        newest = newest_set_id(pen.session, item_id)
        if newest is None or newest == pen.candidates.id:
            raise UserError("nothing_to_take_up")
        end_skips(pen)
        versions = held_versions(pen.session, pen.who.project_id, pen.room.task)
        begun = {f"{kind}_version": version for kind, version in versions.items()}
        kept = {"comment": pen.draft.comment, "flag": pen.draft.flag}
        none: dict[str, Any] = {"carried": {}, "added": [], "amended": [], "former": {}}
        pen.write("open", {"candidate_set_id": newest, **begun, **kept, **none, "dropped": []})


def _as_kept(pen: ItemWriter, field: str, value: Any) -> Any:
    """Return what is kept of an answer; raises UserError for one that the form does not take."""
    if value is None:
        return None
    item = pen.session.get_one(Item, pen.item_id)
    form = form_of(pen.room.task)
    return form.check_in(pen.session, item, field, value, pen.draft.answers)


def _saying(pen: ItemWriter, field: str) -> tuple[Callable[[Event], bool], Callable[[Any], Any]]:
    """Return which events say an answer of the field, and what would be kept of one."""

    def as_kept(was: Any) -> Any:
        try:
            return _as_kept(pen, field, was)
        except UserError:
            return was

    return lambda event: event.payload.get("field") == field, as_kept


def _keep(pen: ItemWriter, annotation_id: int, answers: Mapping[str, Any]) -> None:
    pen.session.add_all(
        AnnotationAnswer(annotation_id=annotation_id, field=field, value=value)
        for field, value in sorted(answers.items())
    )
    pen.session.flush()
