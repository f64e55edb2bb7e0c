"""BM25 indexes of a snapshot, and the search box over them.

Both indexes hold the same units: `text_index` all searched text of a unit, `title_index` only its
statute, label and heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from corpus.citations.find import find
from corpus.citations.instruments import places_typed
from corpus.citations.resolve import resolve
from corpus.long_work import Progress
from normalization.hashing import text_hash
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document
from retrieval.lexical.bm25_method import BM25, BM25Index
from services.runs.methods.preparation import corpus_of, ready
from storage.db.workspace import Workspace
from storage.law.catalogues import catalogue
from storage.law.passages import Passage, passages_by_id, retrieval_corpus, retrieval_jurisdictions

MAX_HITS = 200
_PLACES = 8  # units at a place typed without its instrument's full name
_BARE_ARTICLE = re.compile(r"(?<![제\d.])(\d+조)")


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A hit of the search box. `score` is BM25's, None if the query cites the unit."""

    passage: Passage
    score: float | None

    @property
    def cited(self) -> bool:
        """Whether the query cites the unit, or its place without the full name."""
        return self.score is None


def text_index(
    ws: Workspace,
    snapshot_id: int,
    progress: Progress | None = None,
    jurisdictions: Sequence[str] = (),
) -> BM25Index:
    """Return the BM25 index over the text of articles, sections and annexes, built if missing.

    It is the index that a run of BM25 by default uses, over articles, sections and annexes,
    whatever levels the project's runs search. `progress(done, total)` is called while it is built;
    those of `jurisdictions` are built with it. Raises KeyError for an unknown snapshot.
    """
    return _index(ws, corpus_of(ws, snapshot_id), progress, jurisdictions)


def title_index(
    ws: Workspace,
    snapshot_id: int,
    progress: Progress | None = None,
    jurisdictions: Sequence[str] = (),
) -> BM25Index:
    """Return the BM25 index over titles, labels and headings of the units of `text_index`."""
    return _index(ws, _title_corpus(ws, snapshot_id), progress, jurisdictions)


def search_units(ws: Workspace, snapshot_id: int, query: str, k: int = 20) -> list[UnitHit]:
    """Return up to `k` units for a typed query, best first.

    Units that the query cites ("건축법 64조") come first, in the order cited, then those at a place
    typed without the instrument's full name ("64조"), then BM25's.
    """
    k = max(0, min(k, MAX_HITS))
    cited = _cited_units(ws, snapshot_id, query)
    scores: dict[str, float | None] = dict.fromkeys(cited)
    for hit in text_index(ws, snapshot_id).search(query, k):
        scores.setdefault(hit.unit_id, hit.score)
    wanted = list(scores)[:k]
    with ws.reading() as session:
        passages = passages_by_id(session, snapshot_id, wanted)
    return [UnitHit(passages[unit], scores[unit]) for unit in wanted if unit in passages]


def _cited_units(ws: Workspace, snapshot_id: int, query: str) -> list[str]:
    """Return ids of units that a query cites, then of those at a place without the full name."""
    # People leave out the 제 of 제64조 when they type, which official answers never do.
    text = _BARE_ARTICLE.sub(r"제\1", query)
    citations = find(text)
    if not citations:
        return []
    law = catalogue(ws, snapshot_id)
    resolutions = resolve(citations, text, law)
    units = [target.unit_id for resolution in resolutions for target in resolution.targets]
    return list(dict.fromkeys([*units, *places_typed(text, resolutions, law, _PLACES)]))


def _index(
    ws: Workspace,
    corpus: Corpus,
    progress: Progress | None,
    jurisdictions: Sequence[str],
) -> BM25Index:
    """Return the cached BM25 index of a corpus, with those of its parts for `jurisdictions`."""
    using = Resources(folder=ws.cache, progress=progress)
    method = ready(ws, {"method": BM25.NAME}, corpus, using, jurisdictions)
    return BM25Index(cast(BM25, method))


def _title_corpus(ws: Workspace, snapshot_id: int) -> Corpus:
    """Return the corpus of `corpus_of` with only the title of each unit as text."""
    whole = corpus_of(ws, snapshot_id)

    def read() -> Sequence[Document]:
        """Return the titles of the units."""
        with ws.reading() as session:
            found = retrieval_corpus(session, snapshot_id)
        return [Document(each.unit_id, body=each.title) for each in found]

    fingerprint = text_hash(f"{whole.fingerprint} titles")
    with ws.reading() as session:
        of = retrieval_jurisdictions(session, snapshot_id)
    return Corpus(whole.ids, fingerprint, read, of)
