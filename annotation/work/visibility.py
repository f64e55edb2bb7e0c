"""What annotators may see of others' work: nothing on items that they could still answer.

`docs/decisions/0009-what-annotators-see.md` and `0018-final-once-all-are-in.md` say why. Everybody
else who may ask at all reads whatever the read model has; the operator of the machine, who can read
the database, too.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from annotation.people.roles import Act, ProjectMember, may
from annotation.work.carry_over import outrun_submissions
from annotation.work.discussions import Discussion, open_discussions
from annotation.work.submissions import stands
from storage.overlap import decided, for_gold
from storage.tables.core import Annotation, Item


def is_blind(who: ProjectMember | None) -> bool:
    """Return whether others' labels are kept from this person; never from the operator, None."""
    return who is not None and not may(who.role, Act.READ_OTHERS_LABELS)


def answered(
    session: Session, who: ProjectMember | None, again: frozenset[int] | None = None
) -> frozenset[int] | None:
    """Return the items whose outcome may be told to the person; None for who is not blind.

    They are those on which a submission of theirs stands that makes gold, without those on which
    they can change it although all that the item takes are in (`again`, as `reopened` returns them,
    where the caller has them). A caller tells of items that are complete alone: on these what
    stands is locked (`annotation.work.locks`).
    """
    if who is None or not is_blind(who):
        return None
    mine = frozenset(session.exec(_mine(who).where(for_gold())))
    return mine - (reopened(session, who) if again is None else again)


def submitted_by(session: Session, who: ProjectMember) -> frozenset[int]:
    """Return the items on which a submission of the person stands, whatever comes of it."""
    return frozenset(session.exec(_mine(who)))


def reopened(
    session: Session,
    who: ProjectMember,
    item_id: int | None = None,
    talks: Collection[int] | None = None,
) -> frozenset[int]:
    """Return the items that the person has answered and can answer anew; or that one alone.

    They were sent back to them (`talks`, where that is known), or the law that they decided on was
    amended.
    """
    ours = frozenset(sent_back_to(session, who, item_id) if talks is None else talks)
    amended = outrun_submissions(session, who.project_id, who.person_id, item_id)
    final = select(Item.id).where(col(Item.id).in_(sorted(amended)), decided())
    return ours | (amended - {each or 0 for each in session.exec(final)} if amended else amended)


def sent_back_to(
    session: Session, who: ProjectMember, item_id: int | None = None
) -> dict[int, Discussion]:
    """Return the items that were sent back to the person, not all of whose people have answered."""
    talks = open_discussions(session, who.project_id, item_id)
    return {item: talk for item, talk in talks.items() if who.person_id in talk.people}


def _mine(who: ProjectMember) -> SelectOfScalar[int]:
    return (
        select(Annotation.item_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Annotation.person_id == who.person_id, Item.project_id == who.project_id, stands())
    )
