"""Units at places of an English law: sections by number, divisions by outline.

Relative parts of English law are subsection (b), clause (ii), the preceding paragraph. The word
gives the depth: in sections subsection, paragraph, subparagraph, clause, subclause; in articles
paragraph, subparagraph or point. Federal regulations call every depth a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.citations.catalogue import Instrument
from corpus.citations.english_law import EnglishReference, Spot
from corpus.citations.english_steps import Steps
from corpus.citations.model import Target
from corpus.graph.location import UnitLocation, joined, part_at
from corpus.model import Level, Unit
from corpus.section_numbers import range_ends

_IN_SECTIONS = ("section", "subsection", "paragraph", "subparagraph", "clause", "subclause", "item")
_IN_ARTICLES = {"article": 0, "section": 0, "paragraph": 1, "subsection": 1}


def own_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of a part without "of …", relative to its place; [] if one is missing."""
    here = part_at(standing.unit, one.start).split("/")
    heads = ["/".join(here[:kept]) for kept in range(len(here), -1, -1)]
    article = standing.unit.level is Level.ARTICLE
    if one.word == "subsection" or (article and one.word == "paragraph"):
        heads = [""]
    return below(one.chains, heads, standing)


def scoped_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of a part "of this section", "of this paragraph"."""
    word = one.scope.rpartition(" ")[2]
    here = part_at(standing.unit, one.start)
    if word in ("section", "article", "regulation", "rule"):
        return below(one.chains, [""], standing)
    if word == "subsection":
        return below(one.chains, [here.split("/")[0]], standing)
    steps = here.split("/")
    heads = ["/".join(steps[:kept]) for kept in range(len(steps), 0, -1)]
    return below(one.chains, heads, standing)


def below(chains: Sequence[Steps], heads: Sequence[str], standing: UnitLocation) -> list[str]:
    """Return each chain under the first head for which the unit has it; [] if one is missing."""
    found: list[str] = []
    for chain in chains:
        paths = (joined(head, *steps) for steps in _spellings(chain) for head in heads)
        path = next((path for path in paths if standing.has_part(path)), "")
        if not path:
            return []
        found.append(path)
    return found


def near_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of the parts before or after the current one: the next paragraph."""
    here = part_at(standing.unit, one.start).split("/")
    own = "/".join(here[: depth(one.word, standing, len(here))])
    head = own.rpartition("/")[0]
    row = [p.path for p in standing.unit.parts if p.path.rpartition("/")[0] == head]
    if own not in row:
        return []
    at = row.index(own)
    if one.steps == 0:
        return row[:at]
    low, high = (at + one.steps, at) if one.steps < 0 else (at + 1, at + 1 + one.steps)
    return row[low:high] if low >= 0 and high <= len(row) else []


def depth(word: str, standing: UnitLocation, deepest: int) -> int:
    """Return the depth of a path of the kind `word`, at most `deepest`."""
    unit = standing.unit
    if unit.level is Level.ARTICLE:
        return min(_IN_ARTICLES.get(word, 2), deepest)
    if word == "paragraph" and "." in unit.label:
        return deepest
    found = _IN_SECTIONS.index(word) if word in _IN_SECTIONS else deepest
    return min(found, deepest)


def _spellings(chain: Steps) -> list[Steps]:
    """Return a chain as written, and with its first number in or out of brackets."""
    number = chain[0].strip("()")
    if not number[:1].isdigit():
        return [chain]
    other = number if chain[0].startswith("(") else f"({number})"
    return [chain, (other, *chain[1:])]


MOST = 20  # the most sections of a named division; more would only clutter the graph
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_NAMED = ("article-", "annex-", "form-")


def spot_targets(one: Instrument, word: str, spot: Spot) -> list[Target]:
    """Return the targets of a number in an instrument: none, one per chain, or those of a range."""
    first = _key(one, word, spot.number)
    if spot.last:
        return _range(one, first, _key(one, word, spot.last))
    if first:
        chains = ["/".join(chain) for chain in spot.chains] or [_decimal(spot.number)]
        return [Target(one.units[first], path) for path in chains]
    for low, high in range_ends(spot.number) if spot.several or "." in spot.number else ():
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
    """Return a number below a unit of its own (2.1.1), else ""."""
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

    None if the statute's outline has no such division.
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
    """Return the paths of the named divisions: of several, the closest to the own place."""
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
