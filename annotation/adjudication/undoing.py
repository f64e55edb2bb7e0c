"""Withdrawing a decision: the one before it on the item, if any, becomes current again.

Nothing is removed: a row says which decision is withdrawn, by whom, when and why.
"""

from __future__ import annotations

from typing import Any

from sqlmodel import Session, select

from annotation.adjudication.tasks import refuse_other
from annotation.people.roles import adjudicator, require_item
from annotation.work.item_session import UNSAID
from annotation.work.submissions import checked_text
from annotation.work.visibility import name_of
from errors import UserError
from storage.db.workspace import Workspace
from storage.overlap import standing
from storage.tables.core import Adjudication, Item, Person, Settlement, UndoneDecision
from storage.tasks import Task


def undo(
    ws: Workspace, adjudicator_id: int, item_id: int, reason: str = "", before: Any = UNSAID
) -> int:
    """Withdraw the person's own current decision on an item; return the id of the row.

    `before` is the id of the decision on the screen: it refuses to withdraw any other. Raises
    UserError for anybody but an adjudicator, for an unknown item, without a current decision, and
    for the decision of somebody else.
    """
    why = checked_text(reason, "reason")
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        made = _current_decision(session, item)
        if made is None:
            raise UserError("decision_none", item=name_of(session, item_id))
        name = session.get_one(Person, made.person_id).name
        refuse_other(before, made.id, name, made.at, made.reason)
        if made.person_id != who.person_id:
            raise UserError("decision_of_other", item=name_of(session, item_id), name=name)
        row = UndoneDecision(
            item_id=item_id, person_id=who.person_id, reason=why.strip(), at=ws.clock()
        )
        setattr(row, f"{made.__tablename__}_id", made.id)
        session.add(row)
        session.flush()
        return row.id or 0


def _current_decision(session: Session, item: Item) -> Adjudication | Settlement | None:
    table: Any = Adjudication if item.task == Task.CITATION_MAPPING else Settlement
    query = select(table).where(table.item_id == item.id, standing(table))
    found: Adjudication | Settlement | None = session.exec(query).first()
    return found
