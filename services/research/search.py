"""Terms-and-connectors search over the law in use and the court cases of a project.

The indexes are cached in the workspace, keyed by their content; see
`services.runs.methods.index_cache`.

Research work on an item: searches and reading logged in the draft; making items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.form import answer
from annotation.people.roles import Act, reading_as, writing_as
from annotation.research import OPEN, QUERY, TRAIL
from annotation.work.draft import fold, own_events
from annotation.work.slots import at_work
from corpus.long_work import Progress
from errors import UserError
from normalization.hashing import seeded_hash, text_hash
from retrieval.connectors.query import Part, parse, write
from retrieval.connectors.search import ConnectorIndex, Order, PartCount, marks, search
from retrieval.connectors.words import VERSION, SearchedText, breaks_of, lines_of
from retrieval.core.method import with_progress
from retrieval.text.highlight import densest_window
from retrieval.text.morphemes import file_name, kept_words
from services.runs.methods.index_cache import saved_index
from storage.cases import CaseLine, hashes, listed, texts
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_by_id, snapshot_in_use
from storage.law.passages import (
    PlacedPassage,
    placed_passages,
    placed_passages_named,
    retrieval_ids,
)
from storage.mapping import newest_set_id, shown_set
from storage.subjects import Subject, add_items
from storage.tables.core import Item, QuestionRow
from storage.tasks import Task, of_task

MAX_HITS = 500
NAME = "connectors"
_CASES_AT_ONCE = 200

Span = tuple[int, int]


class Collection(StrEnum):
    """A searchable collection."""

    STATUTES = "statutes"
    CASES = "cases"


@dataclass(frozen=True, slots=True)
class Authority:
    """A provision or court case; `id` is its semantic or external id."""

    collection: Collection
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class AuthorityHit:
    """An authority with its matches, as character spans of title and text."""

    authority: Authority
    matches: int
    in_title: tuple[Span, ...]
    in_text: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CollectionFound:
    """A query's results in a collection: numbers of texts and matches, and the first hits.

    `searched` is the number of texts in the collection. `counts` are those of each part of the
    query.
    """

    collection: Collection
    searched: int
    texts: int
    matches: int
    counts: tuple[PartCount, ...]
    hits: tuple[AuthorityHit, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """A parsed query with its results per collection."""

    query: str
    snapshot_id: int | None
    found: tuple[CollectionFound, ...]


def search_authorities(
    ws: Workspace,
    slug: str,
    query: str,
    collections: Sequence[Collection] = tuple(Collection),
    limit: int = 20,
    order: Order = Order.MATCHES,
    by: int | None = None,
    progress: Progress | None = None,
) -> Searched:
    """Return the results of a terms-and-connectors query, up to `limit` texts per collection.

    The first search of new law, or after an import of court cases, builds the index;
    `progress(done, total)` is called meanwhile. Raises UserError for a query that cannot be parsed.
    """
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = snapshot_in_use(session, project.id)
    law = None if snapshot is None else snapshot.id
    return search_at(ws, project.id, law, query, collections, limit, order, progress)


def search_at(
    ws: Workspace,
    project_id: int,
    snapshot_id: int | None,
    query: str,
    collections: Sequence[Collection] = tuple(Collection),
    limit: int = 20,
    order: Order = Order.MATCHES,
    progress: Progress | None = None,
) -> Searched:
    """`search_authorities` on this law, without the permission check."""
    part, keys = parse(query), dict[Collection, str]()
    with ws.reading() as session:
        if snapshot_id is not None:
            keys[Collection.STATUTES] = snapshot_by_id(session, snapshot_id).content_hash
        if cases := hashes(session, project_id):
            keys[Collection.CASES] = repr([digest for _, digest in cases])
    places = {Collection.STATUTES: snapshot_id or 0, Collection.CASES: project_id}
    asked = part, max(1, min(limit, MAX_HITS)), order
    found = (
        _search_in(ws, each, places[each], text_hash(key), *asked, progress)
        for each, key in keys.items()
        if each in collections
    )
    return Searched(write(part), snapshot_id, tuple(found))


def authority_at(
    ws: Workspace, project_id: int, snapshot_id: int, collection: Collection, name: str
) -> Authority:
    """Return a provision of the snapshot, or a court case, without permission check.

    Raises UserError for an unknown id.
    """
    place = project_id if collection == Collection.CASES else snapshot_id
    found = _TEXTS[collection][1](ws, place, [name]).get(name)
    if found is None:
        raise UserError("research_authority", id=name)
    return _authority(collection, found)


def excerpt(hit: AuthorityHit, width: int) -> list[tuple[str, bool]]:
    """Return the `width` characters of a text with most matches, as (piece, is match) pairs.

    An ellipsis marks where the text continues.
    """
    text, spans = hit.authority.text, merge_overlapping(hit.in_text)
    start, end = densest_window(spans, len(text), width)
    inside = [(first, last) for first, last in spans if start <= first and last <= end]
    pieces = marked(text, inside, start, end)
    lead = [("…", False)] if start else []
    return [*lead, *pieces, *([("…", False)] if end < len(text) else [])]


def marked(text: str, spans: Sequence[Span], start: int, end: int) -> list[tuple[str, bool]]:
    """Split the text from `start` to `end` into (piece, is match) pairs."""
    pieces, behind = list[tuple[str, bool]](), start
    for first, last in spans:
        pieces += [(text[behind:first], False), (text[first:last], True)]
        behind = last
    return [each for each in (*pieces, (text[behind:end], False)) if each[0]]


def merge_overlapping(spans: Sequence[Span]) -> list[Span]:
    """Return the spans in order, overlapping ones merged; those that only touch stay apart."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _search_in(
    ws: Workspace,
    collection: Collection,
    place: int,
    key: str,
    part: Part,
    limit: int,
    order: Order,
    progress: Progress | None,
) -> CollectionFound:
    """Search a collection of a snapshot or project (`place`); `key` is the hash of its texts."""
    read, named = _TEXTS[collection]
    index = _index(ws, collection, key, partial(read, ws, place, progress))
    asked = search(index, part, limit, order)
    texts = named(ws, place, [hit.id for hit in asked.hits])
    hits = []
    for hit in asked.hits:
        at = marks(texts[hit.id], hit)
        authority = _authority(collection, texts[hit.id])
        hits.append(AuthorityHit(authority, hit.matches, at.title, at.body))
    counted = len(index.ids), asked.texts, asked.matches, asked.counts
    return CollectionFound(collection, *counted, tuple(hits))


