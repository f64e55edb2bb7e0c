"""What waits for a person: their open items of each task, what to settle, and where they go on.

Items are those of the person's own queues (`annotation.work.queues`), which read of others how many
submissions an item has and nothing that they say; disputes are read for adjudicators alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlmodel import Session, col, func, select

from annotation.adjudication.giving_back import requests
from annotation.adjudication.tasks import TASKS, Dispute, disputes_of
from annotation.people.roles import Act, ProjectMember, may, require
from annotation.work.draft import latest_event
from annotation.work.open_item import line_up
from annotation.work.queues import QueueRow, worked_on_now
from annotation.work.slots import act_of
from annotation.work.submissions import LISTED, beginning
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.core import (
    Adjudication,
    DraftEvent,
    Item,
    QuestionRow,
    Settlement,
    SnapshotUse,
    UndoneDecision,
)
from storage.tables.law import LawCheck
from storage.tables.people import Batch, BatchEvent, Comment, Referral
from storage.tasks import NAME, TITLE, Task, begun

# What changes what waits for somebody, beside their own acts and what others submit.
_MADE_OF = (
    *(Adjudication, Settlement, UndoneDecision, Referral, Comment, BatchEvent, Item, Batch),
    *(SnapshotUse, LawCheck),  # what is to be checked again since the law was amended
)
Why = Literal["discuss", "left", "draft", "decide", "next", "skipped"]
_FAR = datetime.max.replace(tzinfo=UTC)
_Queues = Mapping[Task, Sequence[QueueRow]]


@dataclass(frozen=True, slots=True)
class OwnTask:
    """A task in which the person has items, as their queue of it has them.

    `open` items wait for them: not submitted, or sent back to discuss (`discuss` of them); `drafts`
    and `skipped` are among them. `batch` is the one of theirs with open items that is due first,
    `deadline` until when; empty and None where none has a deadline.
    """

    task: Task
    open: int
    drafts: int
    skipped: int
    discuss: int
    submitted: int
    batch: str = ""
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class ToSettle:
    """The disputes of a task: how many are open, how many wait for people, and the first open."""

    task: Task
    open: int
    sent_back: int
    first: int | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """The item that a person goes on with, and why it is that one.

    Of `why`, ``discuss`` is one sent back to them, ``left`` the one they left open, ``draft`` the
    one they touched last, ``decide`` one to settle, ``next`` the next one to do, and ``skipped``
    one of those that alone are left. `at` is when they were there last, None if never.
    """

    task: Task
    item_id: int
    name: str
    title: str
    why: Why
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """All that waits for one person; `requests` are submissions that people ask to have back."""

    tasks: tuple[OwnTask, ...]
    disputes: tuple[ToSettle, ...]
    requests: int
    place: Place | None

    @property
    def open_of(self) -> dict[str, int]:
        """How much is open on each screen of theirs that has something, by the screen's name."""
        found = {str(each.task): each.open for each in self.tasks}
        if self.disputes or self.requests:
            found["adjudication"] = sum(each.open for each in self.disputes) + self.requests
        return found


def revision(ws: Workspace, person_id: int) -> str:
    """Return a text that changes whenever the person, or a decision, changes what waits for them.

    What others submit changes it not: that is looked at anew from time to time. Raises UserError
    for an unknown or inactive person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        events = select(func.max(col(DraftEvent.id))).where(DraftEvent.person_id == who.person_id)
        own = session.exec(events).one()
        return f"{who.role}-{own}-{newest_ids(session, _MADE_OF)}"


def waiting_for(ws: Workspace, person_id: int) -> Waiting:
    """Return what waits for a person. Raises UserError for an unknown or inactive one."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # theirs alone, whatever their role
        present = _present(session, who.project_id)
        now = ws.clock()
        queues = {
            task: line_up(session, who, now, task=task)
            for task in Task
            if task in present and may(who.role, act_of(task))
        }
        tasks = tuple(_own_task(session, task, queue) for task, queue in queues.items() if queue)
        place = _resumed(session, who, queues) or _next(session, queues, tasks)
    disputes = _disputes(ws, who, present)
    if place is None or place.why in ("next", "skipped"):
        place = _to_decide(disputes) or place
    asked = len(requests(ws, person_id)) if may(who.role, Act.GIVE_BACK) else 0
    return Waiting(tasks, disputes, asked, place)


