"""Research work on an item: searches and reading logged in the draft; making items."""

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
"""Number of texts per collection shown to a researcher."""


@dataclass(frozen=True, slots=True)
class _ItemContext:
    """Context of an item: its project, the law of the draft, and the trail so far."""

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
    """Search the item's law and the court cases; log the query with its counts.

    Raises UserError for a query that cannot be parsed, and as `answer` does.
    """
    world = _item_context(ws, person_id, item_id)
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
    """Return an authority to read, and log that it was opened.

    Raises UserError for an unknown id, and as `answer` does.
    """
    world = _item_context(ws, person_id, item_id)
    found = authority_at(ws, world.project_id, world.snapshot_id, collection, name)
    step = {"step": OPEN, "collection": str(collection), "id": found.id}
    if not world.trail or world.trail[-1] != step:
        answer(ws, person_id, item_id, TRAIL, [*world.trail, step])
    return found


def look_for_item(
    ws: Workspace, person_id: int, item_id: int, collection: Collection, name: str
) -> Authority:
    """Return an authority to read again after submission, without logging.

    Raises UserError for an unknown id, and for a person who does not work on the item.
    """
    world = _item_context(ws, person_id, item_id)
    return authority_at(ws, world.project_id, world.snapshot_id, collection, name)


def _item_context(ws: Workspace, person_id: int, item_id: int) -> _ItemContext:
    with ws.reading() as session:
        who, _ = at_work(session, person_id, item_id)
        draft = fold(own_events(session, person_id, item_id))
        shown = draft.candidate_set_id or newest_set_id(session, item_id) or 0
        snapshot = shown_set(session, shown).snapshot_id
    return _ItemContext(who.project_id, snapshot, tuple(draft.answers.get(TRAIL, ())))


@dataclass(frozen=True, slots=True)
class ResearchCounts:
    """Numbers of questions that are research items, and that are not."""

    items: int
    waiting: int


def research_counts(ws: Workspace, slug: str, by: int | None = None) -> ResearchCounts:
    """Return the numbers of research items. Raises UserError without permission."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        there, asked = _researched_ids(session, project.id), _questions(session, project.id)
        return ResearchCounts(len(there), sum(each.id not in there for each in asked))


def make_research_items(
    ws: Workspace,
    slug: str,
    limit: int | None = None,
    seed: int = 0,
    by: int | None = None,
) -> ResearchCounts:
    """Make an item of every question without one, or of a sample drawn by the seed.

    Items are in the order of the questions' import. Raises UserError for `by` without permission.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        there = _researched_ids(session, project.id)
        waiting = [each for each in _questions(session, project.id) if each.id not in there]
        ranked = sorted(waiting, key=lambda row: seeded_hash(seed, "research", row.external_id))
        chosen = sorted(ranked[:limit], key=lambda row: row.id or 0)
        subjects = [Subject(row.id or 0, row.external_id, row.text[:_TITLE], {}) for row in chosen]
        add_items(session, project.id, Task.RESEARCH, subjects, ws.clock())
    return ResearchCounts(len(there) + len(chosen), len(waiting) - len(chosen))


def _researched_ids(session: Session, project_id: int) -> set[int]:
    query = select(Item.subject_id).where(of_task(project_id, Task.RESEARCH))
    return {number for number in session.exec(query) if number is not None}


def _questions(session: Session, project_id: int) -> Sequence[QuestionRow]:
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    return session.exec(query.order_by(col(QuestionRow.id))).all()
