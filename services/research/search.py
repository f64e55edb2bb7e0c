"""Terms-and-connectors search over the law in use and the court cases of a project.

The indexes are cached in the workspace, keyed by their content; see
`services.runs.methods.index_cache`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from annotation.people.roles import Act, reading_as
from corpus.progress import Progress
from errors import UserError
from normalization.hashing import text_hash
from retrieval.connectors.index import ConnectorIndex
from retrieval.connectors.query import Part, parse, write
from retrieval.connectors.search import Order, PartCount, TextHit, marks, search
from retrieval.connectors.words import VERSION, SearchedText, breaks_of, lines_of
from retrieval.core.method import telling
from retrieval.text.highlight import densest_window
from retrieval.text.morphemes import file_name, kept_words
from services.runs.methods.index_cache import saved_index
from storage.cases.court_cases import CaseLine, hashes, listed, texts
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, snapshot_by_id, snapshot_in_use
from storage.law.passages import (
    PlacedPassage,
    placed_passages,
    placed_passages_named,
    retrieval_ids,
)

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
    part = parse(query)
    with ws.reading() as session:
        law = None if snapshot_id is None else snapshot_by_id(session, snapshot_id)
        cases = hashes(session, project_id)
    asked = part, max(1, min(limit, MAX_HITS)), order
    found = []
    if Collection.STATUTES in collections and law is not None:
        found.append(_in_statutes(ws, law, *asked, progress))
    if Collection.CASES in collections and cases:
        found.append(_in_cases(ws, project_id, cases, *asked, progress))
    return Searched(write(part), snapshot_id, tuple(found))


def authority_at(
    ws: Workspace, project_id: int, snapshot_id: int, collection: Collection, name: str
) -> Authority:
    """Return a provision of the snapshot, or a court case, without permission check.

    Raises UserError for an unknown id.
    """
    if collection == Collection.CASES:
        found = _cases_named(ws, project_id, [name]).get(name)
    else:
        found = _units_named(ws, snapshot_id, [name]).get(name)
    if found is None:
        raise UserError("research_authority", id=name)
    return _authority(collection, found)


def excerpt(hit: AuthorityHit, width: int) -> list[tuple[str, bool]]:
    """Return the part of a text with the most matches, as (piece, is match) pairs.

    An ellipsis marks where the text continues.
    """
    text, spans = hit.authority.text, apart(hit.in_text)
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


def apart(spans: Sequence[Span]) -> list[Span]:
    """Merge overlapping spans."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _in_statutes(
    ws: Workspace,
    snapshot: SnapshotView,
    part: Part,
    limit: int,
    order: Order,
    progress: Progress | None,
) -> CollectionFound:
    key = text_hash(snapshot.content_hash)
    index = _index(ws, Collection.STATUTES, key, partial(_units, ws, snapshot.id, progress))
    asked = search(index, part, limit, order)
    found = _units_named(ws, snapshot.id, [hit.id for hit in asked.hits])
    counted = len(index.ids), asked.texts, asked.matches, asked.counts
    return CollectionFound(
        Collection.STATUTES, *counted, _hits(Collection.STATUTES, asked.hits, found)
    )


def _in_cases(
    ws: Workspace,
    project_id: int,
    cases: list[tuple[int, str]],
    part: Part,
    limit: int,
    order: Order,
    progress: Progress | None,
) -> CollectionFound:
    key = text_hash(repr([digest for _, digest in cases]))
    index = _index(ws, Collection.CASES, key, partial(_cases, ws, project_id, progress))
    asked = search(index, part, limit, order)
    found = _cases_named(ws, project_id, [hit.id for hit in asked.hits])
    counted = len(index.ids), asked.texts, asked.matches, asked.counts
    return CollectionFound(Collection.CASES, *counted, _hits(Collection.CASES, asked.hits, found))


def _index(
    ws: Workspace, collection: Collection, key: str, read: Callable[[], Iterator[SearchedText]]
) -> ConnectorIndex:
    content = text_hash(repr([key, VERSION, file_name()]))[:32]
    folder = ws.indexes / f"{NAME}-{collection}-{content}"

    def build() -> ConnectorIndex:
        return ConnectorIndex.build(read(), kept_words(ws.cache))

    return saved_index(folder, build, ConnectorIndex.load)


def _hits(
    collection: Collection, hits: Sequence[TextHit], found: Mapping[str, SearchedText]
) -> tuple[AuthorityHit, ...]:
    made = []
    for hit in hits:
        text = found[hit.id]
        places = marks(text, hit)
        made.append(
            AuthorityHit(_authority(collection, text), hit.matches, places.title, places.body)
        )
    return tuple(made)


def _authority(collection: Collection, text: SearchedText) -> Authority:
    return Authority(collection, text.id, text.title, text.body)


def _units(ws: Workspace, snapshot_id: int, progress: Progress | None) -> Iterator[SearchedText]:
    with ws.reading() as session:
        total = len(retrieval_ids(session, snapshot_id))
        yield from map(_unit_text, telling(placed_passages(session, snapshot_id), total, progress))


def _units_named(ws: Workspace, snapshot_id: int, names: list[str]) -> dict[str, SearchedText]:
    with ws.reading() as session:
        found = placed_passages_named(session, snapshot_id, names)
    return {name: _unit_text(each) for name, each in found.items()}


def _unit_text(placed: PlacedPassage) -> SearchedText:
    passage = placed.passage
    return SearchedText(passage.unit_id, passage.title, passage.text, *breaks_of(placed.parts))


def _cases(ws: Workspace, project_id: int, progress: Progress | None) -> Iterator[SearchedText]:
    with ws.reading() as session:
        lines = listed(session, project_id)
        for line in telling(lines, len(lines), progress):
            yield _case_text(line, texts(session, project_id, [line.id])[line.id])


def _cases_named(ws: Workspace, project_id: int, names: list[str]) -> dict[str, SearchedText]:
    with ws.reading() as session:
        lines = [each for each in listed(session, project_id) if each.external_id in set(names)]
        bodies = texts(session, project_id, [line.id for line in lines])
    return {line.external_id: _case_text(line, bodies[line.id]) for line in lines}


def _case_text(line: CaseLine, body: str) -> SearchedText:
    title = " ".join(each for each in (line.court, line.number, line.title) if each)
    begins = {*lines_of(body), *(start for _, start, _ in line.sections)}
    return SearchedText(line.external_id, title or line.external_id, body, sorted(begins))
