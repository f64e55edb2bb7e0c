"""Reading English places: Article 24(1)3, Articles 9-2 to 9-4, Annex 4, Section 2.1.1.

Pinpoints are part paths as English units have them: ``(1)/3/(a)``.
"""

from __future__ import annotations

import re

from corpus.citations.korean_places import FoundPlaces, number
from corpus.citations.model import CitedPlace
from corpus.model import Level

WORDS = re.compile(
    r"\b(?P<word>Articles?|Arts?\.|Annex(?:es)?|Attached\s+Tables?|Forms?|Sections?"
    r"|Addend(?:um|a))\s+(?=\d|Articles?\s\d)",
    re.IGNORECASE,
)
_LEVELS = {
    "art": Level.ARTICLE,
    "ann": Level.ANNEX,
    "att": Level.ANNEX,
    "for": Level.FORM,
    "sec": Level.SECTION,
    "add": Level.ADDENDUM,
}
_NUMBER = re.compile(r"(\d{1,4})(?:-(\d{1,3}))?(?![\d.]\d|\d)")
_SECTION = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,6})(?!\d|\.\d)")
_HEADING = re.compile(r"\s\(([A-Z][^()]{2,90})\)")
_STEPS = (
    re.compile(r"\s?\((\d{1,2}(?:-\d{1,2})?)\)|,?\s+paragraph\s+\(?(\d{1,2})\)?", re.IGNORECASE),
    re.compile(
        r"(?<=\))(\d{1,2})(?![\d.]\d|\d)|,?\s+(?:sub-?paragraph|item|number)\s+\(?(\d{1,2})\)?",
        re.IGNORECASE,
    ),
    re.compile(r"\s?\(([a-z])\)|,?\s+(?:item|point)\s+\(([a-z])\)"),
)
_AND = re.compile(r",?\s+(?:and|or)\s+|,\s+")
_TO = re.compile(r"\s+(?:to|through)\s+|\s?–\s?")
_AGAIN = re.compile(r"(?:Articles?|Annex(?:es)?|Sections?|Forms?)\s+", re.IGNORECASE)


def read_english_places(text: str, anchor: re.Match[str]) -> list[FoundPlaces]:
    """Return the places of a list that begins with the word matched by :data:`WORDS`."""
    level = _LEVELS[anchor["word"][:3].lower()]
    if level is Level.ADDENDUM:
        return _addendum(text, anchor)
    plural = anchor["word"].lower().rstrip(".").endswith("s")
    found: list[FoundPlaces] = []
    start, at = anchor.start(), anchor.end()
    while one := _one(text, start, at, level):
        found.append(one)
        gap = _AND.match(text, one.end)
        again = _AGAIN.match(text, gap.end()) if gap else None
        if gap is None or not (plural or again):
            break
        if again and _LEVELS[again[0][:3].lower()] is not level:
            break
        start, at = gap.end(), again.end() if again else gap.end()
    return found


def _one(text: str, start: int, at: int, level: Level) -> FoundPlaces | None:
    """Read one number with what stands below it, or a range of numbers."""
    shape = _SECTION if level is Level.SECTION else _NUMBER
    first = shape.match(text, at)
    if not first:
        return None
    end = first.end()
    heading = _HEADING.match(text, end) if level is Level.ARTICLE else None
    end = heading.end() if heading else end
    pinpoints, end = _pinpoints(text, end) if level is not Level.SECTION else ([""], end)
    last = ""
    if (gap := _TO.match(text, end)) and (second := shape.match(text, gap.end())):
        last, end = _canonical(second, level), second.end()
    title = heading[1] if heading else ""
    places = tuple(CitedPlace(level, _canonical(first, level), p, last, title) for p in pinpoints)
    return FoundPlaces(start, end, places)


def _canonical(found: re.Match[str], level: Level) -> str:
    return found[1] if level is Level.SECTION else number(found[1], found[2])


def _pinpoints(text: str, at: int) -> tuple[list[str], int]:
    """Read (1)3(a), and further paragraphs: (1) and (3)."""
    first, end = _chain(text, at, 0)
    if not first:
        return [""], at
    paths = ["/".join(first)]
    while first[0].startswith("(") and (gap := _AND.match(text, end)):
        following, after = _chain(text, gap.end(), 0)
        if not following or text[gap.end()] != "(":
            break
        paths.append("/".join(following))
        end = after
    return paths, end


def _chain(text: str, at: int, level: int) -> tuple[list[str], int]:
    names: list[str] = []
    end = at
    while level < len(_STEPS):
        found = _STEPS[level].match(text, end)
        if found:
            name = found[1] or found[2]
            names.append(name if level == 1 else f"({name})")
            end = found.end()
        level += 1
    return names, end


def _addendum(text: str, anchor: re.Match[str]) -> list[FoundPlaces]:
    """Read Addenda Article 2: an article of the addenda, never of the body."""
    rest = _AGAIN.match(text, anchor.end())
    first = _NUMBER.match(text, rest.end() if rest else anchor.end())
    if not first:
        return []
    place = CitedPlace(Level.ADDENDUM, "", text[anchor.end() : first.end()])
    return [FoundPlaces(anchor.start(), first.end(), (place,))]
