"""What two answers to one question share, word by word: for reading one beside the other.

Two answers are written by two hands: they say the same in another order and with other endings. So
a word of one is *shared* where the alignment pairs it with a word of the other, *moved* where the
other says it in another place, and *alone* where the other does not say it at all. Of a Korean word
the ending is compared apart from its stem (소화기를 and 소화기는 share 소화기), of any word neither
its case nor the commas of a number count. Spaces, marks and slight words (a, of, 및) are never told
apart: they take the kind of the words around them, and are not counted.

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
    r"제\d+(?:조의\d+|[조항호목편장절관])"  # a place in a law; 제3조제2항 is two of them
    r"|\d+(?:[.,]\d+)*"
    r"|[A-Za-z]+(?:['’][A-Za-z]+)*"
    r"|[가-힣]+"
    r"|[^\W\d_]+|_+"
)
# What may follow the stem of a Korean word, which keeps two syllables: particles, or the forms of
# 하다, 되다 and 이다 with whatever they end in.
_PARTICLE = "에서|에게|으로|까지|부터|마다|보다|처럼|[은는이가을를의에와과도만로]"
_VERB = "[하해한할합했함되된될됩됐돼됨입인임이][가-힣]*"
_ENDED = re.compile(rf"([가-힣]{{2,}}?)(?:{_VERB}|(?:{_PARTICLE})+)")
_LONGEST_WORD = 100  # syllables of a word that can have an ending; the longest have some twenty
_SLIGHT = frozenset(
    (
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "by",
        "for",
        "and",
        "or",
        "as",
        "with",
        "및",
        "등",
    )
)

Stretch = tuple[int, int, "DiffKind"]  # where it starts and ends, and what it is


class DiffKind(StrEnum):
    """Whether the other answer says a stretch in this place, in another place, or not at all."""

    SHARED = "shared"
    MOVED = "moved"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one answer; the pieces of an answer concatenate to it."""

    kind: DiffKind
    text: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Two answers cut into pieces, and how many words each has and shares in place."""

    one: tuple[Piece, ...]
    other: tuple[Piece, ...]
    words: tuple[int, int]
    shared: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A word where it stands in a text; `stem_end` is where its ending begins, if it has one."""

    start: int
    end: int
    stem_end: int
    key: str


def compare(one: str, other: str) -> Compared:
    """Return both answers in pieces. No piece is empty, and no two neighbours are of one kind."""
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
    every = (_word(found[0], found.start()) for found in _WORD.finditer(text))
    return [each for each in every if each.key not in _SLIGHT]


def _word(text: str, start: int) -> _Word:
    end = start + len(text)
    plain = unicodedata.normalize("NFC", text)
    ended = _ENDED.fullmatch(plain) if len(plain) <= _LONGEST_WORD else None
    stem = plain if ended is None else ended[1]
    key = stem.replace(",", "").casefold()
    # In text that is not composed (NFC) the ending cannot be cut off, and is not told apart.
    return _Word(start, end, start + len(stem) if plain == text else end, key)


def _aligned(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the words that an alignment pairs; none in texts too long for one."""
    runs = shared_runs(a, b) or []
    return [(i + n, k + n) for i, k, length in runs for n in range(length)]


def _common_end(text: str, word: _Word, other: str, pair: _Word) -> int:
    """Return the offset up to which a word is like its pair: its stem, and what their endings
    begin with in common.
    """
    mine, theirs = text[word.stem_end : word.end], other[pair.stem_end : pair.end]
    common = 0
    while common < min(len(mine), len(theirs)) and mine[common] == theirs[common]:
        common += 1
    return word.stem_end + common


def _pieces(
    text: str, words: Sequence[_Word], shared_to: dict[int, int], said: set[str]
) -> tuple[Piece, ...]:
    stretches: list[Stretch] = []
    for place, word in enumerate(words):
        if place in shared_to:
            middle = shared_to[place]
            stretches += [(word.start, middle, DiffKind.SHARED), (middle, word.end, DiffKind.ALONE)]
        else:
            kind = DiffKind.MOVED if word.key in said else DiffKind.ALONE
            stretches.append((word.start, word.end, kind))
    return tuple(_joined(text, _with_gaps(stretches, len(text))))


def _with_gaps(stretches: Iterable[Stretch], length: int) -> Iterator[Stretch]:
    """Yield the stretches and what lies between them, which is of their kind if they are of one."""
    at, before = 0, DiffKind.SHARED
    words = [stretch for stretch in stretches if stretch[0] < stretch[1]]
    for start, end, kind in [*words, (length, length, DiffKind.SHARED)]:
        yield at, start, kind if kind is before else DiffKind.SHARED
        yield start, end, kind
        at, before = end, kind


def _joined(text: str, stretches: Iterable[Stretch]) -> Iterator[Piece]:
    filled = [stretch for stretch in stretches if stretch[0] < stretch[1]]
    for kind, run in groupby(filled, key=lambda each: each[2]):
        found = list(run)
        yield Piece(kind, text[found[0][0] : found[-1][1]])
