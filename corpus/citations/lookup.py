"""The units that a place of an instrument means, also where somebody typed it in part.

A reader who types "제12조" or "안전 기본법 12조" wants that article, not the texts that mention it.
That serves search boxes only: unlike resolving, it guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.model import CitedPlace, Resolution, Status
from corpus.citations.names import normal
from corpus.model import Level


def units_at(one: Instrument, place: CitedPlace) -> list[str]:
    """Return the units at a place: none, one, those of a range, or all that a vague place fits."""
    if place.level is Level.ADDENDUM:
        return _addenda(one, place.number)
    if not place.number:
        return _annexes(one) if place.level is Level.ANNEX else []
    first = one.unit(place.level, place.number)
    if not place.last or first is None:
        return [first] if first else []
    if one.unit(place.level, place.last) is None:
        return []
    if place.level is Level.SECTION:
        low, high = (".".join(n.split(".")[:2]) for n in (place.number, place.last))
        return one.between(place.level, low, high)
    return one.between(place.level, place.number, place.last)


def _addenda(one: Instrument, number: str) -> list[str]:
    """Return the addenda of an instrument, or only those of the amending instrument `number`."""
    found = [(key, u) for key, u in one.units.items() if key.startswith(("부칙", "addend"))]
    if not number:
        return [unit for _, unit in found]
    return [u for key, u in found if re.search(rf"(?:제{number}호|no-{number})(?:-\d+)?$", key)]


def _annexes(one: Instrument) -> list[str]:
    """Return the annex that has no number, or else every annex."""
    sole = one.units.get("별표") or one.units.get("annex")
    return [sole] if sole else one.of_level(Level.ANNEX)


_PLACE_WORDS = re.compile(
    r"(?:제\s*+)?\d++(?:\.\d++)*+\s*+(?:조|항|호|목)?(?:\s*+의\s*+\d++)?"
    r"|별표|별지|(?:article|section|annex)s?\b",
    re.IGNORECASE,
)


def places_typed(
    text: str, resolutions: Sequence[Resolution], catalogue: Catalogue, limit: int
) -> list[str]:
    """Return up to `limit` units at the places in `text` whose instrument was not recognised.

    Instruments whose titles share more two-letter pieces with the rest of `text` come first, then
    those of higher authority, then by semantic id. Where the rest names something, an instrument
    that shares nothing with it is left out.
    """
    places = [
        place
        for each in resolutions
        if each.status is not Status.RESOLVED
        for place in each.citation.places
        if place.number
    ]
    if not places:
        return []
    pieces = _pieces(_PLACE_WORDS.sub(" ", text))
    ranked = sorted(
        catalogue.instruments,
        key=lambda one: (-_shared(pieces, one), one.tier, one.statute_id),
    )
    near = [one for one in ranked if not pieces or _shared(pieces, one)]
    found = (unit for one in near for place in places for unit in units_at(one, place))
    return list(dict.fromkeys(found))[:limit]


def _pieces(text: str) -> frozenset[str]:
    plain = normal(text)
    return frozenset(plain[at : at + 2] for at in range(len(plain) - 1))


def _shared(pieces: frozenset[str], one: Instrument) -> int:
    title = normal(one.title)
    return sum(piece in title for piece in pieces)
