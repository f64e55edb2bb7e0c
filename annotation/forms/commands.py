"""The acts of tasks with a form alone; those of every task are in `annotation.work.commands`.

Each is saved whole before it returns. All raise UserError for all that
`annotation.work.item_session` refuses, and for an item of a task without a form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.forms.form import FORMS, form_of
from annotation.guidelines.documents import held_versions
from annotation.work.draft import Event
from annotation.work.item_session import (
    ANYTHING,
    Basis,
    ItemWriter,
    drafting,
    end_skips,
    refuse_other,
)
from errors import UserError
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id
from storage.tables.core import Item


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
    with drafting(ws, person_id, item_id, FORMS) as writer:
        form, given = form_of(writer.room.task), writer.draft.answers
        if value is None:
            form.clear(field, given)
        kept = _as_kept(writer, field, value)
        if given.get(field) != kept:
            refuse_other(writer, basis, given.get(field), *_saying(writer, field))
            seal = {"seal": True} if field in form.seals else {}
            writer.write("label", {"field": field, "value": kept, **seal})


def take_up(ws: Workspace, person_id: int, item_id: int) -> None:
    """Begin the item anew with what is shown of it now; the comment and the flag stay.

    Raises UserError where the draft is on that already.
    """
    with drafting(ws, person_id, item_id, FORMS) as writer:
        newest = newest_set_id(writer.session, item_id)
        if newest is None or newest == writer.candidates.id:
            raise UserError("nothing_to_take_up")
        end_skips(writer)
        versions = held_versions(writer.session, writer.who.project_id, writer.room.task)
        begun = {f"{kind}_version": version for kind, version in versions.items()}
        kept = {"comment": writer.draft.comment, "flag": writer.draft.flag}
        none: dict[str, Any] = {"carried": {}, "added": [], "amended": [], "former": {}}
        writer.write("open", {"candidate_set_id": newest, **begun, **kept, **none, "dropped": []})


def _as_kept(writer: ItemWriter, field: str, value: Any) -> Any:
    """Return what is kept of an answer; raises UserError for one that the form does not take."""
    if value is None:
        return None
    item = writer.session.get_one(Item, writer.item_id)
    form = form_of(writer.room.task)
    return form.check_in(writer.session, item, field, value, writer.draft.answers)


def _saying(writer: ItemWriter, field: str) -> tuple[Callable[[Event], bool], Callable[[Any], Any]]:
    """Return which events say an answer of the field, and what would be kept of one."""

    def as_kept(was: Any) -> Any:
        try:
            return _as_kept(writer, field, was)
        except UserError:
            return was

    return lambda event: event.payload.get("field") == field, as_kept
