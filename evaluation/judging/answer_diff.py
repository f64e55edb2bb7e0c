"""Word-level comparison of two answers to one question, for reading them side by side.

Two answers by two authors say the same in another order and with other endings. So
a word of one is *shared* if the alignment pairs it with a word of the other, *moved* if the
other has it in another place, and *alone* if the other does not have it. Of a Korean word
the ending is compared apart from its stem (소화기를 and 소화기는 share 소화기); case and the commas
of numbers are ignored. Spaces, marks and function words (a, of, 및) are not
compared: they take the kind of the words around them, and are not counted.

`corpus.compare.diff` is for two states of one text; there order and every mark count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from corpus.compare.diff import shared_runs

_WORD = re.compile(
    r"제\d+(?:조의\d+|[조항호목편장절관])"  # a reference to a provision; 제3조제2항 is two of them
    r"|\d+(?:[.,]\d+)*"
    r"|[A-Za-z]+(?:['’][A-Za-z]+)*"
    r"|[가-힣]+"
    r"|[^\W\d_]+|_+"
)
# What may follow the stem of a Korean word, which has at least two syllables: particles, or forms
# of 하다, 되다 and 이다 with any ending.
_PARTICLE = "에서|에게|으로|까지|부터|마다|보다|처럼|[은는이가을를의에와과도만로]"
_VERB = "[하해한할합했함되된될됩됐돼됨입인임이][가-힣]*"
_ENDED = re.compile(rf"([가-힣]{{2,}}?)(?:{_VERB}|(?:{_PARTICLE})+)")
_LONGEST_WORD = 100  # syllables of a word that can have an ending; the longest have some twenty
_SLIGHT = frozenset(
    (
        *("a", "an", "the", "of", "in", "on", "at", "to", "by", "for", "and", "or", "as", "with"),
        *("및", "등"),
    )
)

Stretch = tuple[int, int, "DiffKind"]  # start, end, kind


class DiffKind(StrEnum):
    """Whether the other answer has a span in this place, in another place, or not at all."""

    SHARED = "shared"
    MOVED = "moved"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of one answer; the pieces of an answer concatenate to it."""

    kind: DiffKind
    text: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Two answers cut into pieces, with their word counts and the number of shared words."""

    one: tuple[Piece, ...]
    other: tuple[Piece, ...]
    words: tuple[int, int]
    shared: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A word with its span; `stem_end` is where its ending begins, if it has one."""

    start: int
    end: int
    stem_end: int
    key: str


def compare(one: str, other: str) -> Compared:
    """Return both answers in pieces, none empty, neighbours always of different kinds."""
    a, b = _words(one), _words(other)
    pairs = _aligned([each.key for each in a], [each.key for each in b])
    partner_a, partner_b = dict(pairs), {right: left for left, right in pairs}
    tails_a = {i: _common_end(one, a[i], other, b[k]) for i, k in partner_a.items()}
    tails_b = {k: _common_end(other, b[k], one, a[i]) for k, i in partner_b.items()}
    return Compared(
        _pieces(one, a, tails_a, {each.key for each in b}),
        _pieces(other, b, tails_b, {each.key for each in a}),
        (len(a), len(b)),
        len(pairs),
    )


def _words(text: str) -> list[_Word]:
    """Return the words of a text that are compared; articles and the like are left out."""
    every = (_word(found[0], found.start()) for found in _WORD.finditer(text))
    return [each for each in every if each.key not in _SLIGHT]


def _word(text: str, start: int) -> _Word:
    """Return a word with its stem apart from its ending, and a key for comparison."""
    end = start + len(text)
    plain = unicodedata.normalize("NFC", text)
    ended = _ENDED.fullmatch(plain) if len(plain) <= _LONGEST_WORD else None
    stem = plain if ended is None else ended[1]
    key = stem.replace(",", "").casefold()
    # In text that is not composed (NFC) the ending cannot be separated.
    return _Word(start, end, start + len(stem) if plain == text else end, key)


def _aligned(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of aligned words; none for texts too long to align."""
    runs = shared_runs(a, b) or []
    return [(i + n, k + n) for i, k, length in runs for n in range(length)]


def _common_end(text: str, word: _Word, other: str, pair: _Word) -> int:
    """Return the end of the part shared with a word's pair.

    The part is the stem and the common beginning of their endings.
    """
    mine, theirs = text[word.stem_end : word.end], other[pair.stem_end : pair.end]
    common = 0
    while common < min(len(mine), len(theirs)) and mine[common] == theirs[common]:
        common += 1
    return word.stem_end + common


def _pieces(
    text: str, words: Sequence[_Word], shared_to: dict[int, int], other_words: set[str]
) -> tuple[Piece, ...]:
    """Return a text in pieces: shared with the other, moved, or its own."""
    stretches: list[Stretch] = []
    for place, word in enumerate(words):
        if place in shared_to:
            middle = shared_to[place]
            stretches += [(word.start, middle, DiffKind.SHARED), (middle, word.end, DiffKind.ALONE)]
        else:
            kind = DiffKind.MOVED if word.key in other_words else DiffKind.ALONE
            stretches.append((word.start, word.end, kind))
    return tuple(_merged_pieces(text, _with_gaps(stretches, len(text))))


def _with_gaps(stretches: Iterable[Stretch], length: int) -> Iterator[Stretch]:
    """Yield the spans and the gaps between them; a gap has its neighbours' kind, if equal."""
    at, before = 0, DiffKind.SHARED
    words = [stretch for stretch in stretches if stretch[0] < stretch[1]]
    for start, end, kind in [*words, (length, length, DiffKind.SHARED)]:
        yield at, start, kind if kind is before else DiffKind.SHARED
        yield start, end, kind
        at, before = end, kind


def _merged_pieces(text: str, stretches: Iterable[Stretch]) -> Iterator[Piece]:
    """Yield the pieces of a text, neighbours of a kind joined."""
    filled = [stretch for stretch in stretches if stretch[0] < stretch[1]]
    for kind, run in groupby(filled, key=lambda each: each[2]):
        found = list(run)
        yield Piece(kind, text[found[0][0] : found[-1][1]])
