"""Finding citations: strings with spans, from the text alone."""

from __future__ import annotations

from bisect import bisect_left

from corpus.citations.english import find_english
from corpus.citations.korean import find_korean
from corpus.citations.model import Citation


def find(text: str) -> list[Citation]:
    """Return every citation of `text`, Korean and English, in order and without overlap.

    Never raises, and needs no corpus: a citation says what is written, not whether it exists.
    Where both languages read one stretch (a code in "Section 2.1.1 of FSTC 102"), the English
    reading stands.
    """
    english = find_english(text)
    starts = [c.start for c in english]
    korean = [c for c in find_korean(text) if not _overlaps(c, english, starts)]
    return sorted([*english, *korean], key=lambda c: c.start)


def _overlaps(one: Citation, others: list[Citation], starts: list[int]) -> bool:
    at = bisect_left(starts, one.end)
    return at > 0 and others[at - 1].end > one.start