def idle_tasks(ws: Workspace, project_slug: str) -> frozenset[Task]:
    """Return the tasks of which the project has no item. Raises UserError for an unknown one."""
    with ws.reading() as session:
        return frozenset(set(Task) - _present(session, find_project(session, project_slug).id))


def _present(session: Session, project_id: int) -> set[Task]:
    found = session.exec(select(Item.task).where(Item.project_id == project_id).distinct())
    return {Task(task) for task in found}


def _own_task(session: Session, task: Task, queue: Sequence[QueueRow]) -> OwnTask:
    waits = [line for line in queue if line.waits]
    due = _due(session, {line.batch_id for line in waits if line.batch_id is not None})
    return OwnTask(
        task=task,
        open=len(waits),
        drafts=sum(line.status == "draft" for line in waits),
        skipped=sum(line.status == "skipped" for line in waits),
        discuss=sum(line.discuss for line in waits),
        submitted=sum(line.status == "submitted" for line in queue),
        batch="" if due is None else due.name,
        deadline=None if due is None else due.deadline,
    )


def _due(session: Session, batches: Collection[int]) -> Batch | None:
    """Return the batch among these that is due first; None where none has a deadline."""
    if not batches:
        return None
    query = select(Batch).where(col(Batch.id).in_(sorted(batches)))
    query = query.where(col(Batch.deadline).is_not(None))
    return session.exec(query.order_by(col(Batch.deadline), col(Batch.id))).first()


def _resumed(session: Session, who: ProjectMember, queues: _Queues) -> Place | None:
    """Return what was begun and waits: to discuss, else left open, else the last draft."""
    now = {task: worked_on_now(list(queue)) for task, queue in queues.items()}
    for task, queue in now.items():
        for line in queue:
            if line.discuss:
                return _place(session, task, line, "discuss")
    left = latest_event(session, who.person_id)
    for task, queue in now.items():
        for line in queue:
            if left and line.item_id == left[0] and line.status in ("draft", "todo"):
                return _place(session, task, line, "left", left[1])
    drafts = [
        (line.last_act, task, line)
        for task, queue in now.items()
        for line in queue
        if line.status == "draft"
    ]
    if not drafts:
        return None
    act, task, line = max(drafts, key=lambda each: each[0])
    at = session.exec(select(DraftEvent.at).where(DraftEvent.id == act)).first()
    return _place(session, task, line, "draft", at)


def _next(session: Session, queues: _Queues, tasks: Sequence[OwnTask]) -> Place | None:
    """Return the first item to do: of practice, else of what is due first; else a skipped one."""
    due = {each.task: each.deadline or _FAR for each in tasks}
    for why, status in (("next", "todo"), ("skipped", "skipped")):
        found = []
        for at, (task, queue) in enumerate(queues.items()):
            line = next((e for e in worked_on_now(list(queue)) if e.status == status), None)
            if line is not None:
                found.append(((not line.practice, due[task], at), task, line))
        if found:
            _, task, line = min(found, key=lambda each: each[0])
            return _place(session, task, line, "next" if why == "next" else "skipped")
    return None


def _place(
    session: Session, task: Task, line: QueueRow, why: Why, at: datetime | None = None
) -> Place:
    query = (
        select(NAME, begun(TITLE, LISTED + 1))
        .select_from(Item)
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .where(Item.id == line.item_id)
    )
    name, title = session.exec(query).one()
    return Place(task, line.item_id, name or "", beginning(title or ""), why, at)


def _disputes(ws: Workspace, who: ProjectMember, present: Collection[Task]) -> tuple[ToSettle, ...]:
    if not may(who.role, Act.ADJUDICATE):
        return ()
    queues = {task: disputes_of(task).queue(ws, who.person_id) for task in TASKS if task in present}
    return tuple(_to_settle(task, queue) for task, queue in queues.items() if queue)


def _to_settle(task: Task, queue: Sequence[Dispute]) -> ToSettle:
    waits = [each for each in queue if each.state == "open"]
    first = waits[0] if waits else None
    return ToSettle(
        task=task,
        open=len(waits),
        sent_back=sum(each.state == "sent_back" for each in queue),
        first=None if first is None else first.item_id,
        name="" if first is None else first.external_id,
    )


def _to_decide(disputes: Sequence[ToSettle]) -> Place | None:
    for each in disputes:
        if each.first is not None:
            return Place(each.task, each.first, each.name, "", "decide")
    return None
