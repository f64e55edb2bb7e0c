"""Researching a question: searches and reading, each kept in the draft; items of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.form import answer
from annotation.people.roles import Act, reading_as, writing_as
from annotation.research.form import OPEN, QUERY, TRAIL
from annotation.work.draft import fold, own_events
from annotation.work.slots import at_work
from corpus.progress import Progress
from normalization.hashing import seeded_hash
from retrieval.connectors.search import Order
from services.research.search import (
    Authority,
    Collection,
    Searched,
    authority_at,
    search_at,
)
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id, shown_set
from storage.subjects import Subject, add_items
from storage.tables.core import Item, QuestionRow
from storage.tasks import Task, of_task

_TITLE = 200  # characters of a question in lists
HITS = 50
"""How many texts of each collection a researcher is shown."""


@dataclass(frozen=True, slots=True)
class _World:
    """What an item is researched in: its project, and the law that the draft was begun on."""

    project_id: int
    snapshot_id: int
    trail: tuple[Any, ...]


def search_for_item(
    ws: Workspace,
    person_id: int,
    item_id: int,
    query: str,
    order: Order = Order.MATCHES,
    progress: Progress | None = None,
) -> Searched:
    """Search the law that the item shows, and the court cases; keep the query with its counts.

    Raises UserError for a query that cannot be read, and for all that answering refuses.
    """
    world = _world(ws, person_id, item_id)
    found = search_at(
        ws, world.project_id, world.snapshot_id, query, tuple(Collection), HITS, order, progress
    )
    counts = {str(each.collection): [each.texts, each.matches] for each in found.found}
    step = {"step": QUERY, "query": found.query, "found": counts}
    answer(ws, person_id, item_id, TRAIL, [*world.trail, step])
    return found


def open_for_item(
    ws: Workspace, person_id: int, item_id: int, collection: Collection, name: str
) -> Authority:
    """Return an authority to read, and keep that it was opened.

    Raises UserError where there is none of that id, and for all that answering refuses.
    """
    world = _world(ws, person_id, item_id)
    found = authority_at(ws, world.project_id, world.snapshot_id, collection, name)
    step = {"step": OPEN, "collection": str(collection), "id": found.id}
    if not world.trail or world.trail[-1] != step:
        answer(ws, person_id, item_id, TRAIL, [*world.trail, step])
    return found


def look_for_item(
    ws: Workspace, person_id: int, item_id: int, collection: Collection, name: str
) -> Authority:
    """Return an authority to read again of what is submitted; nothing is kept of it.

    Raises UserError where there is none of that id, and for who does not work on the item.
    """
    world = _world(ws, person_id, item_id)
    return authority_at(ws, world.project_id, world.snapshot_id, collection, name)


def _world(ws: Workspace, person_id: int, item_id: int) -> _World:
    with ws.reading() as session:
        who, _ = at_work(session, person_id, item_id)
        draft = fold(own_events(session, person_id, item_id))
        shown = draft.candidate_set_id or newest_set_id(session, item_id) or 0
        snapshot = shown_set(session, shown).snapshot_id
    return _World(who.project_id, snapshot, tuple(draft.answers.get(TRAIL, ())))


@dataclass(frozen=True, slots=True)
class ResearchCounts:
    """How many questions are items to research, and how many are not."""

    items: int
    waiting: int


def research_counts(ws: Workspace, slug: str, by: int | None = None) -> ResearchCounts:
    """Return which questions could be researched. Raises UserError for who may not make items."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        there, asked = _there(session, project.id), _questions(session, project.id)
        return ResearchCounts(len(there), sum(each.id not in there for each in asked))


def make_research_items(
    ws: Workspace,
    slug: str,
    limit: int | None = None,
    seed: int = 0,
    by: int | None = None,
) -> ResearchCounts:
    """Make an item of every question that has none, or of so many drawn by the seed.

    Items come in the order in which the questions came. Raises UserError for who may not.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        there = _there(session, project.id)
        waiting = [each for each in _questions(session, project.id) if each.id not in there]
        ranked = sorted(waiting, key=lambda row: seeded_hash(seed, "research", row.external_id))
        chosen = sorted(ranked[:limit], key=lambda row: row.id or 0)
        subjects = [Subject(row.id or 0, row.external_id, row.text[:_TITLE], {}) for row in chosen]
        add_items(session, project.id, Task.RESEARCH, subjects, ws.clock())
    return ResearchCounts(len(there) + len(chosen), len(waiting) - len(chosen))


def _there(session: Session, project_id: int) -> set[int]:
    query = select(Item.subject_id).where(of_task(project_id, Task.RESEARCH))
    return {number for number in session.exec(query) if number is not None}


def _questions(session: Session, project_id: int) -> Sequence[QuestionRow]:
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    return session.exec(query.order_by(col(QuestionRow.id))).all()
