"""People's checks of items that rest on amended law; each adds a row and overwrites none.

`confirm`: the item holds for the current wording; `send_back`: it has to be redone by those who
decided; `set_aside`: it is left as it is, with a reason; `reopen` revokes the last check. Citation
mapping has none of these: its decisions are on the provisions themselves, and are made again by
their authors (`annotation.mapping.commands.recheck`).
"""

from __future__ import annotations

from typing import Any, Literal

from sqlmodel import Session

from annotation.adjudication.giving_back import add_referral, refuse_unanswerable
from annotation.gold.amended_items import newest_check, standing_on, watched
from annotation.gold.rechecks import Recheck
from annotation.gold.resting import WATCHED, Scope
from annotation.people.roles import Act, ProjectMember, writing_as
from annotation.work.commands import UNSAID
from annotation.work.submissions import checked_text, says_something
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.tables.core import Annotation, Item
from storage.tables.law import LawCheck
from storage.tasks import Task

Kind = Literal["confirm", "send_back", "set_aside", "reopen"]
KINDS: tuple[Kind, ...] = ("confirm", "send_back", "set_aside", "reopen")
_NEEDS_REASON = ("send_back", "set_aside")  # kinds that require a reason


def add_check(
    ws: Workspace,
    project_slug: str,
    kind: Kind,
    item_id: int,
    unit_id: int,
    reason: str = "",
    *,
    before: Any = UNSAID,
    by: int | None = None,
) -> int:
    """Add a check of an item on a unit (database id) that it rests on; return the row's id.

    It applies to the wording in use. `before` is the id of the previous check on the screen, None
    for none: the act never replaces another one. Raises UserError without permission, for an item
    or unit that is not in the queue (any more), a missing reason, a repeated check, and for sending
    back an item that is not complete, is in discussion, or that nobody can answer.
    """
    with writing_as(ws, project_slug, by, Act.RECHECK_LAW) as (session, project, who):
        why = checked_text(reason, "reason")
        if kind in _NEEDS_REASON and not says_something(why):
            raise UserError("law_check_reason", Where(field="reason"))
        item = _watched_item(session, project.id, item_id)
        law, scope = id_in_use(session, project.id) or 0, Scope(session, project, who)
        entries = watched(ws, scope, law, Task(item.task), item_id=item.id).entries
        entry = next((each for each in entries if each.unit_id == unit_id), None)
        if entry is None:
            raise UserError("law_check_gone", item=item.external_id or item.id)
        _refuse_other(entry, kind, before)
        row = LawCheck(
            item_id=item_id,
            unit_id=unit_id,
            snapshot_id=law,
            now_unit_ids=list(entry.now_ids),
            wording=entry.wording,
            kind=kind,
            reason=why,
            supersedes_id=newest_check(session, item_id, unit_id),
            person_id=by,
            at=ws.clock(),
        )
        if kind == "send_back":
            _send_back(session, who, item, row)
        return add_row(session, row)


def _watched_item(session: Session, project_id: int, item_id: int) -> Item:
    """Return an item whose task rests on law. Raises UserError for an unknown or other item."""
    item = session.get(Item, usable_id(item_id))
    if item is None or item.project_id != project_id:
        raise UserError("item_unknown", item=item_id)
    if item.task not in WATCHED:
        raise UserError("law_check_of_mapping", item=item_id)
    return item


def _refuse_other(entry: Recheck, kind: Kind, before: Any) -> None:
    """Raise UserError if another check was made since, or the same one already."""
    check = entry.check
    if check is None:
        if before not in (UNSAID, None):
            raise UserError("law_check_reopened", item=entry.external_id)
        if kind == "reopen":
            raise UserError("law_check_nothing", item=entry.external_id)
        return
    about: dict[str, Any] = {
        "person": check.person or "–",
        "time": f"{check.at:%Y-%m-%d %H:%M} UTC",
    }
    if before not in (UNSAID, check.id):
        raise UserError("law_check_meanwhile", item=entry.external_id, **about)
    if check.kind == kind and entry.state not in ("waiting", "redone"):
        raise UserError("law_check_already", item=entry.external_id, **about)


def _send_back(session: Session, who: ProjectMember | None, item: Item, row: LawCheck) -> None:
    """Send the item back to its adjudicator if one decided, else to its annotators.

    Whom it was sent to is set on the `row`. Raises UserError where nobody can decide again.
    """
    if who is None:
        raise UserError("law_check_needs_person")
    item_id = item.id or 0
    now = standing_on(session, item.project_id, Task(item.task))
    made = now.settlements.get(item_id)
    if made is not None:
        row.settlement_id = made[0]
        return
    if item_id in now.discussed:
        raise UserError("in_discussion")
    if item_id not in now.full:
        raise UserError("law_check_unfinished", item=item.external_id or item_id)
    row.annotation_ids = sorted(now.submissions.get(item_id, ()))
    people = [session.get_one(Annotation, each).person_id for each in row.annotation_ids]
    refuse_unanswerable(session, item_id, people)
    add_referral(session, who, item_id, row.reason, row.annotation_ids, row.at)
