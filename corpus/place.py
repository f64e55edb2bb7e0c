"""Places in an instrument, as the last half of a semantic id.

A semantic id is ``<statute slug>_<place>``. The place of an article is ``12조`` or ``2조의2``
(English ``article-12``), of an annex ``별표4`` or ``별표4의2`` (``annex-4``), of a form
``별지1서식`` (``form-1``), of a decimal section of a technical standard ``2.1``.
`number` is the place's canonical number everywhere: ``"12"``, ``"2의2"``, ``"2.1"``.
"""

from __future__ import annotations

import re

from corpus.model import Level

_SEPARATORS = re.compile(r"[\s·ㆍ・‧･,()\[\]_]+")
_KOREAN = {
    Level.ARTICLE: re.compile(r"([0-9]+)조(의[0-9]+)?"),
    Level.ANNEX: re.compile(r"별표([0-9]+)(의[0-9]+)?"),
    Level.FORM: re.compile(r"별지([0-9]+)(의[0-9]+)?서식"),
    Level.SECTION: re.compile(r"([0-9]+\.[0-9]+)()"),
}
_ENGLISH = {
    Level.ARTICLE: re.compile(r"article-([0-9]+)(-[0-9]+)?"),
    Level.ANNEX: re.compile(r"annex-([0-9]+)(-[0-9]+)?"),
    Level.FORM: re.compile(r"form-([0-9]+)(-[0-9]+)?"),
}


def slug(title: str) -> str:
    """Return the statute half of a semantic id: the title with separators as hyphens."""
    return _SEPARATORS.sub("-", title.strip()).strip("-")


def place_id(level: Level, number: str, language: str = "ko") -> str:
    """Return the place half of a semantic id for a numbered place.

    `number` is canonical (``"24의2"``). Addenda have ids of their own making and no number.
    Raises ValueError for a level that has no numbered form.
    """
    base, _, branch = number.partition("의")
    tail = f"의{branch}" if branch else ""
    if level is Level.SECTION:
        return number
    if language == "en":
        return f"{level.value}-{base}" + (f"-{branch}" if branch else "")
    if level is Level.ARTICLE:
        return f"{base}조{tail}"
    if level is Level.ANNEX:
        return f"별표{base}{tail}"
    if level is Level.FORM:
        return f"별지{base}{tail}서식"
    raise ValueError(f"{level} has no numbered place")


def parse_place(place: str) -> tuple[Level, str] | None:
    """Return the level and canonical number of a place id; None for addenda and foreign forms."""
    for table in (_KOREAN, _ENGLISH):
        for level, pattern in table.items():
            found = pattern.fullmatch(place)
            if found:
                branch = (found[2] or "").lstrip("의-")
                return level, found[1] + (f"의{branch}" if branch else "")
    return None


def split_id(semantic_id: str) -> tuple[str, str]:
    """Return (statute slug, place) of a semantic id."""
    statute, _, place = semantic_id.rpartition("_")
    return statute, place
