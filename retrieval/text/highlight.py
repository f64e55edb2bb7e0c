"""Where a text says what the question says, as spans to mark on the screen.

The rule, for Hangul, Han and Kana: mark every longest stretch in which each pair of neighbouring
characters also stands in the query, provided that one of the pairs is *strong*. A pair is strong
when it lies inside the stem of a query word; pairs that touch a particle or verb ending, and
those of function words (해당, 경우, 대하여 …), are weak: they lengthen a stretch but never make
one. So a query with ``건축물에서`` marks the whole of ``건축물에서`` but nothing in ``폐기물에서``.
Stretches that touch become one. Other words and numbers are marked whole when the query has them,
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

# What marks would say of every law: auxiliary verbs, and endings that tokenisers leave on a word.
_AUXILIARIES = """
하나 하나요 하나의 하는가 하는가요 있어야 없어야 있는가 되어야 돼야 않는 않은
"""
_VERB_ENDINGS = """
아야 어야 여야 해야 하여야 되어야 나요 는가 는가요 는지 은지 을지 어도 아도 려면
"""
_WEAK_WORDS = FUNCTION_WORDS | frozenset(_AUXILIARIES.split())
_ALL_ENDINGS = sorted({*ENDINGS, *_VERB_ENDINGS.split()}, key=lambda ending: (-len(ending), ending))
# A syllable stays before an ending of two or more (날부터), two before a particle (소방의).
_ENDING = re.compile(
    rf"(?<=.)(?:{'|'.join(each for each in _ALL_ENDINGS if len(each) > 1)})$"
    rf"|(?<=..)(?:{'|'.join(each for each in _ALL_ENDINGS if len(each) == 1)})$"
)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What a query asks for: character pairs (True where strong) and whole words."""

    pairs: dict[str, bool] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)


def matched_spans(query: str, text: str, tokeniser: str = DEFAULT) -> list[Span]:
    """Return the spans of `text` that match `query`, in order and apart from each other.

    `tokeniser` is the one the hit was found with: ``whitespace`` marks whole equal words, the
    others mark by the rule above. Takes time linear in the lengths. Raises UserError for an
    unknown tokeniser.
    """
    check_tokeniser(tokeniser)
    plain = lowered(text)
    alike = _stem if tokeniser in STEMMING else str
    if tokeniser == "whitespace":
        asked = {word for word in normal_form(query).split() if word not in FUNCTION_WORDS}
        return [found.span() for found in re.finditer(r"\S+", plain) if found[0] in asked]
    terms = _terms(normal_form(query), alike)
    numbers = {found.start(): found for found in _GROUPED.finditer(plain)}
    spans: list[Span] = []
    behind = 0  # the end of the last grouped number
    for found in RUN.finditer(plain):
        if found[1]:
            spans += _joined(_stretches(found[1], found.start(), terms.pairs))
            continue
        whole = numbers.get(found.start(), found)
        if found.start() >= behind and alike(whole[0]) in terms.words:
            spans.append(whole.span())
        behind = max(behind, whole.end())
    return spans


def densest_window(spans: Sequence[Span], length: int, width: int) -> Span:
    """Return the stretch of a text of `length` that holds the most of its marks.

    It is `width` characters long, or the whole text where that is shorter, and its first tenth is
    the run-up to the first mark that counts; among equal stretches the first. `spans` are ordered
    and apart, as :func:`matched_spans` returns them.
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
    return "".join(stem_of(word))  # nothing for a function word: no query asks for that


def _terms(query: str, alike: Callable[[str], str]) -> _Terms:
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


def _stretches(run: str, offset: int, pairs: dict[str, bool]) -> list[Span]:
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


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            start = joined.pop()[0]
        joined.append((start, end))
    return joined
