"""The indexes of a snapshot, and the search box that uses them.

Two indexes hold the same units: `text_index` everything that is searched of a unit, `title_index`
only its statute, label and heading.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.resolve import resolve
from jobs.saved_index import saved_index
from retrieval.bm25 import FORMAT, BM25Index
from retrieval.tokenise import DEFAULT
from retrieval.tokenise import tokeniser as check_tokeniser
from storage.corpus import catalogue_entries, snapshot_by_id
from storage.passages import Passage, passages_by_id, retrieval_corpus
from storage.workspace import Workspace

RECIPE = 1  # raise it when what is indexed of a unit, or how text is cut, changes
MAX_HITS = 200
_BARE_ARTICLE = re.compile(r"(?<![제\d.])(\d+조)")


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit that the search box offers.

    `unit_id` is its database id. `cited` says that the query names this very unit; otherwise
    `score` is its BM25 score.
    """

    unit_id: int
    semantic_id: str
    statute: str
    kind: str
    tier: int
    label: str
    heading: str
    text: str
    cited: bool
    score: float | None


def text_index(
    ws: Workspace, snapshot_id: int, tokeniser: str = DEFAULT, also: Collection[str] = ()
) -> BM25Index:
    """Return the index over the whole of each unit; made once, then read from the workspace.

    `also` names units outside the retrieval corpus that must be found too. Raises UserError for
    an unknown tokeniser, KeyError for an unknown snapshot.
    """
    return _index(ws, snapshot_id, "text", tokeniser, also)


def title_index(ws: Workspace, snapshot_id: int, tokeniser: str = DEFAULT) -> BM25Index:
    """Return the index over the statute title, label and heading of each unit."""
    return _index(ws, snapshot_id, "title", tokeniser, ())


def search_units(ws: Workspace, snapshot_id: int, query: str, k: int = 20) -> list[UnitHit]:
    """Return up to `k` units for what somebody typed, best first.

    Units that the query cites ("건축법 64조") come first, in the order cited, then BM25's.
    """
    k = max(0, min(k, MAX_HITS))
    cited = _cited(ws, snapshot_id, query)
    scores: dict[str, float | None] = dict.fromkeys(cited)
    for hit in text_index(ws, snapshot_id).search(query, k):
        scores.setdefault(hit.unit_id, hit.score)
    wanted = list(scores)[:k]
    with ws.reading() as session:
        passages = passages_by_id(session, snapshot_id, wanted)
    return [
        _hit(passages[unit_id], unit_id in cited, scores[unit_id])
        for unit_id in wanted
        if unit_id in passages
    ]


def catalogue(ws: Workspace, snapshot_id: int) -> Catalogue:
    """Return the catalogue that citations resolve against; kept in memory for the snapshot."""
    with ws.reading() as session:
        digest = snapshot_by_id(session, snapshot_id).content_hash
    return _catalogue(_Source(ws), snapshot_id, digest)


class _Source:
    """A workspace as a cache key: two objects for one database are the same."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws

    def __hash__(self) -> int:
        return hash(self.ws.database)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and other.ws.database == self.ws.database


@lru_cache(maxsize=4)
def _catalogue(source: _Source, snapshot_id: int, _digest: str) -> Catalogue:
    with source.ws.reading() as session:
        return Catalogue(catalogue_entries(session, snapshot_id))


def _cited(ws: Workspace, snapshot_id: int, query: str) -> list[str]:
    # People leave out the 제 of 제64조 when they type, which official answers never do.
    text = _BARE_ARTICLE.sub(r"제\1", query)
    citations = find(text)
    if not citations:
        return []
    resolutions = resolve(citations, text, catalogue(ws, snapshot_id))
    units = [target.unit_id for each in resolutions for target in each.targets]
    return list(dict.fromkeys(units))


def _index(
    ws: Workspace, snapshot_id: int, field: str, cut: str, also: Collection[str]
) -> BM25Index:
    check_tokeniser(cut)  # refuse an unknown one before it becomes part of a folder's name

    def build() -> BM25Index:
        with ws.reading() as session:
            corpus = retrieval_corpus(session, snapshot_id, also)
        ids = [passage.unit_id for passage in corpus]
        texts = [p.searched if field == "text" else p.title for p in corpus]
        return BM25Index.fit(ids, texts, cut)

    return saved_index(_folder(ws, snapshot_id, field, cut, also), build)


def _folder(ws: Workspace, snapshot_id: int, field: str, cut: str, also: Collection[str]) -> Path:
    with ws.reading() as session:
        digest = snapshot_by_id(session, snapshot_id).content_hash
        extra = passages_by_id(session, snapshot_id, also)
    name = f"{digest[:24]}-{field}-{cut}-bm25-{FORMAT}.{RECIPE}"
    if extra:
        said = "\n".join(f"{unit_id} {extra[unit_id].searched}" for unit_id in sorted(extra))
        name += "-" + sha256(said.encode()).hexdigest()[:12]
    return ws.folder / "index" / name


def _hit(passage: Passage, cited: bool, score: float | None) -> UnitHit:
    return UnitHit(
        unit_id=passage.row_id,
        semantic_id=passage.unit_id,
        statute=passage.statute,
        kind=passage.kind,
        tier=passage.tier,
        label=passage.label,
        heading=passage.heading,
        text=passage.text,
        cited=cited,
        score=score,
    )
