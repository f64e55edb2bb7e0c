"""Take the marks of hyperlinks out of a unit's text and keep the links beside it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise

from corpus.importers.law_center.html_page import LINK_END, LINK_START, link_number
from corpus.model import Link, Part, Unit

_MARK = re.compile(f"{LINK_START.pattern}|{LINK_END}")


def without_marks(text: str) -> str:
    """Return a text without the marks of hyperlinks."""
    return _MARK.sub("", text)


def with_links(unit: Unit, destinations: list[str]) -> Unit:
    """Return the unit with clean text, its parts moved to match, and its hyperlinks.

    A hyperlink spans its words without the blanks around them; one without words is dropped.
    """
    marks = list(_MARK.finditer(unit.text))
    if not marks:
        return unit
    places = [mark.start() for mark in marks]
    text = without_marks(unit.text)

    def moved(offset: int) -> int:
        return offset - bisect_left(places, offset)

    links: list[Link] = []
    for mark, following in pairwise(marks):
        if LINK_START.match(mark[0]) and following[0] == LINK_END:
            start, end = moved(mark.end()), moved(following.start())
            link = _trimmed(text, start, end, destinations[link_number(mark[0])])
            links += [link] if link.start < link.end else []
    parts = tuple(Part(part.path, moved(part.start), moved(part.end)) for part in unit.parts)
    missing = not text.strip()
    return replace(unit, text=text, parts=parts, links=tuple(links), text_missing=missing)


def _trimmed(text: str, start: int, end: int, href: str) -> Link:
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    return Link(start, max(start, end - (len(words) - len(words.rstrip()))), href)
