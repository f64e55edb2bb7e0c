"""Evaluation of queries on a positional index: matching texts, matches, and counts per part.

Texts are ranked by the number of matches of the whole query, most first, ties in the
order of the collection; or all in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from retrieval.connectors import spans as merging
from retrieval.connectors.index import ConnectorIndex
from retrieval.connectors.query import Connected, Either, Kind, Part, Phrase, parse, write
from retrieval.connectors.spans import Numbers, Spans
from retrieval.connectors.words import SearchedText, word_offsets


class Order(StrEnum):
    """The order of the texts found."""

    MATCHES = "matches"  # the most matches first
    COLLECTION = "collection"  # as the collection has them


@dataclass(frozen=True, slots=True)
class PartCount:
    """Number of matches of a part of a query, and of texts; `depth` is 0 for the whole."""

    text: str
    depth: int
    matches: int
    texts: int


@dataclass(frozen=True, slots=True)
class TextHit:
    """A text found: its number in the collection, its id and its matches.

    `words` are the first and last word of each match, counted from 0 in the title (`title`) or in
    the body.
    """

    number: int
    id: str
    matches: int
    title: tuple[tuple[int, int], ...]
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a query: `texts` in all, `matches` in all, and the requested texts."""

    query: str
    texts: int
    matches: int
    counts: tuple[PartCount, ...]
    hits: tuple[TextHit, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """Character spans of the matches in a text's title and body."""

    title: tuple[tuple[int, int], ...]
    body: tuple[tuple[int, int], ...]


def search(
    index: ConnectorIndex,
    query: str | Part,
    limit: int = 20,
    order: Order = Order.MATCHES,
    skip: int = 0,
) -> Found:
    """Search the index: `limit` texts after the first `skip`.

    Raises UserError for an invalid query; see `retrieval.connectors.query`.
    """
    part = parse(query) if isinstance(query, str) else query
    counts: list[PartCount] = []
    whole = _evaluated(index, part, 0, counts)
    texts, matches = merging.sections(whole, index.units)
    ranked = _ranked(matches, skip + limit, order)[skip:]
    hits = tuple(_text_hit(index, whole, int(texts[at]), int(matches[at])) for at in ranked)
    return Found(write(part), len(texts), len(whole), tuple(counts), hits)


def marks(text: SearchedText, hit: TextHit) -> Marks:
    """Return the character spans of the matches of `hit` in its text."""
    title, body = word_offsets(text)
    return Marks(_character_spans(title, hit.title), _character_spans(body, hit.words))


def _character_spans(
    words: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    return tuple((words[first][0], words[last][1]) for first, last in spans)


def _evaluated(index: ConnectorIndex, part: Part, depth: int, counts: list[PartCount]) -> Spans:
    """Evaluate a part; appends its count to `counts`, before those of its parts."""
    place = len(counts)
    counts.append(PartCount("", 0, 0, 0))
    match part:
        case Phrase(terms, exact):
            places = [index.positions(term, exact) for term in terms]
            found = merging.phrase(places)
        case Either(parts):
            found = merging.union(*(_evaluated(index, each, depth + 1, counts) for each in parts))
        case Connected():
            left = _evaluated(index, part.left, depth + 1, counts)
            right = _evaluated(index, part.right, depth + 1, counts)
            found = _apply_connector(index, part, left, right)
    texts = len(merging.sections(found, index.units)[0])
    counts[place] = PartCount(write(part), depth, len(found), texts)
    return found


def _apply_connector(index: ConnectorIndex, part: Connected, left: Spans, right: Spans) -> Spans:
    match part.connector.kind:
        case Kind.BEFORE:
            return merging.before(left, right, part.connector.n)
        case Kind.NEAR:
            return merging.near(left, right, part.connector.n)
        case Kind.SENTENCE_BEFORE:
            return merging.before_within(left, right, index.sentences)
        case Kind.PARAGRAPH_BEFORE:
            return merging.before_within(left, right, index.paragraphs)
        case Kind.SENTENCE | Kind.PARAGRAPH as kind:
            bounds = index.sentences if kind == Kind.SENTENCE else index.paragraphs
            return merging.within(merging.whole(left, bounds), merging.whole(right, bounds), bounds)
        case Kind.AND:
            return merging.within(left, right, index.units)
        case Kind.BUT_NOT:
            return merging.without(left, right, index.units)


def _ranked(matches: Numbers, most: int, order: Order) -> Numbers:
    if order == Order.COLLECTION or not len(matches):
        return np.arange(min(most, len(matches)))
    if 0 < most < len(matches):
        least = np.partition(matches, len(matches) - most)[len(matches) - most]
        near = np.flatnonzero(matches >= least)
    else:
        near = np.arange(len(matches))
    return near[np.argsort(-matches[near], kind="stable")][:most]


def _text_hit(index: ConnectorIndex, whole: Spans, number: int, matches: int) -> TextHit:
    title, body = int(index.fields[2 * number]), int(index.fields[2 * number + 1])
    first = int(np.searchsorted(whole.starts, title))
    starts = whole.starts[first : first + matches].tolist()
    ends = whole.ends[first : first + matches].tolist()
    spans = list(zip(starts, ends, strict=True))
    return TextHit(
        number,
        index.ids[number],
        matches,
        tuple((start - title, end - title) for start, end in spans if start < body),
        tuple((start - body, end - body) for start, end in spans if start >= body),
    )
