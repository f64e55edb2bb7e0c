"""Labels of places of law in a source, reduced to units of the corpus."""

from __future__ import annotations

import re

from corpus.citations.catalogue import Catalogue
from corpus.model import Level, parse_place, place_id, split_id

_LEADING_PLACE = re.compile(r"(\d+)조(?:의(\d+))?|별표(\d+)(?:의(\d+))?")


def unit_of_label(label: str, catalogue: Catalogue) -> str | None:
    """Return the unit that a label names, reduced to its article or annex; None if absent.

    ``…_별표4-1호의나`` is annex 4.
    """
    statute, place = split_id(label)
    one = catalogue.by_id(statute)
    if one and place in one.units and parse_place(place):
        return one.units[place]
    found = _LEADING_PLACE.match(place)
    if not found or one is None:
        return None
    level = Level.ARTICLE if found[1] else Level.ANNEX
    base, branch = (found[1], found[2]) if found[1] else (found[3], found[4])
    return one.units.get(place_id(level, str(int(base)) + (f"의{int(branch)}" if branch else "")))
