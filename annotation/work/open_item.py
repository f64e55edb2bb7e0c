"""Opening an item: admission, the `open` event, and the state common to all tasks.

Every query is filtered by the person: of others it reads the number of submissions and leases,
never their labels.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TypedDict

from sqlmodel import Session

from annotation.adjudication.giving_back import declined_last, has_asked
from annotation.guidelines.documents import held_versions
from annotation.people.roles import ProjectMember
from annotation.work.belonging import QueueRow, lines, queue_membership
from annotation.work.discussions import Discussion
from annotation.work.draft import IDLE_CAP, Draft, add_event, fold, latest_event, own_events
from annotation.work.rules import Opened, rules_of
from annotation.work.slots import SlotState, acquire_slot, admit, hidden_items, refuse
from annotation.work.submissions import chain_head, confidence_of
from annotation.work.visibility import is_locked, is_settled, sent_back_to
from errors import UserError
from storage.db.workspace import Workspace
from storage.mapping import newest_set_id
from storage.tables.core import Item, Person
from storage.tasks import Task


def line_up(
    session: Session,
    who: ProjectMember,
    now: datetime,
    extra_item: int = 0,
    task: str = Task.CITATION_MAPPING,
) -> list[QueueRow]:
    """Return the person's queue of a task, as :func:`annotation.work.belonging.lines` does.

    Items that the task hides from them are left out.
    """
    return lines(session, who, now, extra_item, task, hidden_items(session, who, task))


@contextmanager
def opened(
    ws: Workspace, person_id: int, item_id: int, tasks: Container[str] | None
) -> Iterator[Opened]:
    """Yield the item for reading; log the opening and lease a slot if that is due.

    `tasks` are those allowed; None is every task. Raises UserError as
    :func:`annotation.work.queue_service.open_item` does.
    """
    with ws.reading() as session:
        now = ws.clock()
        who, found = admit(session, person_id, item_id, now, tasks)
        draft = fold(own_events(session, person_id, item_id))
        refuse(found, begun=not draft.untouched, looking=True)
        leased = not found.leased or found.mine or found.until is not None
        if leased and not _needs_open_event(session, who, item_id, draft, now):
            yield Opened(session, who, found, draft, now, draft.candidate_set_id or 0)
            return
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        now = ws.clock()
        # Again: only one of two can have the last slot.
        who, found = admit(session, person_id, item_id, now, tasks)
        refuse(found, begun=not draft.untouched, looking=True)
        note_opening(session, who.person_id, item_id, now)
        if draft.untouched and draft.candidate_set_id is None:
            rules_of(session, who.project_id, found.task).begun(session, who, item_id, now)
        if not found.mine:
            acquire_slot(session, who, found, now)
    with ws.reading() as session:
        draft = fold(own_events(session, person_id, item_id))
        yield Opened(session, who, found, draft, now, draft.candidate_set_id or 0)


def note_opening(session: Session, person_id: int, item_id: int, at: datetime) -> int:
    """Log an opening with the newest candidate set; return the set's id. UserError without one."""
    newest = newest_set_id(session, item_id)
    if newest is None:
        raise UserError("candidates_missing")
    item = session.get_one(Item, item_id)
    versions = held_versions(session, item.project_id, item.task)
    add_event(session, person_id, item_id, "open", at, {"candidate_set_id": newest} | versions)
    return newest


def _needs_open_event(
    session: Session, who: ProjectMember, item_id: int, draft: Draft, now: datetime
) -> bool:
    """Return True if an opening is due: first, after another item or a pause, newer material."""
    latest = latest_event(session, who.person_id)
    if draft.candidate_set_id is None or latest is None or latest[0] != item_id:
        return True
    if draft.untouched and newest_set_id(session, item_id) != draft.candidate_set_id:
        return True
    return now - latest[1] >= IDLE_CAP


class OwnState(TypedDict):
    """A person's options to undo or withdraw on an item, and the state of their requests.

    `can_undo` is about acts on the draft, `can_take_back` about the submission. `locked`: only
    somebody else can give it back (`annotation.work.visibility`); `asked`: a withdrawal request is
    pending; `declined`: when the last request was made, who declined it, and why. `sent_back`, of
    an item sent back to them alone: by whom, why, and whether the old submission is still current.
    `discussed`: it was sent back to them and others, who now see each other's answers
    (`annotation.adjudication.discussion_views`).
    """

    can_undo: bool
    can_take_back: bool
    locked: bool
    asked: bool
    declined: tuple[datetime, str, str] | None
    sent_back: tuple[str, str, bool] | None
    discussed: bool


def own_state(session: Session, who: ProjectMember, slot: SlotState, draft: Draft) -> OwnState:
    """Return the person's options to undo or withdraw on the item."""
    workable, submitted = slot.given and not slot.closed, draft.status == "submitted"
    settled = submitted and is_settled(session, slot.item_id)
    talk = sent_back_to(session, who, slot.item_id).get(slot.item_id)
    locked = submitted and not settled and is_locked(session, who.person_id, slot.item_id)
    return {
        "can_undo": workable and not submitted and bool(draft.acts),
        "can_take_back": workable and submitted and not (settled or locked),
        "locked": locked,
        "asked": locked and has_asked(session, who.project_id, who.person_id, slot.item_id),
        "declined": declined_last(session, who.person_id, slot.item_id) if locked else None,
        "sent_back": _sent_back(session, who, talk),
        "discussed": talk is not None and not talk.alone,
    }


def _sent_back(
    session: Session, who: ProjectMember, talk: Discussion | None
) -> tuple[str, str, bool] | None:
    """Return who sent the submission back, why, and whether it is still unchanged; None if not."""
    if talk is None or not talk.alone:
        return None
    stands = chain_head(session, who.person_id, talk.row.item_id) in talk.row.annotation_ids
    return session.get_one(Person, talk.row.person_id).name, talk.row.reason, stands


def place_in(at: Opened) -> tuple[int, int, int, int]:
    """Return (position in the batch, size of the batch, number done, number open).

    The batch counts as far as it is in the person's queue; items in no batch are counted together.
    The number open is that of the whole queue: items sent back to discuss are both done and open.
    """
    hidden = hidden_items(at.session, at.who, at.room.task)
    found = queue_membership(at.session, at.who, at.at, at.room.item_id, at.room.task, hidden)
    together = found.with_batch_of(at.room.item_id)
    done = len(found.mine & set(together))
    return together.index(at.room.item_id) + 1, len(together), done, found.waiting


def submitted_confidence(
    session: Session, who: ProjectMember, item_id: int, draft: Draft
) -> int | None:
    """Return the confidence of the person's current submission, None if there is none."""
    if draft.status != "submitted":
        return None
    made = chain_head(session, who.person_id, item_id) or 0
    return confidence_of(session, [made]).get(made)


def migration_reason(draft: Draft) -> tuple[str, int, str] | None:
    """Return (document, number, reason) of a migration that asks for a new answer, or None."""
    if draft.again is None:
        return None
    said = draft.again
    return said["document"], int(said["to"].partition("-")[0]), said["reason"]


def begun_under(draft: Draft, versions: Mapping[str, str]) -> tuple[str, str]:
    """Return the outdated guideline and codebook version under which a draft was begun.

    Each is empty if it is still current.
    """
    if draft.status not in ("draft", "skipped"):
        return "", ""
    begun = {column: draft.versions.get(column, "") for column in versions}
    guideline, codebook = (was if was != versions[column] else "" for column, was in begun.items())
    return guideline, codebook
