"""Progress of each task and batch: submissions, people, pace and projected end.

The pace is submissions per working day, Monday to Friday (UTC), over the last seven days: today and
the six before it. Where the first submission is within them, it is over the working days since.
Imported and migrated submissions count in no pace. With fewer than `FEWEST` submissions, or all of
them on one day, there is no pace and no end.

Latest runs of a project: their snapshot, and whether they rank all questions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Literal

from sqlmodel import Session, col, select

from annotation.batches.views import UNDER_WAY, BatchState, BatchView, ItemSlots
from annotation.work.draft import MIGRATE
from annotation.work.submissions import is_current, plausible_seconds
from normalization.grouping import grouped
from services.runs.rows import names_of
from storage.law.corpus import SnapshotView, id_in_use, project_snapshots, question_names
from storage.projects import ProjectView
from storage.runs.experiments import records_of
from storage.runs.run_store import RunView, list_runs
from storage.tables.core import Annotation, DraftEvent, Item, Person
from storage.tasks import Task, in_order

DAYS = 7  # days behind a pace, including today
FEWEST = 5  # submissions needed for a pace
_WEEKEND = 5  # Saturday, as `date.weekday` counts
_LONGEST = 3660  # days from now; later ends are meaningless


@dataclass(frozen=True, slots=True)
class Made:
    """A valid submission: who, when, and whether a person worked on it (`worked`)."""

    item_id: int
    person: str
    at: datetime
    worked: bool


@dataclass(frozen=True, slots=True)
class PersonShare:
    """One person's submissions in a task or batch: total, last seven days, pace.

    `pace` is None where that of the whole is.
    """

    person: str
    submitted: int
    lately: int
    pace: float | None


@dataclass(frozen=True, slots=True)
class WorkLine:
    """Progress of a task or of one of its batches.

    `complete` of the `items` have all the submissions they want, `partly` some; in all there are
    `made` of `wanted`; `beyond` are surplus submissions. `people` are those who submitted, most
    first; their submissions add up to `made` and `beyond`. `lately` counts submissions of the last
    seven days, over `days` working days; `pace` is per working day, None with too few. `end` is the
    projected end, None also where nothing is left, `by_deadline` how many are made then at the same
    pace, None without a deadline to come. `batch` is "" for the whole task, which wants
    nothing more of closed batches. `title` is that of a project's own task.
    """

    task: Task
    batch: str
    batch_id: int | None
    practice: bool
    state: BatchState
    items: int
    complete: int
    partly: int
    wanted: int
    made: int
    beyond: int
    people: tuple[PersonShare, ...]
    lately: int
    days: int
    pace: float | None
    end: date | None
    deadline: datetime | None
    by_deadline: int | None = None
    title: str = ""

    @property
    def left(self) -> int:
        """Number of submissions still to be made."""
        return self.wanted - self.made

    @property
    def begun(self) -> bool:
        """Whether there are submissions, and some are left."""
        return bool(self.people) and self.left > 0

    @property
    def misses(self) -> bool:
        """Whether open work is past its deadline, or will be at this pace."""
        if self.state == "late":
            return True
        if self.state != "open" or self.deadline is None or self.end is None:
            return False
        return self.end > self.deadline.date()


def submissions(session: Session, project_id: int) -> list[Made]:
    """Return the valid submissions of all tasks, oldest first, without their content."""
    query = (
        select(Annotation.item_id, Person.name, Annotation.at, Annotation.seconds, DraftEvent.kind)  # type: ignore[call-overload]
        .join(Item, col(Item.id) == Annotation.item_id)
        .join(Person)
        .outerjoin(DraftEvent, col(DraftEvent.id) == Annotation.event_id)
        .where(Item.project_id == project_id, is_current())
        .order_by(col(Annotation.id))
    )
    return [
        Made(item_id, person, at, plausible_seconds(seconds) is not None and kind != MIGRATE)
        for item_id, person, at, seconds, kind in session.exec(query)
    ]


def work_lines(
    slots: Sequence[ItemSlots],
    submissions: Sequence[Made],
    batches: Sequence[BatchView],
    now: datetime,
) -> list[WorkLine]:
    """Return a line for each task with items, each followed by its open batches.

    Closed and finished batches are counted in their task's line only.
    """
    of_item = grouped((each.item_id, each) for each in submissions)
    found = []
    for task in in_order({each.task for each in slots}):
        mine = [each for each in slots if each.task == task]
        found.append(_work_line(task, None, mine, of_item, now))
        for batch in batches:
            if batch.task == task and batch.state_at(now) in UNDER_WAY:
                inside = [each for each in mine if each.batch_id == batch.id]
                found.append(_work_line(task, batch, inside, of_item, now))
    return found


def _work_line(
    task: Task,
    batch: BatchView | None,
    slots: Sequence[ItemSlots],
    of_item: Mapping[int, Sequence[Made]],
    now: datetime,
) -> WorkLine:
    """Return the progress of a task, or of `batch`; `of_item` are its submissions by item."""
    said = [one for each in slots for one in of_item.get(each.item_id, ())]
    wanted = sum(each.counted if batch is None and each.closed else each.wanted for each in slots)
    made = sum(each.counted for each in slots)
    worked = [each.at for each in said if each.worked]
    days, pace = pace_of(worked, now)
    left = wanted - made
    untimed: BatchState = "open" if left else "finished"
    deadline = None if batch is None else batch.deadline
    more = expected_by(deadline.date() if deadline else None, pace, now.date())
    return WorkLine(
        task=task,
        batch="" if batch is None else batch.name,
        batch_id=None if batch is None else batch.id,
        practice=batch is not None and batch.practice,
        state=untimed if batch is None else batch.state_at(now),
        items=len(slots),
        complete=sum(each.made >= each.wanted for each in slots),
        partly=sum(0 < each.made < each.wanted for each in slots),
        wanted=wanted,
        made=made,
        beyond=len(said) - made,
        people=_person_shares(said, days, pace is not None, now),
        lately=len(_recent_times(worked, now)),
        days=days,
        pace=pace,
        end=end_of(left, pace, now.date()),
        deadline=deadline,
        by_deadline=None if more is None else min(wanted, made + more),
    )


def _person_shares(
    submissions: Sequence[Made], days: int, paced: bool, now: datetime
) -> tuple[PersonShare, ...]:
    """Return each person's submissions and pace, most submissions first."""
    found = []
    for person, made in grouped((each.person, each) for each in submissions).items():
        lately = len(_recent_times([each.at for each in made if each.worked], now))
        pace = lately / days if paced else None
        found.append(PersonShare(person, len(made), lately, pace))
    return tuple(sorted(found, key=lambda each: (-each.submitted, each.person)))


