"""Word diff of two texts.

Texts are compared by line, then by word within the lines that differ, then within the words that
differ by their common prefix and suffix: of 소화기를 and 소화기는 only the particle is marked.
Numbers and words in Latin letters are never split.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from rapidfuzz.distance import Indel

from normalization.grouping import grouped

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# A word includes the space after it, so that words are aligned and not the spaces between them.
_WORD = re.compile(r"(?:[①-⑳㉑-㊿]|[^\W①-⑳㉑-㊿]+|[^\w\s])[^\S\n]*|\s+")
_LATIN = re.compile(r"[0-9A-Za-z]{2}")
# Cells of the alignment table, one bit each: beyond it two stretches differ as a whole.
_MAX_CELLS = 400_000_000

Span = tuple[int, int]


class DiffKind(StrEnum):
    """Whether a stretch of text is in both texts, only in the older or only in the newer one."""

    SAME = "same"
    REMOVED = "removed"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; the pieces that are not inserted make up the old text, and so on."""

    kind: DiffKind
    text: str


def diff(old: str, new: str) -> list[Piece]:
    """Return the pieces that lead from `old` to `new`, in reading order.

    No piece is empty, and no two neighbours are of one kind. For replaced text, the removed piece
    comes before the inserted one.
    """
    return list(_joined(_by_line(old, new)))


def spans(pieces: Iterable[Piece], kind: DiffKind) -> list[Span]:
    """Return the spans of the pieces of `kind`: inserted ones in the new text, others in the old.

    Spans are (start, end) character offsets, end exclusive.
    """
    without = DiffKind.REMOVED if kind is DiffKind.INSERTED else DiffKind.INSERTED
    found: list[Span] = []
    at = 0
    for piece in pieces:
        if piece.kind is without:
            continue
        if piece.kind is kind:
            found.append((at, at + len(piece.text)))
        at += len(piece.text)
    return found


def words(text: str) -> list[str]:
    """Split `text` into words (Korean: 어절) and marks, which join to the text."""
    return _WORD.findall(text)


def _by_line(old: str, new: str) -> Iterator[Piece]:
    """Yield the differences of texts, line by line."""
    a, b = _LINE.findall(old), _LINE.findall(new)
    for same, i, j, k, m in _blocks(a, b):
        before, after = a[i:j], b[k:m]
        if same:
            yield Piece(DiffKind.SAME, "".join(before))
        else:
            yield from _by_word("".join(before), "".join(after))


def _by_word(old: str, new: str) -> Iterator[Piece]:
    """Yield the differences of texts, word by word."""
    a, b = words(old), words(new)
    for same, i, j, k, m in _blocks(a, b):
        before, after = a[i:j], b[k:m]
        if same:
            yield Piece(DiffKind.SAME, "".join(before))
        elif len(before) == len(after):
            for one, other in zip(before, after, strict=True):
                yield from _by_ends(one, other)
        else:
            yield from _by_ends("".join(before), "".join(after))


def _by_ends(old: str, new: str) -> Iterator[Piece]:
    """Yield the differences of words: common beginning, middle, common end."""
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    yield Piece(DiffKind.SAME, old[:start])
    yield Piece(DiffKind.REMOVED, old[start : len(old) - end])
    yield Piece(DiffKind.INSERTED, new[start : len(new) - end])
    yield Piece(DiffKind.SAME, old[len(old) - end :])


def _shared(old: str, new: str) -> int:
    """Return the length of the common prefix, without splitting a number or Latin word."""
    shared = 0
    while shared < min(len(old), len(new)) and old[shared] == new[shared]:
        shared += 1
    while shared and any(_LATIN.fullmatch(text[shared - 1 : shared + 1]) for text in (old, new)):
        shared -= 1
    return shared


def shared_runs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]] | None:
    """Return the runs of a longest common subsequence: start in `a`, start in `b`, length.

    None if the table of the alignment would be too large.
    """
    if len(a) * len(b) > _MAX_CELLS:
        return None
    numbers: dict[str, int] = {}  # numbers, as an alignment of strings compares their hashes
    steps = Indel.opcodes(
        [numbers.setdefault(each, len(numbers)) for each in a],
        [numbers.setdefault(each, len(numbers)) for each in b],
    )
    return [
        (step.src_start, step.dest_start, step.src_end - step.src_start)
        for step in steps
        if step.tag == "equal"
    ]


def _blocks(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield (same, start and end in `a`, start and end in `b`) for equal and different runs."""
    runs = shared_runs(a, b)
    if runs is None:
        yield a == b, 0, len(a), 0, len(b)
        return
    i = k = 0
    for left, right, length in runs:
        if (i, k) != (left, right):
            yield False, i, left, k, right
        i, k = left + length, right + length
        yield True, left, i, right, k
    if (i, k) != (len(a), len(b)):
        yield False, i, len(a), k, len(b)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Merge neighbouring pieces of a kind, with removals before insertions."""
    filled = (piece for piece in pieces if piece.text)
    for _, run in groupby(filled, key=lambda piece: piece.kind is DiffKind.SAME):
        texts = grouped((piece.kind, piece.text) for piece in run)
        yield from (Piece(kind, "".join(texts[kind])) for kind in DiffKind if kind in texts)
