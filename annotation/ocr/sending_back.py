"""Sending a page back to its corrector with a reason, instead of approving its text.

It is a `Referral` that names the correction, as when a submission is given back
(`annotation.adjudication.giving_back`): the corrector is told by whom and why, and keeps the
correction or withdraws it and submits again. Until then nobody verifies the page; after that it
waits to be verified again. Nothing is overwritten.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from annotation.adjudication.giving_back import add_referral, refuse_unanswerable, stated
from annotation.work.item_session import drafting, refuse_revision
from annotation.work.slots import release_slot
from annotation.work.submissions import stands
from errors import UserError
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id
from storage.overlap import for_gold
from storage.subjects import item_of
from storage.tables.core import Annotation, Item
from storage.tasks import Task

_VERIFICATION = frozenset({Task.OCR_VERIFICATION})


def send_back(
    ws: Workspace, person_id: int, item_id: int, reason: str, revision: str | None = None
) -> int:
    """Send the page of an open verification back to its corrector; return the row's id.

    The verifier's draft is kept. `revision` is as in `annotation.work.commands.submit`. Raises
    UserError for all that an act on a draft is refused for, a missing reason, a page that was
    corrected again since the verification was begun, and a corrector who could not submit again.
    """
    why = stated(reason, "ocr_send_back_reason")
    with drafting(ws, person_id, item_id, _VERIFICATION) as writer:
        session = writer.session
        refuse_revision(writer, revision)
        if newest_set_id(session, item_id) != writer.set_id:
            raise UserError("shown_anew")
        made = _current_correction(session, session.get_one(Item, item_id).subject_id or 0)
        refuse_unanswerable(session, made.item_id, [made.person_id])
        release_slot(session, writer.who, writer.room)
        number = made.id or 0
        return add_referral(session, writer.who, made.item_id, why, [number], writer.at)


def _current_correction(session: Session, page_id: int) -> Annotation:
    """Return the page's current correction; without one its verification is hidden."""
    item = item_of(session, Task.OCR_CORRECTION, page_id)
    query = select(Annotation).where(Annotation.item_id == item, stands(), for_gold())
    return session.exec(query.order_by(col(Annotation.id))).one()