def _index(
    ws: Workspace, collection: Collection, key: str, read: Callable[[], Iterator[SearchedText]]
) -> ConnectorIndex:
    """Return the index of a collection, built if its texts are new."""
    content = text_hash(repr([key, VERSION, file_name()]))[:32]
    folder = ws.indexes / f"{NAME}-{collection}-{content}"

    def build() -> ConnectorIndex:
        """Build the index."""
        return ConnectorIndex.build(read(), kept_words(ws.cache))

    return saved_index(folder, build, ConnectorIndex.load)


def _authority(collection: Collection, text: SearchedText) -> Authority:
    """Return a found text as an authority."""
    return Authority(collection, text.id, text.title, text.body)


def _units(ws: Workspace, snapshot_id: int, progress: Progress | None) -> Iterator[SearchedText]:
    """Yield the units of a snapshot as searchable texts."""
    with ws.reading() as session:
        total = len(retrieval_ids(session, snapshot_id))
        yield from map(
            _unit_text, with_progress(placed_passages(session, snapshot_id), total, progress)
        )


def _units_named(ws: Workspace, snapshot_id: int, ids: list[str]) -> dict[str, SearchedText]:
    """Return units by id as searchable texts; unknown ones are left out."""
    with ws.reading() as session:
        found = placed_passages_named(session, snapshot_id, ids)
    return {name: _unit_text(each) for name, each in found.items()}


def _unit_text(placed: PlacedPassage) -> SearchedText:
    passage = placed.passage
    return SearchedText(passage.unit_id, passage.title, passage.text, *breaks_of(placed.parts))


