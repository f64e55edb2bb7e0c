"""Open work of a person, their pace, and whether they saw the introduction.

Items are those of the person's own queues (`annotation.work.belonging`), which read of others only
the number of submissions; disputes are read for adjudicators only.

First visit: whether a person has closed the introduction.

A person's pace: submissions and decisions since a time, and their durations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Literal

from sqlmodel import Session, col, func, select

from annotation.adjudication.giving_back import requests
from annotation.adjudication.tasks import adjudicated, disputes_of
from annotation.forms.disputes import Dispute
from annotation.people.members import INTRODUCED, note
from annotation.people.roles import Act, ProjectMember, adjudicates, may, require
from annotation.work.belonging import QueueRow, begun_line, worked_on_now
from annotation.work.draft import MIGRATE, latest_event
from annotation.work.open_item import line_up
from annotation.work.slots import act_of
from annotation.work.submissions import (
    LISTED,
    beginning,
    is_current,
    plausible_seconds,
    was_imported,
)
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.overlap import undone
from storage.projects import find_project
from storage.tables.core import (
    Adjudication,
    Annotation,
    DraftEvent,
    Item,
    QuestionRow,
    Settlement,
    SnapshotUse,
    UndoneDecision,
)
from storage.tables.law import LawCheck
from storage.tables.people import Batch, BatchEvent, Comment, PersonEvent, Referral
from storage.tasks import NAME, TITLE, Task, beginning_of, in_order

# Tables whose changes change the open work, besides one's own acts and others' submissions.
_SOURCES = (
    *(Adjudication, Settlement, UndoneDecision, Referral, Comment, BatchEvent, Item, Batch),
    *(SnapshotUse, LawCheck),  # rechecks after an amendment
)
Why = Literal["discuss", "left", "draft", "decide", "next", "skipped"]
_NO_DEADLINE = datetime.max.replace(tzinfo=UTC)
_Queues = Mapping[Task, Sequence[QueueRow]]


OWN_SCREEN = "own_task"  # the screen that projects' own tasks share


@dataclass(frozen=True, slots=True)
class OwnTask:
    """The person's items of one task, as in their queue.

    `open` items are not submitted, or sent back to discuss (`discuss` of them); `drafts` and
    `skipped` are among them. `batch` is their batch with open items that is due first, `deadline`
    its deadline; empty and None if none has a deadline.
    """

    task: Task
    open: int
    drafts: int
    skipped: int
    discuss: int
    submitted: int
    batch: str
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class ToSettle:
    """Disputes of a task: number open, number sent back, and the first open one."""

    task: Task
    open: int
    sent_back: int
    first: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """The item that a person goes on with, and why.

    `why`: ``discuss`` was sent back to them, ``left`` is the one they left open, ``draft`` the one
    they touched last, ``decide`` a dispute, ``next`` the next one to do, and ``skipped`` one of
    those that alone are left. `at` is when they were there last, None if never.
    """

    task: Task
    item_id: int
    name: str
    title: str
    why: Why
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """All open work of one person; `requests` counts withdrawal requests to be answered."""

    tasks: tuple[OwnTask, ...]
    disputes: tuple[ToSettle, ...]
    requests: int
    place: Place | None

    @property
    def open_of(self) -> dict[str, int]:
        """The amount of open work by screen, for screens that have any."""
        found = {str(each.task): each.open for each in self.tasks}
        if self.disputes or self.requests:
            found["adjudication"] = sum(each.open for each in self.disputes) + self.requests
        return found


def revision(ws: Workspace, person_id: int) -> str:
    """Return a token that changes when acts of the person, or decisions, change their open work.

    Others' submissions do not change it; callers refresh from time to time. Raises UserError for an
    unknown or inactive person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        events = select(func.max(col(DraftEvent.id))).where(DraftEvent.person_id == who.person_id)
        own = session.exec(events).one()
        decides = adjudicates(session, who)  # depends on others' roles
        return f"{who.role}-{decides}-{own}-{newest_ids(session, _SOURCES)}"


def waiting_for(ws: Workspace, person_id: int) -> Waiting:
    """Return a person's open work. Raises UserError for an unknown or inactive one."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may read its own work
        decides = adjudicates(session, who)
        present = _tasks_with_items(session, who.project_id)
        now = ws.clock()
        queues = {
            task: line_up(session, who, now, task=task)
            for task in in_order(present)
            if may(who.role, act_of(task))
        }
        tasks = tuple(_own_task(session, task, queue) for task, queue in queues.items() if queue)
        place = _item_to_resume(session, who, queues) or _next_place(session, queues, tasks)
    disputes = _disputes(ws, who, present) if decides else ()
    if place is None or place.why in ("next", "skipped"):
        place = _to_decide(disputes) or place
    asked = len(requests(ws, person_id)) if may(who.role, Act.GIVE_BACK) else 0
    return Waiting(tasks, disputes, asked, place)


def idle_tasks(ws: Workspace, project_slug: str) -> frozenset[str]:
    """Return the tasks without items in the project, and `OWN_SCREEN` if no own one has any.

    Raises UserError for an unknown project.
    """
    with ws.reading() as session:
        present = _tasks_with_items(session, find_project(session, project_slug).id)
        own = any(task.is_own for task in present)
        return frozenset({*Task, *(() if own else (OWN_SCREEN,))} - present)


def own_tasks_of(ws: Workspace, project_slug: str) -> list[Task]:
    """Return the project's own tasks that have items, by name. Raises UserError for no project."""
    with ws.reading() as session:
        found = _tasks_with_items(session, find_project(session, project_slug).id)
        return [task for task in in_order(found) if task.is_own]


