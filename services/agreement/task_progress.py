"""How far the items of tasks are, and who decides their disputes: reports for those who lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, select

from annotation.adjudication.tasks import adjudicated, disputes_of
from annotation.batches.views import ItemSlots, item_slots
from annotation.people.roles import Act, adjudicators, reading_as
from annotation.tasks.own import titles_of
from annotation.work.submissions import LISTED, beginning
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from messages import say
from storage.db.workspace import Workspace
from storage.tables.core import Item, QuestionRow
from storage.tasks import NAME, TITLE, Task, beginning_of, display_name, in_order

ItemState = Literal["untouched", "partly", "complete", "open", "sent_back", "agreed", "decided"]
_STATES: tuple[ItemState, ...] = (
    *("open", "sent_back", "partly", "untouched"),
    *("complete", "agreed", "decided"),
)
_KINDS = {"submissions": Kind.NOTE, "question": Kind.NOTE}
_DISPUTED: tuple[ItemState, ...] = ("open", "sent_back", "agreed", "decided")


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item, its state, and how many of the submissions that it wants are made.

    The state is that of its dispute, where there is or was one.
    """

    task: Task
    item_id: int
    name: str
    title: str
    state: ItemState
    made: int
    wanted: int


def item_lines(
    ws: Workspace, project_slug: str, tasks: Sequence[Task] | None = None, by: int | None = None
) -> list[ItemLine]:
    """Return the items of the tasks (None: all), open disputes first, then by state and task.

    Raises UserError for `by` (None: the operator) who does not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        slots = item_slots(session, project.id)
        there = in_order({each.task for each in slots if tasks is None or each.task in tasks})
        disputes: dict[int, ItemState] = {}
        for task in adjudicated(there):
            disputes.update(disputes_of(task).states(session, project.id))
        names = _names(session, project.id, there)
    lines = [_line(each, disputes, names) for each in slots if each.task in there]
    return sorted(lines, key=lambda each: (_STATES.index(each.state), there.index(each.task)))


def deciders(ws: Workspace, project_slug: str, by: int | None) -> tuple[str, ...]:
    """Return the names of those who decide disputes. Raises UserError as `item_lines` does."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return adjudicators(session, project.id)


def disputes_report(
    ws: Workspace, project_slug: str, language: str, by: int | None = None
) -> Report:
    """Return the disputes of every task by state, and who decides them."""
    words = Words("task_progress", language, kinds=_KINDS)
    lines = [each for each in item_lines(ws, project_slug, None, by) if each.state in _DISPUTED]
    people = ", ".join(deciders(ws, project_slug, by))
    count = f"{sum(each.state == 'open' for each in lines):,}"
    lead = words("lead" if people else "lead_nobody", count=count, people=people)
    counts = Counter((each.task, each.state) for each in lines)
    titles = titles_of(ws, project_slug, by)
    rows = (
        {
            "task": Word(task, display_name(task, language, titles=titles)),
            **{state: counts[task, state] for state in _DISPUTED},
        }
        for task in in_order({each.task for each in lines})
    )
    chart = Chart(Shape.STACK, ("task",), _DISPUTED, legend=words("items"))
    sections = (
        words.section("disputes", "by_task", rows, chart=chart),
        _items(lines, words, titles),
    )
    return Report("disputes", say("adjudication.title", language), sections, lead)


def progress_report(
    ws: Workspace, project_slug: str, task: Task, language: str, by: int | None = None
) -> Report:
    """Return the items of a task by state."""
    words = Words("task_progress", language, kinds=_KINDS)
    lines = item_lines(ws, project_slug, [task], by)
    made = sum(min(each.made, each.wanted) for each in lines)
    wanted = sum(each.wanted for each in lines)
    lead = words("made", made=f"{made:,}", wanted=f"{wanted:,}", items=f"{len(lines):,}")
    counts = Counter(each.state for each in lines)
    titles = titles_of(ws, project_slug, by)
    rows = ({"state": words.word(s), "count": counts[s]} for s in _STATES if counts[s])
    chart = Chart(Shape.STACK, (), ("count",), "state", legend=words("items"))
    sections = (
        words.section("states", "by_state", rows, chart=chart),
        _items(lines, words, titles),
    )
    return Report("progress", display_name(task, language, titles=titles), sections, lead)


def _items(lines: Sequence[ItemLine], words: Words, titles: Mapping[str, str]) -> Section:
    """Return the items as a table; each opens its history."""
    rows = (
        {
            "item": each.name,
            "task": Word(each.task, display_name(each.task, words.language, titles=titles)),
            "state": words.word(each.state),
            "submissions": f"{each.made:,} / {each.wanted:,}",
            "question": each.title,
        }
        for each in lines
    )
    return words.section("items", "items", rows, opens="item")


def _line(
    slots: ItemSlots, disputes: Mapping[int, ItemState], names: Mapping[int, tuple[str, str]]
) -> ItemLine:
    """Return an item with its state: of its dispute, or else by its submissions."""
    whole = slots.made >= slots.wanted > 0
    state: ItemState = "complete" if whole else "partly" if slots.made else "untouched"
    of_item = Task(slots.task), slots.item_id, *names[slots.item_id]
    return ItemLine(*of_item, disputes.get(slots.item_id, state), slots.made, slots.wanted)


def _names(session: Session, project_id: int, tasks: Sequence[Task]) -> dict[int, tuple[str, str]]:
    """Return name and beginning of the title of each item of the tasks, by item id."""
    query = (
        select(Item.id, NAME, beginning_of(TITLE, LISTED + 1))
        .select_from(Item)
        .outerjoin(QuestionRow)
        .where(Item.project_id == project_id, col(Item.task).in_(tasks))
    )
    rows = session.exec(query)
    return {number or 0: (name or "", beginning(title or "")) for number, name, title in rows}