def _cases(ws: Workspace, project_id: int, progress: Progress | None) -> Iterator[SearchedText]:
    """Yield the court cases as searchable texts."""
    with ws.reading() as session:
        lines = listed(session, project_id)
        for line in with_progress(lines, len(lines), progress):
            yield _case_text(line, texts(session, project_id, [line.id])[line.id])


def _cases_named(ws: Workspace, project_id: int, ids: list[str]) -> dict[str, SearchedText]:
    """Return court cases by external id as searchable texts; unknown ones are left out."""
    with ws.reading() as session:
        lines = [each for each in listed(session, project_id) if each.external_id in set(ids)]
        bodies = texts(session, project_id, [line.id for line in lines])
    return {line.external_id: _case_text(line, bodies[line.id]) for line in lines}


def _case_text(line: CaseLine, body: str) -> SearchedText:
    title = " ".join(each for each in (line.court, line.number, line.title) if each)
    begins = {*lines_of(body), *(start for _, start, _ in line.sections)}
    return SearchedText(line.external_id, title or line.external_id, body, sorted(begins))


_TEXTS = {  # of a snapshot or project: all texts of a collection, and those named
    Collection.STATUTES: (_units, _units_named),
    Collection.CASES: (_cases, _cases_named),
}
_TITLE = 200  # characters of a question in lists
HITS = 50
"""Number of texts per collection shown to a researcher."""


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
    project, law, trail = _item_context(ws, person_id, item_id)
    found = search_at(ws, project, law, query, tuple(Collection), HITS, order, progress)
    counts = {str(each.collection): [each.texts, each.matches] for each in found.found}
    step = {"step": QUERY, "query": found.query, "found": counts}
    answer(ws, person_id, item_id, TRAIL, [*trail, step])
    return found


def open_for_item(
    ws: Workspace, person_id: int, item_id: int, collection: Collection, name: str
) -> Authority:
    """Return an authority to read, and log that it was opened.

    Raises UserError for an unknown id, and as `answer` does.
    """
    project, law, trail = _item_context(ws, person_id, item_id)
    found = authority_at(ws, project, law, collection, name)
    step = {"step": OPEN, "collection": str(collection), "id": found.id}
    if not trail or trail[-1] != step:
        answer(ws, person_id, item_id, TRAIL, [*trail, step])
    return found


def look_for_item(
    ws: Workspace, person_id: int, item_id: int, collection: Collection, name: str
) -> Authority:
    """Return an authority to read again after submission, without logging.

    Raises UserError for an unknown id, and for a person who does not work on the item.
    """
    project, law, _ = _item_context(ws, person_id, item_id)
    return authority_at(ws, project, law, collection, name)


def _item_context(ws: Workspace, person_id: int, item_id: int) -> tuple[int, int, tuple[Any, ...]]:
    """Return an item's project, the snapshot of its law, and the trail of the draft so far."""
    with ws.reading() as session:
        who, _ = at_work(session, person_id, item_id)
        draft = fold(own_events(session, person_id, item_id))
        shown = draft.candidate_set_id or newest_set_id(session, item_id) or 0
        snapshot = shown_set(session, shown).snapshot_id
    return who.project_id, snapshot, tuple(draft.answers.get(TRAIL, ()))


@dataclass(frozen=True, slots=True)
class ResearchCounts:
    """Numbers of questions that are research items, and that are not."""

    items: int
    waiting: int


def research_counts(ws: Workspace, slug: str, by: int | None = None) -> ResearchCounts:
    """Return how many questions are research items, and how many are not.

    Raises UserError without permission.
    """
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
    Returns the numbers of questions with and without an item afterwards.
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
    """Return the ids of the questions that are research items."""
    query = select(Item.subject_id).where(of_task(project_id, Task.RESEARCH))
    return {number for number in session.exec(query) if number is not None}


def _questions(session: Session, project_id: int) -> Sequence[QuestionRow]:
    """Return the project's questions in order of import."""
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    return session.exec(query.order_by(col(QuestionRow.id))).all()
