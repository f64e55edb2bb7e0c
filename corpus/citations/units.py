"""The units that one place of one instrument means."""

from __future__ import annotations

import re

from corpus.citations.catalogue import Instrument
from corpus.citations.model import CitedPlace
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
