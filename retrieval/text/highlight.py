"""Spans of a text that match a query, for highlighting.

The rule, for Hangul, Han and Kana: mark every longest stretch in which each pair of neighbouring
characters also occurs in the query, provided that one of the pairs is *strong*. A pair is strong
when it lies inside the stem of a query word; pairs that touch a particle or verb ending, and
those of function words (해당, 경우, 대하여 …), are weak: they lengthen a stretch but never make
one. So a query with ``건축물에서`` marks the whole of ``건축물에서`` but nothing in ``폐기물에서``.
Adjacent stretches are merged. Other words and numbers are marked whole when the query has them,
unless they are one character long or function words; 5,000 and 2.1 are one number each. Where the
tokeniser stems English, a word is marked when the query has one of its stem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from normalization import lowered
from retrieval.text.morphemes import ENDINGS, FUNCTION_WORDS, RUN, normal_form, stem_of
from retrieval.text.tokenise import DEFAULT, STEMMING
from retrieval.text.tokenise import tokeniser as check_tokeniser

Span = tuple[int, int]
_GROUPED = re.compile(r"(?<![a-z0-9.,])\d+(?:[.,]\d+)+")

# Words that would be marked in every law: auxiliary verbs, and endings left on a word.
_AUXILIARIES = """
하나 하나요 하나의 하는가 하는가요 있어야 없어야 있는가 되어야 돼야 않는 않은
"""
_VERB_ENDINGS = """
아야 어야 여야 해야 하여야 되어야 나요 는가 는가요 는지 은지 을지 어도 아도 려면
"""
_WEAK_WORDS = FUNCTION_WORDS | frozenset(_AUXILIARIES.split())
_ALL_ENDINGS = sorted({*ENDINGS, *_VERB_ENDINGS.split()}, key=lambda ending: (-len(ending), ending))
# An ending of two or more (날부터) leaves at least one syllable, a particle (소방의) two.
_ENDING = re.compile(
    rf"(?<=.)(?:{'|'.join(each for each in _ALL_ENDINGS if len(each) > 1)})$"
    rf"|(?<=..)(?:{'|'.join(each for each in _ALL_ENDINGS if len(each) == 1)})$"
)


@dataclass(frozen=True, slots=True)
class _Terms:
    """A query's terms: character pairs (True where strong) and whole words."""

    pairs: dict[str, bool] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)


def matched_spans(query: str, text: str, tokeniser: str = DEFAULT) -> list[Span]:
    """Return the spans of `text` that match `query`, ordered and disjoint.

    `tokeniser` is that of the search: ``whitespace`` marks whole equal words, the
    others mark by the rule above. Takes time linear in the lengths. Raises UserError for an
    unknown tokeniser.
    """
    check_tokeniser(tokeniser)
    plain = lowered(text)
    alike = _stem if tokeniser in STEMMING else str
    if tokeniser == "whitespace":
        asked = {word for word in normal_form(query).split() if word not in FUNCTION_WORDS}
        return [found.span() for found in re.finditer(r"\S+", plain) if found[0] in asked]
    terms = _query_terms(normal_form(query), alike)
    numbers = {found.start(): found for found in _GROUPED.finditer(plain)}
    spans: list[Span] = []
    behind = 0  # the end of the last grouped number
    for found in RUN.finditer(plain):
        if found[1]:
            spans += _merged(_matched_stretches(found[1], found.start(), terms.pairs))
            continue
        whole = numbers.get(found.start(), found)
        if found.start() >= behind and alike(whole[0]) in terms.words:
            spans.append(whole.span())
        behind = max(behind, whole.end())
    return spans


def densest_window(spans: Sequence[Span], length: int, width: int) -> Span:
    """Return the window of `width` in a text of `length` that covers most of its marked `spans`.

    It is `width` characters long, or the whole text where that is shorter; its first tenth precedes
    the first mark that counts; the first of equal windows wins. `spans` are ordered
    and disjoint, as :func:`matched_spans` returns them.
    """
    run_up = width // 10
    best, best_start, inside, last = -1, 0, 0, 0
    for first, (start, _) in enumerate(spans):
        while last < len(spans) and spans[last][1] <= start + width - run_up:
            inside += spans[last][1] - spans[last][0]
            last += 1
        if inside > best:
            best, best_start = inside, start
        if last > first:
            inside -= spans[first][1] - spans[first][0]
        else:
            last = first + 1  # a mark longer than the window
    lead = max(0, min(best_start - run_up, length - width))
    return lead, min(length, lead + width)


def _stem(word: str) -> str:
    """Return the stem of a word, "" for a function word."""
    return "".join(stem_of(word))  # empty for a function word, which no query has as a term


def _query_terms(query: str, alike: Callable[[str], str]) -> _Terms:
    """Return the terms of a query in normal form; words are stored in the form `alike` gives."""
    terms = _Terms(words=set(_GROUPED.findall(query)))
    query = _GROUPED.sub(" ", query)
    for run, word in RUN.findall(query):
        if len(word) > 1 and word not in FUNCTION_WORDS:
            terms.words.add(alike(word))
        bare = _ENDING.sub("", run)
        stem = 0 if {run, bare} & _WEAK_WORDS else len(bare)
        for i in range(len(run) - 1):
            pair = run[i : i + 2]
            terms.pairs[pair] = terms.pairs.get(pair, False) or i + 2 <= stem
    return terms


def _matched_stretches(run: str, offset: int, pairs: dict[str, bool]) -> list[Span]:
    """Return the stretches of a run that are covered by matching character pairs."""
    spans: list[Span] = []
    start, strong = 0, False
    for i in range(len(run)):
        kind = pairs.get(run[i : i + 2])  # the last one is a single character: never a pair
        strong = strong or bool(kind)
        if kind is None:
            if strong:
                spans.append((offset + start, offset + i + 1))
            start, strong = i + 1, False
    return spans


def _merged(spans: list[Span]) -> list[Span]:
    """Join spans that touch."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            start = joined.pop()[0]
        joined.append((start, end))
    return joined