def _tasks_with_items(session: Session, project_id: int) -> set[Task]:
    """Return the tasks of which the project has items."""
    found = session.exec(select(Item.task).where(Item.project_id == project_id).distinct())
    return {Task(task) for task in found}


def _own_task(session: Session, task: Task, queue: Sequence[QueueRow]) -> OwnTask:
    """Return a person's queue of a task: number open, drafts, the batch that is due first."""
    waits = [line for line in queue if line.waits]
    due = _batch_due_first(session, {line.batch_id for line in waits if line.batch_id is not None})
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


def _batch_due_first(session: Session, batches: Collection[int]) -> Batch | None:
    """Return the batch among these that is due first; None if none has a deadline."""
    if not batches:
        return None
    query = select(Batch).where(col(Batch.id).in_(sorted(batches)))
    query = query.where(col(Batch.deadline).is_not(None))
    return session.exec(query.order_by(col(Batch.deadline), col(Batch.id))).first()


def _item_to_resume(session: Session, who: ProjectMember, queues: _Queues) -> Place | None:
    """Return the item to resume: to discuss, else left open, else the last draft; None if none."""
    task_of = {line.item_id: task for task, queue in queues.items() for line in queue}
    now = (line for queue in queues.values() for line in worked_on_now(list(queue)))
    left = latest_event(session, who.person_id)
    found = begun_line(now, left and left[0])
    if found is None:
        return None
    line, why = found
    at = left[1] if left and why == "left" else None
    if why == "draft":
        at = session.exec(select(DraftEvent.at).where(DraftEvent.id == line.last_act)).first()
    return _place(session, task_of[line.item_id], line, why, at)


def _next_place(session: Session, queues: _Queues, tasks: Sequence[OwnTask]) -> Place | None:
    """Return the first item to do: of practice, else due first; else a skipped one, or None."""
    due = {each.task: each.deadline or _NO_DEADLINE for each in tasks}
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
    """Return an item of a queue as a place to go on: name, title, why, and when it was left."""
    query = (
        select(NAME, beginning_of(TITLE, LISTED + 1))
        .select_from(Item)
        .outerjoin(QuestionRow)
        .where(Item.id == line.item_id)
    )
    name, title = session.exec(query).one()
    return Place(task, line.item_id, name or "", beginning(title or ""), why, at)


def _disputes(ws: Workspace, who: ProjectMember, present: Collection[Task]) -> tuple[ToSettle, ...]:
    """Return the numbers of disputes of each task that has any, for this adjudicator."""
    tasks = adjudicated(present)
    queues = {task: disputes_of(task).queue(ws, who.person_id) for task in tasks}
    return tuple(_to_settle(task, queue) for task, queue in queues.items() if queue)


def _to_settle(task: Task, queue: Sequence[Dispute]) -> ToSettle:
    """Return how many disputes of a task are open or sent back, with the first open one."""
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
    """Return the first open dispute of all tasks as a link, None if there is none."""
    for each in disputes:
        if each.first is not None:
            return Place(each.task, each.first, each.name, "", "decide")
    return None


def is_first_visit(ws: Workspace, person_id: int) -> bool:
    """Return True if the person has yet to close the introduction.

    Raises UserError for an unknown or inactive person.
    """
    with ws.reading() as session:
        require(session, person_id, Act.COMMENT)  # any role may read its own state
        return not _has_closed_introduction(session, person_id)


def end_first_visit(ws: Workspace, person_id: int) -> None:
    """Record that the person closed the introduction; no-op after the first time.

    Raises UserError for an unknown or inactive person.
    """
    with ws.writing() as session:
        require(session, person_id, Act.COMMENT)
        if not _has_closed_introduction(session, person_id):
            note(session, person_id, INTRODUCED, {}, person_id, ws.clock())


def _has_closed_introduction(session: Session, person_id: int) -> bool:
    """Return True if the person has closed the introduction."""
    query = select(PersonEvent.id).where(
        PersonEvent.person_id == person_id, PersonEvent.kind == INTRODUCED
    )
    return session.exec(query).first() is not None


@dataclass(frozen=True, slots=True)
class OwnPace:
    """A person's work since a time.

    `submitted` counts their current submissions, without imported and migrated ones; `decided`
    their decisions on disputes that were not withdrawn. `median_seconds` is over all of these with
    a known duration, None if there is none.
    """

    submitted: int
    decided: int
    median_seconds: float | None


def own_pace(ws: Workspace, person_id: int, since: datetime) -> OwnPace:
    """Return the person's pace since then. Raises UserError for an unknown or inactive person."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may read its own pace
        submitted = _submission_seconds(session, who.person_id, since)
        decided = _decision_seconds(session, who.person_id, since)
    known = [*submitted, *(each for each in decided if each is not None)]
    return OwnPace(len(submitted), len(decided), median(known) if known else None)


def _submission_seconds(session: Session, person_id: int, since: datetime) -> list[float]:
    """Return the plausible durations of current submissions, not of imported or migrated ones."""
    query = (
        select(Annotation.seconds)
        .join(DraftEvent)
        .where(Annotation.person_id == person_id, Annotation.at >= since, is_current())
        .where(DraftEvent.kind != MIGRATE, ~was_imported())
    )
    return [each for each in map(plausible_seconds, session.exec(query)) if each is not None]


def _decision_seconds(session: Session, person_id: int, since: datetime) -> list[float | None]:
    """Return the seconds of each decision, None if not stored."""
    timed = select(Adjudication.seconds).where(
        Adjudication.person_id == person_id, Adjudication.at >= since, ~undone(Adjudication)
    )
    others = select(Settlement.id).where(
        Settlement.person_id == person_id, Settlement.at >= since, ~undone(Settlement)
    )
    return [*map(plausible_seconds, session.exec(timed)), *(None for _ in session.exec(others))]
