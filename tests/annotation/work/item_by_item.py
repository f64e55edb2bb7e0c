"""A person's queue worked out item by item, as each is when it is opened: slow, and plain."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, select

from annotation.people.roles import annotator
from annotation.work.belonging import QueueRow, lines, random_key
from annotation.work.discussions import open_discussions
from annotation.work.draft import ACTS, Draft, Status, own_events
from annotation.work.open_item import place_in
from annotation.work.rules import Opened
from annotation.work.slots import load_slots
from storage.db.workspace import Workspace
from storage.tables.people import Batch, BatchItem


def item_by_item(
    session: Session, person_id: int, items: Collection[int], now: datetime
) -> list[QueueRow]:
    """Return all items in the order of the queue; `belongs` says which are in it."""
    placed = []
    talks = open_discussions(session, annotator(session, person_id).project_id)
    for at, item in enumerate(items):
        slot = load_slots(session, person_id, item, now)[1]
        free = slot.others + slot.held < slot.takes
        belongs = slot.mine or (slot.given and not slot.closed and free)
        discuss = belongs and item in talks and person_id in talks[item].waiting
        batch, place = _batch_of(session, person_id, item)
        status, last = _own_state(session, person_id, item, slot.mine)
        practice = batch is not None and batch.practice
        row = QueueRow(item, status, last, slot.batch_id, practice, belongs, discuss)
        placed.append((not discuss, not practice, slot.batch_id or 2**63, place, at, row))
    return [row for *_, row in sorted(placed, key=lambda each: each[:-1])]


def _batch_of(
    session: Session, person_id: int, item: int
) -> tuple[Batch | None, tuple[bytes, int]]:
    """Return the batch of an item, and what the item is sorted by in it."""
    query = select(Batch, BatchItem.position).join(BatchItem).where(BatchItem.item_id == item)
    found = session.exec(query).first()
    if found is None:
        return None, (b"", 0)
    batch, position = found
    drawn = random_key(batch.seed, person_id, item) if batch.sequence == "random" else b""
    return batch, (drawn, position)


def _own_state(session: Session, person_id: int, item: int, submitted: bool) -> tuple[Status, int]:
    """Return where the person stands, and their last act that was not undone."""
    log = own_events(session, person_id, item)
    undone = {event.undoes_id for event in log}
    acts = [event for event in log if event.kind in ACTS and event.id not in undone]
    last = acts[-1].id if acts else 0
    if submitted:
        return "submitted", last
    if not acts:
        return "todo", last
    return "skipped" if acts[-1].kind == "skip" else "draft", last


def same_queues(ws: Workspace, person_id: int, items: Collection[int]) -> None:
    """Assert that the person's queue is this one, whichever item is asked for beside it.

    And that an opened item's place in it is what is counted there.
    """
    with ws.reading() as session:
        who, now = annotator(session, person_id), ws.clock()
        everything = item_by_item(session, person_id, items, now)
        for beside in (0, *items):
            found = lines(session, who, now, beside)
            assert found == [row for row in everything if row.belongs or row.item_id == beside]
            if beside:
                at = Opened(
                    session, who, load_slots(session, person_id, beside, now)[1], Draft(), now
                )
                here = next(line.batch_id for line in found if line.item_id == beside)
                together = [line for line in found if line.batch_id == here]
                place = [line.item_id for line in together].index(beside) + 1
                done = sum(line.status == "submitted" for line in together)
                waits = sum(line.waits for line in found)
                assert place_in(at) == (place, len(together), done, waits)
