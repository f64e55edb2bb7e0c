"""An adjudicator's undecided entries on a case, kept as drafts.

A draft holds all fields of the case, including the reason; they are only stored together. Each
version is an event of the person, shown to nobody else. Its content is defined by the screen;
``seen`` is the decision with which the case was opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select

from annotation.people.members import CASE_DRAFT, note
from annotation.people.roles import adjudicator, require_item
from storage.db.workspace import Workspace
from storage.tables.people import PersonEvent


def draft_of(ws: Workspace, adjudicator_id: int, item_id: int) -> tuple[int, dict[str, Any]]:
    """Return the number and content of a person's newest draft on an item; (0, {}) if none.

    Raises UserError for anybody but an adjudicator.
    """
    query = (
        select(PersonEvent.id, PersonEvent.payload)
        .where(
            PersonEvent.person_id == adjudicator_id,
            PersonEvent.kind == CASE_DRAFT,
            col(PersonEvent.payload)["item"].as_string() == str(item_id),
        )
        .order_by(col(PersonEvent.id).desc())
    )
    with ws.reading() as session:
        adjudicator(session, adjudicator_id)
        last = session.exec(query).first()
    if last is None:
        return 0, {}
    number, payload = last
    draft = dict(payload["draft"])
    if isinstance(seen := draft.get("seen"), dict):  # a decision on several parts, each a tuple
        draft["seen"] = {part: tuple(said) for part, said in seen.items()}
    return number or 0, draft


def keep_draft(ws: Workspace, adjudicator_id: int, item_id: int, draft: Mapping[str, Any]) -> int:
    """Store a draft, an empty one to discard it; return its number.

    Raises UserError for anybody but an adjudicator, and for an unknown item.
    """
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        payload = {"item": str(item_id), "draft": dict(draft)}
        return note(session, who.person_id, CASE_DRAFT, payload, who.person_id, ws.clock())
