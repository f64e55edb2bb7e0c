"""Candidate provisions for one question: those that its answer cites, then similar ones.

Three sources, always in this order: units that citations resolve to; titles found with each
citation string that did not resolve (BM25 over title, label and heading); texts found with the
question and its answer (BM25 over everything, or another retrieval method). A unit appears once,
with every reason for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice, zip_longest
from typing import Protocol, TypeVar

from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.instruments import units_near
from corpus.citations.model import NameKind, Reason, Resolution, Role, label, without_code
from corpus.citations.resolve import resolve
from corpus.model import Question
from retrieval.core.model import Hit
from retrieval.lexical.bm25_method import BM25Index

_T = TypeVar("_T")
TITLES_PER_CITATION = 3
TITLES_IN_ALL = 4
KIN_IN_ALL = 2  # alternative places of a relative citation
REMAINING = 4  # an ambiguous citation with more possible units is ignored
TEXT_DEPTH = 2_000  # search depth where an instrument is cited without a place
TEXTS_PER_INSTRUMENT = 4


class Searched(Protocol):
    """A search engine: an index, or a whole retrieval method."""

    def search(self, query: str, k: int) -> Sequence[Hit]:
        """Return the best `k` units, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Why:
    """One reason for a candidate.

    `source` is ``citation``, ``title``, ``text``, ``source`` (a label of the data) or ``pool``: by
    text or a label, and not told which. `rank` (from 1) and `score` are those of the search, else
    None. `citation` is the index of the citation behind the reason, None without one. `pinpoint` is
    the part cited, empty if none.
    """

    source: str
    rank: int | None = None
    score: float | None = None
    citation: int | None = None
    pinpoint: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate provision; `rank` counts from 1."""

    unit_id: str
    rank: int
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """The citations of an answer with their resolutions, and the candidates in order."""

    citations: tuple[Resolution, ...]
    candidates: tuple[Candidate, ...]


_Reasons = dict[str, list[Why]]
"""Units with their reasons, in order of first proposal."""


def _first(reasons: _Reasons, limit: int) -> tuple[Candidate, ...]:
    """Return at most `limit` units, in the order they were added, as candidates ranked from 1."""
    ranked = enumerate(islice(reasons.items(), limit), 1)
    return tuple(Candidate(unit, rank, tuple(why)) for rank, (unit, why) in ranked)


def propose(
    question: Question, catalogue: Catalogue, titles: BM25Index, texts: Searched, limit: int = 20
) -> CandidateSet:
    """Return at most `limit` candidates for `question`, but every resolved unit.

    `texts` searches units by their text, usually with BM25. Deterministic for equal input.
    """
    asked = resolve(find(question.text), question.text, catalogue)
    resolutions = resolve(find(question.answer), question.answer, catalogue, asked)
    reasons: _Reasons = defaultdict(list)
    _add_cited(reasons, resolutions)
    cited = len(reasons)
    _add_ambiguous(reasons, resolutions)
    _add_titles(reasons, resolutions, titles)
    _add_related(reasons, resolutions, catalogue)
    _add_texts(reasons, question, resolutions, catalogue, texts, limit)
    return CandidateSet(tuple(resolutions), _first(reasons, max(limit, cited)))


def behind_labels(labelled: Sequence[str], proposed: CandidateSet) -> CandidateSet:
    """Put the units that the source of a question labels before those proposed."""
    reasons: _Reasons = defaultdict(list)
    for unit_id in dict.fromkeys(labelled):
        reasons[unit_id].append(Why("source"))
    for each in proposed.candidates:
        for why in each.why:
            reasons[each.unit_id].append(why)
    return CandidateSet(proposed.citations, _first(reasons, len(reasons)))


def pooled(labelled: Sequence[str], proposed: CandidateSet, salt: str) -> CandidateSet:
    """Mix the units that the source of a question labels into those proposed, unrecognisably.

    What citations and titles propose stays first. The rest is in an order that depends on `salt`
    and unit alone, without ranks, and there are as many candidates as without the labels, unless
    there are more labels than places.
    """
    named = {
        each.unit_id: tuple(w for w in each.why if w.source != "text")
        for each in proposed.candidates
    }
    fixed = [unit for unit, why in named.items() if why]
    mixed = [unit for unit in dict.fromkeys(labelled) if unit not in fixed]
    others = (unit for unit, why in named.items() if not why and unit not in mixed)
    mixed += islice(others, max(0, len(named) - len(fixed) - len(mixed)))
    mixed.sort(key=lambda unit: blake2b(f"{salt} {unit}".encode()).digest())
    whys = [*((unit, named[unit]) for unit in fixed), *((unit, (Why("pool"),)) for unit in mixed)]
    ranked = tuple(Candidate(unit, rank, why) for rank, (unit, why) in enumerate(whys, 1))
    return CandidateSet(proposed.citations, ranked)


def _add_cited(reasons: _Reasons, resolutions: Sequence[Resolution]) -> None:
    """Add each unit that a resolved citation points to, once per citation and pinpoint."""
    for index, one in enumerate(resolutions):
        for target in one.targets:
            why = Why("citation", citation=index, pinpoint=target.pinpoint)
            if why not in reasons.get(target.unit_id, ()):
                reasons[target.unit_id].append(why)


def _add_ambiguous(reasons: _Reasons, resolutions: Sequence[Resolution]) -> None:
    """Add the possible units of an ambiguous or obsolete citation, if they are few."""
    for index, one in enumerate(resolutions):
        guessed = one.reason is Reason.NO_SUCH_INSTRUMENT  # left to the titles
        if len(one.unit_ids) <= REMAINING and not guessed:
            for unit_id in one.unit_ids:
                reasons[unit_id].append(Why("citation", citation=index))


def _add_titles(reasons: _Reasons, resolutions: Sequence[Resolution], titles: BM25Index) -> None:
    """Search the titles with each citation string; take the best of every citation in turn.

    Where the corpus lacks the instrument, units of those that its short name may mean come first.
    """
    lists = []
    for index, query in _title_queries(resolutions):
        hits = titles.search(query, TITLES_PER_CITATION)
        found = [(h.unit_id, Why("title", r, h.score, index)) for r, h in enumerate(hits, 1)]
        if resolutions[index].reason is Reason.NO_SUCH_INSTRUMENT:
            likely = resolutions[index].unit_ids[:TITLES_PER_CITATION]
            ranked = enumerate(likely, 1)
            found = [*((unit, Why("title", rank, citation=index)) for rank, unit in ranked), *found]
        lists.append(found)
    new = 0
    for unit_id, why in _in_turn(lists):
        if unit_id not in reasons:
            if new == TITLES_IN_ALL:
                continue
            new += 1
        reasons[unit_id].append(why)


def _add_related(
    reasons: _Reasons, resolutions: Sequence[Resolution], catalogue: Catalogue
) -> None:
    """Add alternatives of a relative citation: for 법 제23조 the decree's article 23.

    Families are those cited in the answer, the citation's own first.
    """
    cited = [catalogue.by_id(t.unit_id.rpartition("_")[0]) for r in resolutions for t in r.targets]
    families = list(dict.fromkeys(one.base for one in cited if one))
    new = 0
    for index, one in enumerate(resolutions):
        if one.citation.mention.kind not in _POINTING:
            continue
        units = {target.unit_id for target in one.targets}
        own = {i.base for u in units if (i := catalogue.by_id(u.rpartition("_")[0]))}
        for base in sorted(families, key=lambda base: base not in own):
            for unit_id in _places_in(base, one, catalogue):
                if unit_id not in reasons and new < KIN_IN_ALL:
                    new += 1
                    reasons[unit_id].append(Why("title", new, citation=index))


def _places_in(base: str, one: Resolution, catalogue: Catalogue) -> list[str]:
    """Return the ids of the units at the cited places in every instrument of a family."""
    kin = [i for role in _ROLES for i in catalogue.in_family(base, role)]
    return [u for i in kin for p in one.citation.places for u in units_near(i, p)]


_POINTING = (NameKind.LEVEL, NameKind.SAME, NameKind.NONE)
_ROLES = (Role.ACT, Role.DECREE, Role.RULE)


def _title_queries(resolutions: Sequence[Resolution]) -> list[tuple[int, str]]:
    """Return (citation index, query) for every distinct place cited, under every possible title.

    Places come without their parts: 제1항제2호 would only find articles 1 and 2, and titles without
    their code: NFTC 102 would find article 102. A predecessor is searched under each of its
    successors. A citation that names no place is left to the texts: a title alone cannot tell one
    article from another. Instruments that the corpus lacks come last, because units with similar
    titles are seldom meant.
    """
    queries: dict[str, int] = {}
    for index, one in sorted(enumerate(resolutions), key=lambda pair: _is_lacking(pair[1])):
        places = " ".join(dict.fromkeys(label(p, one.citation.text) for p in one.citation.places))
        if not places:
            continue
        title = one.instrument_title or ""
        if one.reason is Reason.SUPERSEDED and not one.unit_ids:
            title = one.citation.mention.name or one.citation.mention.text
        for name in title.split(", ") if one.reason in _REPLACED else [title]:
            name = without_code(name)
            if name or not title:
                queries.setdefault(f"{name} {places}".strip(), index)
    return [(index, query) for query, index in queries.items()]


_REPLACED = (Reason.PREDECESSOR, Reason.SUPERSEDED)


def _is_lacking(one: Resolution) -> bool:
    """Return True if the corpus lacks the cited instrument and has no unit of a successor."""
    superseded = one.reason is Reason.SUPERSEDED and not one.unit_ids
    return superseded or one.reason is Reason.NO_SUCH_INSTRUMENT


def _add_texts(
    reasons: _Reasons,
    question: Question,
    resolutions: Sequence[Resolution],
    catalogue: Catalogue,
    texts: Searched,
    limit: int,
) -> None:
    """Search the texts; units of instruments cited without a place come first.

    Only for them it searches deep: a shorter ranking is the beginning of a longer one.
    """
    instruments = _named_only(resolutions, catalogue)
    depth = max(limit, TEXT_DEPTH) if instruments else limit
    hits = texts.search(f"{question.text} {question.answer}", depth)
    named = []
    for statute_id in instruments:
        own = (at for at, h in enumerate(hits) if h.unit_id.rpartition("_")[0] == statute_id)
        named.append(list(islice(own, TEXTS_PER_INSTRUMENT)))
    for at in dict.fromkeys([*_in_turn(named), *range(min(limit, len(hits)))]):
        reasons[hits[at].unit_id].append(Why("text", at + 1, hits[at].score))


def _named_only(resolutions: Sequence[Resolution], catalogue: Catalogue) -> list[str]:
    """Return the ids of the instruments that are cited, but never with a place, in order.

    The successors of a superseded standard count too, if they have nothing at the place cited.
    """
    placed = {t.unit_id.rpartition("_")[0] for one in resolutions for t in one.targets}
    found: dict[str, None] = {}
    for one in resolutions:
        titles = one.instrument_title or ""
        superseded = one.reason is Reason.SUPERSEDED and not one.unit_ids
        if superseded or one.reason is Reason.NAMES_INSTRUMENT_ONLY:
            for title in titles.split(", ") if superseded else [titles]:
                for instrument in catalogue.by_title(title):
                    found.setdefault(instrument.statute_id)
    return [s for s in found if s not in placed]


def _in_turn(lists: Iterable[list[_T]]) -> list[_T]:
    """Interleave the lists: the first of each, then the second of each, and so on."""
    missing = object()
    rows = zip_longest(*lists, fillvalue=missing)
    return [one for row in rows for one in row if one is not missing]  # type: ignore[misc]