def pace_of(times: Sequence[datetime], now: datetime) -> tuple[int, float | None]:
    """Return the working days that the pace is measured over, and submissions per such day.

    `times` are those of all submissions ever; the pace is None with too few.
    """
    lately = _recent_times(times, now)
    today = now.date()
    since = today - timedelta(days=DAYS - 1)
    first = max(since, min((each.date() for each in times), default=since))
    days = max(
        1, sum(_is_working_day(first + timedelta(days=n)) for n in range((today - first).days + 1))
    )
    if len(lately) < FEWEST or len({each.date() for each in lately}) < 2:
        return days, None
    return days, len(lately) / days


def end_of(remaining: int, pace: float | None, today: date) -> date | None:
    """Return the working day on which `remaining` submissions are done at this pace.

    None where nothing is left, without a pace, and beyond ten years.
    """
    if remaining <= 0 or not pace:
        return None
    days = ceil(remaining / pace)
    if days > _LONGEST:
        return None
    at = today
    while days:
        at += timedelta(days=1)
        days -= _is_working_day(at)
    return at


def expected_by(deadline: date | None, pace: float | None, today: date) -> int | None:
    """Return the submissions expected by a deadline; None without it or a pace, or past it."""
    if deadline is None or pace is None or deadline < today:
        return None
    days = (today + timedelta(days=n + 1) for n in range(min((deadline - today).days, _LONGEST)))
    return int(pace * sum(map(_is_working_day, days)))


def _is_working_day(day: date) -> bool:
    """Return True from Monday to Friday."""
    return day.weekday() < _WEEKEND


def _recent_times(times: Collection[datetime], now: datetime) -> list[datetime]:
    """Return the times of the last seven days, today included."""
    since = now.date() - timedelta(days=DAYS - 1)
    return [each for each in times if since <= each.date() <= now.date()]


LISTED = 4  # number of latest runs listed
Law = Literal["in_use", "older", "newer"]


@dataclass(frozen=True, slots=True)
class LastRun:
    """A run with its name and snapshot.

    `law` says whether that is the snapshot in use, an older or a newer one. `stale`: it lacks
    questions of the project; None for a run of another snapshot.
    """

    run: RunView
    label: str
    snapshot: SnapshotView
    law: Law
    stale: bool | None

    @property
    def current(self) -> bool:
        """Whether it is on the law in use and ranks all questions."""
        return self.stale is False


@dataclass(frozen=True, slots=True)
class LastRuns:
    """The latest runs, newest first, with total counts of all and of current runs."""

    runs: tuple[LastRun, ...]
    total: int
    current: int


def last_runs(session: Session, project: ProjectView) -> LastRuns:
    """Return the latest `LISTED` runs of a project, and the counts of all and of current ones."""
    stored = list_runs(session, project.id)
    names = names_of(stored, records_of(session, [run.id for run in stored]))
    snapshots = {each.id: each for each in project_snapshots(session, project)}
    used = snapshots.get(id_in_use(session, project.id) or 0)
    questions = len(question_names(session, project.id))
    lines = []
    for run in stored:
        law = _law(of := snapshots[run.key.snapshot_id], used)
        stale = run.questions < questions if law == "in_use" else None
        lines.append(LastRun(run, names[run.id], of, law, stale))
    current = sum(line.current for line in lines)
    return LastRuns(tuple(lines[:LISTED]), len(stored), current)


def _law(of: SnapshotView, used: SnapshotView | None) -> Law:
    """Return how a run's snapshot stands to the one in use, by effective date, then by import.

    Without one in use, every snapshot counts as in use.
    """
    if used is None or of.id == used.id:
        return "in_use"
    own, other = ((each.effective or date.min, each.id) for each in (of, used))
    return "older" if own < other else "newer"
