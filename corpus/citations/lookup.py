"""Looking up a place that somebody typed without the full name of its instrument.

A reader who types "제12조" or "안전 기본법 12조" wants that article, not the texts that mention it.
This serves search boxes only: unlike resolving, it guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.model import Resolution, Status
from corpus.citations.names import normal
from corpus.citations.units import units_at

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
