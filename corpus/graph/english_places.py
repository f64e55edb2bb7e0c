"""The units that a place of an English law means: sections by number, divisions by outline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.citations.catalogue import Instrument
from corpus.citations.english_law import EnglishReference, Spot
from corpus.citations.model import Target
from corpus.model import Unit

MOST = 20  # sections that one naming of a division can mean; more would only clutter the graph
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_NAMED = ("article-", "annex-", "form-")


def spot_targets(one: Instrument, word: str, spot: Spot) -> list[Target]:
    """Return what a number means in an instrument: none, one per chain, or those of a range."""
    first = _key(one, word, spot.number)
    if spot.last:
        return _range(one, first, _key(one, word, spot.last))
    if first:
        chains = ["/".join(chain) for chain in spot.chains] or [_decimal(spot.number)]
        return [Target(one.units[first], path) for path in chains]
    for hyphen in re.finditer("-", spot.number):  # ss. 5-7
        low, high = spot.number[: hyphen.start()], spot.number[hyphen.end() :]
        if found := _range(one, _key(one, word, low), _key(one, word, high)):
            return found
    return []


def _key(one: Instrument, word: str, number: str) -> str:
    """Return the place id of a number in an instrument, empty if it has none."""
    kinds = {"section": [""], "article": ["article-"], "annex": ["annex-"], "form": ["form-"]}
    numbers = [number]
    if number in _ROMAN:
        numbers.append(str(_ROMAN.index(number)))
    if _decimal(number):
        numbers.append(".".join(number.split(".")[:2]))
    keys = (kind + n for kind in kinds.get(word, ["", "article-"]) for n in numbers)
    return next((key for key in keys if key in one.units), "")


def _decimal(number: str) -> str:
    """Return a number that stands below a unit of its own (2.1.1), else ""."""
    return number if re.fullmatch(r"\d+(?:\.\d+){2,}", number) else ""


def _range(one: Instrument, first: str, last: str) -> list[Target]:
    """Return the units of one kind from `first` to `last` in document order."""
    if not first or not last:
        return []
    keys = list(one.units)
    between = keys[keys.index(first) : keys.index(last) + 1]
    return [Target(one.units[key]) for key in between if _kind(key) == _kind(first)]


def _kind(key: str) -> str:
    other = "section" if key[:1].isdigit() else key
    return next((kind for kind in _NAMED if key.startswith(kind)), other)


def division_units(units: Sequence[Unit], own: Unit, one: EnglishReference) -> list[str] | None:
    """Return the other units of the divisions that a reference names, in document order.

    None says that the statute's outline has no such division.
    """
    wanted = _own_heads(own, one) if one.scope else _named_heads(units, own, one)
    if not wanted:
        return None
    found = [u for u in units if any(u.path[: len(head)] == head for head in wanted)]
    return [unit.semantic_id for unit in found if unit.semantic_id != own.semantic_id]


def _own_heads(own: Unit, one: EnglishReference) -> list[tuple[str, ...]]:
    depths = [at for at, head in enumerate(own.path, 1) if _word(head) == one.word]
    return [own.path[: depths[-1]]] if depths else []


def _named_heads(units: Sequence[Unit], own: Unit, one: EnglishReference) -> list[tuple[str, ...]]:
    """Return the paths of the named divisions: of several, those nearest to the own place."""
    paths = dict.fromkeys(u.path[:at] for u in units for at in range(1, len(u.path) + 1))
    rows = [path for path in paths if _word(path[-1]) == one.word]
    found: list[tuple[str, ...]] = []
    for spot in one.spots:
        first = _nearest([p for p in rows if _name(p[-1]) == spot.number.upper()], own.path)
        last = _nearest([p for p in rows if _name(p[-1]) == spot.last.upper()], own.path)
        if first is None or (spot.last and last is None):
            return []
        ends = rows.index(first), rows.index(last) if last else rows.index(first)
        found += rows[ends[0] : ends[1] + 1]
    return found


def _nearest(paths: Sequence[tuple[str, ...]], own: tuple[str, ...]) -> tuple[str, ...] | None:
    def shared(path: tuple[str, ...]) -> int:
        pairs = zip(path, own, strict=False)
        return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(path), len(own)))

    return max(paths, key=shared, default=None)


def _word(head: str) -> str:
    return head.split(None, 1)[0].lower() if head.split() else ""


def _name(head: str) -> str:
    """Return the number in a division's heading: E of Subpart E—Privacy."""
    found = re.match(r"\w+\s+([0-9A-Za-z]+)", head)
    return found[1].upper() if found else ""
