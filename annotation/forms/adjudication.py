"""Adjudicators' decisions on items of form tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.adjudication.decisions import Settled, current_decisions, newest
from annotation.adjudication.dispute_state import case_reader
from annotation.forms.form import form_of
from annotation.people.roles import ProjectMember, Role
from annotation.work.commands import UNSAID, DecidedMeanwhileError
from annotation.work.discussions import open_discussions
from annotation.work.submissions import checked_reason, complete
from errors import UserError
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import Item, Settlement


def settle(
    ws: Workspace,
    person_id: int,
    item_id: int,
    answers: Mapping[str, Any],
    reason: str,
    annotation_ids: Iterable[int] | None = None,
    before: Any = UNSAID,
) -> int:
    """Store a decision on a complete item; return the id of its row.

    A later decision supersedes. `annotation_ids`, from what was shown, refuses the decision if
    submissions have changed since. `before` is the id of the decision on the screen, None for none:
    it refuses to replace any other decision. Raises UserError for anybody but an adjudicator, for
    one who has submitted the item themselves (an administrator may, and the decision says so), for
    an item that is not complete, without a reason, and for answers that the task's form does not
    take.
    """
    why = checked_reason(reason)
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        who, item = case_reader(session, person_id, item_id, ws.clock())
        made = current_decisions(session, who.project_id, item.task, item_id)
        refuse_other(before, made.get(item_id))
        return keep(session, who, item, answers, why, ws.clock(), annotation_ids)


def refuse_other(
    before: Any,
    made: Settled | None,
    *,
    now: Any = None,
    description: str = "",
    on_screen: Any = None,
) -> None:
    """Raise UserError if the current decision `made` is not `before`, the one on the screen.

    `now` is what `before` is compared with, by default the decision's id; `description` describes
    it; `on_screen` is what the screen then holds of it, by default `now`. A decision withdrawn
    since is not replaced.
    """
    now = now if now is not None or made is None else made.number
    if made is not None and before is not UNSAID and before != now:
        said = description or ", ".join(made.labels) or made.reason
        raise DecidedMeanwhileError(
            made.person, made.at, said, now if on_screen is None else on_screen
        )


def keep(
    session: Session,
    who: ProjectMember,
    item: Item,
    answers: Mapping[str, Any],
    why: str,
    at: datetime,
    annotation_ids: Iterable[int] | None = None,
) -> int:
    """Store a decision as `settle` does, in an open transaction that has loaded the item."""
    item_id, form = item.id or 0, form_of(session, item.project_id, item.task)
    kept = form.decided(session, item, answers)
    form.refuse_for(session, item, kept)
    here = complete(session, who.project_id, item.task, item_id).get(item_id, [])
    if not here:
        _refuse_under_revision(session, who, item_id)
        raise UserError("not_complete")
    own = any(each.person_id == who.person_id for each in here)
    if own and who.role != Role.ADMINISTRATOR:  # nobody else can decide instead of one
        raise UserError("own_submission")
    ids = sorted(each.annotation_id for each in here)
    if annotation_ids is not None and ids != sorted(annotation_ids):
        raise UserError("case_changed")
    row = Settlement(
        item_id=item_id,
        person_id=who.person_id,
        answers=kept,
        reason=why,
        annotation_ids=ids,
        supersedes_id=newest(session, Settlement, item_id),
        at=at,
    )
    return add_row(session, row)


def _refuse_under_revision(session: Session, who: ProjectMember, item_id: int) -> None:
    """Raise UserError if the item is in an open discussion, naming who has yet to answer."""
    talk = open_discussions(session, who.project_id, item_id).get(item_id)
    if talk is not None:
        raise UserError(
            "case_revised", people=", ".join(talk.people[each] for each in talk.waiting)
        )
