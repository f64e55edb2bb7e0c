"""What annotators may see of others' work: nothing on items that they could still answer.

`docs/decisions/0009-what-annotators-see.md` gives the reasons. Everybody else with permission reads
all that the read model has; so does the operator, who can read the database.

Locks: a submission cannot be withdrawn once its item was complete. The outcome shown for a complete
item depends on others' answers, so whoever could still change theirs could infer the others' by
trying. A submission is therefore locked from the moment at which it was one of a complete set, and
stays so: also after a change of the overlap or another's withdrawal. It is unlocked only by sending
it back to its author (`annotation.adjudication.tasks`,
`annotation.adjudication.giving_back`) or by an amendment of the law that it decided on
(`annotation.mapping.commands.recheck`). An item with a single annotator is never locked, as there
is nothing of others' to infer; nor are calibration and practice, whose outcome is not shown.
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
from annotation.work.submissions import is_current
from errors import UserError
from storage.overlap import decided, for_gold
from storage.tables.core import Annotation, Item, Project, QuestionRow
from storage.tables.people import Batch, BatchEvent, BatchItem
from storage.tasks import NAME, ONCE

_MIN_LOCKING_ANSWERS = 2  # answers from which another's can be inferred
_OverlapHistory = Sequence[
    tuple[datetime | None, int]
]  # (since when, how many); None is from the start


def is_locked(session: Session, person_id: int, item_id: int) -> bool:
    """Return True if the person's submission was in a complete set and is not sent back to them."""
    item = session.get_one(Item, item_id)
    talk = open_discussions(session, item.project_id, item_id).get(item_id)
    if talk is not None and person_id in talk.people:
        return False
    return _was_complete(session, person_id, item)


def is_settled(session: Session, item_id: int) -> bool:
    """Return True if an adjudicator has decided on the item."""
    query = select(Item.id).where(Item.id == item_id, decided())
    return session.exec(query).first() is not None


def refuse_locked(session: Session, person_id: int, item_id: int) -> None:
    """Raise UserError if the person's submission is locked, as `is_locked` says."""
    if is_locked(session, person_id, item_id):
        raise UserError("answers_all_in", item=name_of(session, item_id))


def name_of(session: Session, item_id: int) -> str:
    """Return the item's external id; in citation mapping, that of its question."""
    query = select(NAME).select_from(Item)
    query = query.outerjoin(QuestionRow)
    return str(session.exec(query.where(Item.id == item_id)).one())


def _was_complete(session: Session, person_id: int, item: Item) -> bool:
    """Return True if the person's submission was part of a complete set.

    Computed from the log, since the submissions and the overlap may both have changed.
    """
    query = select(Annotation.person_id, Annotation.kind, Annotation.at, for_gold())
    rows = session.exec(
        query.where(Annotation.item_id == item.id).order_by(col(Annotation.id))
    ).all()
    times = list(accumulate((at for _, _, at, _ in rows), max))  # migrated rows keep older times
    asked, standing, locked = _overlap_history(session, item), set[int](), False
    for place, (person, kind, _, counts) in enumerate(rows):
        if kind == "submit" and counts:
            standing.add(person)
        else:
            standing.discard(person)
        until = times[place + 1] if place + 1 < len(times) else None
        if person_id not in standing:
            locked = False
        elif len(standing) >= max(
            _MIN_LOCKING_ANSWERS, _lowest_overlap(asked, times[place], until)
        ):
            locked = True
    return locked


def _overlap_history(session: Session, item: Item) -> _OverlapHistory:
    """Return the history of the item's overlap as (since, number wanted), oldest first."""
    if item.task in ONCE:
        return [(None, 1)]
    found: list[tuple[datetime | None, int]] = [
        (None, session.get_one(Project, item.project_id).overlap)
    ]
    batch = session.exec(
        select(Batch)
        .join(BatchItem)
        .where(BatchItem.item_id == item.id, ~col(BatchItem.calibration), ~col(Batch.practice))
    ).first()
    if batch is None:
        return found
    events = select(BatchEvent).where(BatchEvent.batch_id == batch.id, BatchEvent.kind == "overlap")
    changes = session.exec(events.order_by(col(BatchEvent.id))).all()
    first = changes[0].payload["from"] if changes else batch.overlap
    found.append((batch.created_at, first))
    return [*found, *((change.at, change.payload["to"]) for change in changes)]


def _lowest_overlap(history: _OverlapHistory, start: datetime, until: datetime | None) -> int:
    """Return the lowest overlap between `start` and `until`."""
    ends = [since for since, _ in history[1:]]
    return min(
        wanted
        for (since, wanted), end in zip(history, [*ends, None], strict=True)
        if (since is None or until is None or since <= until) and (end is None or end >= start)
    )


def is_blind(who: ProjectMember | None) -> bool:
    """Return True if others' labels are hidden from this person; never from the operator, None."""
    return who is not None and not may(who.role, Act.READ_OTHERS_LABELS)


def answered(
    session: Session, who: ProjectMember | None, again: frozenset[int] | None = None
) -> frozenset[int] | None:
    """Return the ids of items whose outcome may be shown to the person; None if they are not blind.

    These have a current submission of theirs that counts for gold, without those they can change
    although the item is complete (`again`, as `reopened` returns them, if the caller has them).
    Callers must only show complete items, where the submission is locked (`is_locked`).
    """
    if who is None or not is_blind(who):
        return None
    mine = frozenset(session.exec(_items_submitted_by(who).where(for_gold())))
    return mine - (reopened(session, who) if again is None else again)


def submitted_by(session: Session, who: ProjectMember) -> frozenset[int]:
    """Return the ids of the items with a current submission of the person."""
    return frozenset(session.exec(_items_submitted_by(who)))


def reopened(
    session: Session,
    who: ProjectMember,
    item_id: int | None = None,
    talks: Collection[int] | None = None,
) -> frozenset[int]:
    """Return the ids of items that the person answered and can answer again; optionally of one.

    They were sent back to them (`talks`, if known), or the law that they decided on was amended.
    """
    ours = frozenset(sent_back_to(session, who, item_id) if talks is None else talks)
    amended = outrun_submissions(session, who.project_id, who.person_id, item_id)
    final = select(Item.id).where(col(Item.id).in_(sorted(amended)), decided())
    return ours | (amended - {each or 0 for each in session.exec(final)} if amended else amended)


def sent_back_to(
    session: Session, who: ProjectMember, item_id: int | None = None
) -> dict[int, Discussion]:
    """Return the open discussions of items sent back to the person, by item."""
    talks = open_discussions(session, who.project_id, item_id)
    return {item: talk for item, talk in talks.items() if who.person_id in talk.people}


def _items_submitted_by(who: ProjectMember) -> SelectOfScalar[int]:
    """Query of the ids of the items with a current submission of the person."""
    return (
        select(Annotation.item_id)
        .join(Item)
        .where(
            Annotation.person_id == who.person_id, Item.project_id == who.project_id, is_current()
        )
    )
