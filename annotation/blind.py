"""What of others' work is read for somebody who annotates: none of an item before their own.

`docs/decisions/0009-what-annotators-see.md` says why. Everybody else who may ask at all reads
whatever the read model has; the operator of the machine, who can read the database, too.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from annotation.roles import Act, may
from annotation.standing import Standing
from annotation.submissions import stands
from storage.tables import Annotation, Item


def is_blind(who: Standing | None) -> bool:
    """Return whether others' labels are kept from this person; never from the operator, None."""
    return who is not None and not may(who.role, Act.READ_OTHERS_LABELS)


def answered(session: Session, who: Standing | None) -> frozenset[int] | None:
    """Return the items on which a submission of the person stands; None for who is not blind."""
    if who is None or not is_blind(who):
        return None
    query = (
        select(Annotation.item_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Annotation.person_id == who.person_id, Item.project_id == who.project_id, stands())
    )
    return frozenset(session.exec(query))
