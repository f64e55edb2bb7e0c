"""What annotators may see of others' work: nothing on items that they could still answer.

`docs/decisions/0009-what-annotators-see.md` says why. Everybody else who may ask at all reads
whatever the read model has; the operator of the machine, who can read the database, too.

Locks: a submission cannot be taken back once all that the item takes were in. What is told of an
item whose answers are all in depends on what others said. Whoever could still change theirs would
find others' answers out by trying. So a submission is locked from the moment at which it stood
among all that its item takes, and stays so whatever comes later: another overlap, or somebody
else's answer being withdrawn. It is opened again by sending it back to its person
(`annotation.adjudication.sending_back`, `annotation.adjudication.giving_back`) and by an amendment
of the law that it decided on (`annotation.mapping.commands.recheck`), and by nothing else. An item
that a single person answers is never locked: there is nothing of others' to find out; nor are
calibration and practice, of which nothing is told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import accumulate

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from annotation.people.roles import Act, ProjectMember, may
from annotation.work.carry_over import outrun_submissions
from annotation.work.discussions import Discussion, open_discussions
from annotation.work.submissions import stands
from errors import UserError
from storage.overlap import decided, for_gold
from storage.tables.core import Annotation, Item, Project, QuestionRow
from storage.tables.people import Batch, BatchEvent, BatchItem
from storage.tasks import NAME, ONCE

_SEVERAL = 2  # answers from which there is somebody else's to find out
_Asked = Sequence[tuple[datetime | None, int]]  # (since when, how many); None is from the beginning


def is_locked(session: Session, person_id: int, item_id: int) -> bool:
    """Return whether the person's submission that stands can no longer be taken back by them."""
    item = session.get_one(Item, item_id)
    talk = open_discussions(session, item.project_id, item_id).get(item_id)
    if talk is not None and person_id in talk.people:
        return False
    return _were_all_in(session, person_id, item)


def is_settled(session: Session, item_id: int) -> bool:
    """Return whether an adjudicator has decided on the item."""
    query = select(Item.id).where(Item.id == item_id, decided())
    return session.exec(query).first() is not None


def refuse_locked(session: Session, person_id: int, item_id: int) -> None:
    """Raise UserError where the person's submission can no longer be taken back by them."""
    if is_locked(session, person_id, item_id):
        raise UserError("answers_all_in", item=name_of(session, item_id))


def name_of(session: Session, item_id: int) -> str:
    """Return what lists call the item."""
    query = select(NAME).select_from(Item)
    query = query.outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
    return str(session.exec(query.where(Item.id == item_id)).one())


def _were_all_in(session: Session, person_id: int, item: Item) -> bool:
    """Return whether what the person said stood among all that the item took at that time.

    Answered from the log: how many are in and how many are wanted now may both have changed.
    """
    query = select(Annotation.person_id, Annotation.kind, Annotation.at, for_gold())
    rows = session.exec(
        query.where(Annotation.item_id == item.id).order_by(col(Annotation.id))
    ).all()
    times = list(accumulate((at for _, _, at, _ in rows), max))  # a migration keeps an older time
    asked, standing, locked = _asked(session, item), set[int](), False
    for place, (person, kind, _, counts) in enumerate(rows):
        if kind == "submit" and counts:
            standing.add(person)
        else:
            standing.discard(person)
        until = times[place + 1] if place + 1 < len(times) else None
        if person_id not in standing:
            locked = False
        elif len(standing) >= max(_SEVERAL, _least(asked, times[place], until)):
            locked = True
    return locked


def _asked(session: Session, item: Item) -> _Asked:
    """Return how many submissions the item wanted, and since when each time, oldest first."""
    if item.task in ONCE:
        return [(None, 1)]
    found: list[tuple[datetime | None, int]] = [
        (None, session.get_one(Project, item.project_id).overlap)
    ]
    batch = session.exec(
        select(Batch)
        .join(BatchItem, col(BatchItem.batch_id) == Batch.id)
        .where(BatchItem.item_id == item.id, ~col(BatchItem.calibration), ~col(Batch.practice))
    ).first()
    if batch is None:
        return found
    events = select(BatchEvent).where(BatchEvent.batch_id == batch.id, BatchEvent.kind == "overlap")
    changes = session.exec(events.order_by(col(BatchEvent.id))).all()
    first = changes[0].payload["from"] if changes else batch.overlap
    found.append((batch.created_at, first))
    return [*found, *((change.at, change.payload["to"]) for change in changes)]


def _least(asked: _Asked, start: datetime, until: datetime | None) -> int:
    """Return the fewest submissions that were wanted at any time between the two."""
    ends = [since for since, _ in asked[1:]]
    return min(
        wanted
        for (since, wanted), end in zip(asked, [*ends, None], strict=True)
        if (since is None or until is None or since <= until) and (end is None or end >= start)
    )


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
    stands is locked (`is_locked`).
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
