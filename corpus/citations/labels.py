"""Places as a lawyer writes them: 제24조의2, 별표 4, Article 9-2."""

from __future__ import annotations

import re

from corpus.citations.model import CitedPlace
from corpus.model import Level

_HANGUL = re.compile(r"[가-힣]")
_ENGLISH = {Level.ARTICLE: "Article", Level.ANNEX: "Annex", Level.FORM: "Form"}


def label(place: CitedPlace, beside: str) -> str:
    """Return the label of a place without its pinpoint, in the language of the text `beside` it.

    A range is labelled by its first place; sections by their first two levels, as units are.
    """
    if place.level is Level.SECTION:
        return ".".join(place.number.split(".")[:2])
    base, _, branch = place.number.partition("의")
    if not _HANGUL.search(beside):
        return f"{_ENGLISH.get(place.level, 'Addendum')} {base}" + (f"-{branch}" if branch else "")
    tail = f"의{branch}" if branch else ""
    match place.level:
        case Level.ARTICLE:
            return f"제{base}조{tail}"
        case Level.ANNEX:
            return f"별표 {base}{tail}"
        case Level.FORM:
            return f"별지 제{base}호{tail}서식"
        case _:
            return "부칙"
