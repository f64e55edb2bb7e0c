"""Finding citations: strings with spans, from the text alone."""

from __future__ import annotations

from bisect import bisect_left

from corpus.citations.english import find_english
from corpus.citations.korean import find_korean
from corpus.citations.model import Citation
from corpus.citations.us import find_us


def find(text: str) -> list[Citation]:
    """Return every citation of `text`, Korean, English and US, in order and without overlap.

    Never raises, and needs no corpus: a citation says what is written, not whether it exists.
    Where two read one stretch (a code in "Section 2.1.1 of FSTC 102"), the US reading stands
    before the English one, and that before the Korean one.
    """
    english, us = find_english(text), find_us(text)
    return _joined(_joined(us, english) if us else english, find_korean(text))


def _joined(first: list[Citation], others: list[Citation]) -> list[Citation]:
    """Return the citations of `first` and those of `others` that stand clear of them, in order."""
    if not first:
        return others
    starts = [c.start for c in first]
    fresh = [c for c in others if not _overlaps(c, first, starts)]
    return sorted([*first, *fresh], key=lambda c: c.start)


def _overlaps(one: Citation, others: list[Citation], starts: list[int]) -> bool:
    at = bisect_left(starts, one.end)
    return at > 0 and others[at - 1].end > one.start
