"""Terms and connectors by brute force: each text is walked word by word, with no index.

It shares with the product what a word, a sentence and a paragraph is, and what a query says; how a
query is matched is written here anew from the description, for the index to be compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from retrieval.connectors.query import ANY, Connected, Either, Kind, Part, Phrase, Term
from retrieval.connectors.words import (
    FIELD,
    PARAGRAPH,
    STOPS,
    SearchedText,
    pieces,
    query_base_form,
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its field (0 title, 1 body), and its paragraph and sentence within all."""

    text: str
    field: int
    paragraph: int
    sentence: int


def words_in(text: SearchedText) -> list[Word]:
    """Return the words of a text in order."""
    found = []
    field, paragraph, sentence = -1, 0, 0
    for piece in pieces(text):
        if piece in (FIELD, PARAGRAPH, *STOPS):
            field += piece == FIELD
            paragraph += piece in (FIELD, PARAGRAPH)
            sentence += 1
        else:
            found.append(Word(piece, field, paragraph, sentence))
    return found


def matches(part: Part, words: list[Word], bases: Mapping[str, set[str]]) -> set[Span]:
    """Return the spans (first and last word) at which a query matches; empty where it does not.

    `bases` are the bases of every word of the text.
    """
    match part:
        case Phrase(terms, exact):
            return set(_phrase(terms, exact, words, bases))
        case Either(parts):
            return {span for each in parts for span in matches(each, words, bases)}
        case Connected(connector, left, right):
            lefts, rights = matches(left, words, bases), matches(right, words, bases)
            return _connected(connector.kind, connector.n, lefts, rights, words)


def _phrase(
    terms: tuple[Term, ...], exact: bool, words: list[Word], bases: Mapping[str, set[str]]
) -> Iterable[Span]:
    for first in range(len(words) - len(terms) + 1):
        here = words[first : first + len(terms)]
        if len({each.field for each in here}) == 1 and all(
            _fits(term, exact, word.text, bases[word.text])
            for term, word in zip(terms, here, strict=True)
        ):
            yield first, first + len(terms) - 1


def _fits(term: Term, exact: bool, word: str, bases: set[str]) -> bool:
    if ANY in term.text:
        pattern = ".".join(map(re.escape, term.text.split(ANY))) + (".*" if term.root else "")
        against = {word} if exact or term.root else bases
        return any(re.fullmatch(pattern, each) for each in against)
    if term.root:
        return word.startswith(term.text)
    return word == term.text if exact else query_base_form(term.text) in bases


def _connected(
    kind: Kind, n: int, lefts: set[Span], rights: set[Span], words: list[Word]
) -> set[Span]:
    if kind == Kind.BUT_NOT:
        return set() if rights else lefts
    if kind == Kind.AND:
        return lefts | rights if lefts and rights else set()
    if kind == Kind.NEAR:
        close = {(a, b) for a in lefts for b in rights if _apart(words, a, b, n)}
        return {a for a, _ in close} | {b for _, b in close}
    if kind == Kind.BEFORE:
        return _nearest({(a, b) for a in lefts for b in rights if _after(words, a, b, n)})
    name = "sentence" if kind in (Kind.SENTENCE, Kind.SENTENCE_BEFORE) else "paragraph"
    together = {
        (a, b)
        for a in lefts
        for b in rights
        if len({getattr(words[at], name) for at in (*a, *b)}) == 1
    }
    if kind in (Kind.SENTENCE, Kind.PARAGRAPH):
        return {a for a, _ in together} | {b for _, b in together}
    return _nearest({(a, b) for a, b in together if a[1] < b[0]})


def _after(words: list[Word], a: Span, b: Span, n: int) -> bool:
    return words[a[0]].field == words[b[0]].field and 0 < b[0] - a[1] <= n


def _apart(words: list[Word], a: Span, b: Span, n: int) -> bool:
    return _after(words, a, b, n) or _after(words, b, a, n)


def _nearest(pairs: set[tuple[Span, Span]]) -> set[Span]:
    """Join each left with its nearest right, and each right with its nearest left."""
    found = set()
    for a, b in pairs:
        next_after = min(right for left, right in pairs if left == a)
        last_before = max((left[1], left[0]) for left, right in pairs if right == b)
        if b == next_after or (a[1], a[0]) == last_before:
            found.add((a[0], b[1]))
    return found
