"""Defined terms: the provisions that define them, and the provisions that use them.

"나룻배"란 …, "사공"이라 함은 …, (이하 "나루"라 한다), "ferry" means. A definition applies to its
statute and to the lower instruments of the family, unless they define the term themselves. A short
name (이하 …) applies to its own statute from there on. A term defined for one article alone (이
조에서 "나루"란) is used nowhere else; one defined for a chapter, in that chapter.

A term only counts as a whole word, in Korean followed by nothing but particles. So 소방시설공사
uses no 소방시설, and 특정소방대상물 no 소방대상물.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.graph.model import Edge, EdgeType, Origin
from corpus.graph.namer import part_at
from corpus.model import Statute, Unit
from normalization.grouping import grouped

_WITHIN = r"(?:(?:이|본)\s?(조|항|호|목|장|절|관|편)(?:에서|부터)?(?:는)?\s?)?"
_TERM = re.compile(
    rf"{_WITHIN}[\"“]([^\"“”\n]{{1,60}})[\"”]\s?(?:\([^()\n]{{0,60}}\)\s?)?(?:이?란|이?라\s?함은)\s"
    rf"|\(이하\s?{_WITHIN}(?:[^()\"“”\n]{{0,20}}\s)?[\"“]([^\"“”\n]{{1,40}})[\"”]\s?"
    r"(?:이?라고?|으?로)\s?(?:한다|함|칭한다|약칭한다)"
    r"|[\"“]([A-Za-z][^\"“”\n]{1,60})[\"”]\s(?:means|refers to)\b"
)
# Quotations of the act in a decree: "대통령령으로 정하는 자"란 …
_TAKEN_UP = re.compile(r"(?:령|규칙)(?:으로|이)\s?정하|정하여\s?고시")
_INSTRUMENTS = {"법", "영", "규칙", "령", "Act", "Decree", "Rule"}
_SHORTEST = 2  # the fewest characters of a term to search for in other provisions
_PARTICLES = re.compile(
    r"(?:은|는|이|가|을|를|의|에|와|과|로|으로|도|만|나|이나|란|이란|인|임|등|별|중|및|간|내"
    r"|께|께서|에게|에서|부터|까지|라|이라|라고|이라고|마다|보다|서|써|다|이다|고|이고|며|이며"
    r"|든|이든|거나|이거나|지|인지|여야|이어야|일|된|한|할|하는|되는){0,3}(?![가-힣])"
)
_TITLE = re.compile(r"「[^「」\n]*」")
_PLURAL = re.compile(r"(?:s|es)?(?![^\W_])")


@dataclass(frozen=True, slots=True)
class Term:
    """A term defined in a text, with its span. `short` is whether it abbreviates preceding text.

    `within` is its scope if that is less than the statute: 조, 장, ….
    """

    text: str
    start: int
    end: int
    short: bool = False
    within: str = ""


def terms_of(text: str) -> Iterator[Term]:
    """Yield the terms defined in a text.

    Short names of instruments (이하 "법"이라 한다) are left out, and quotations of the act in a
    decree.
    """
    if '"' not in text and "“" not in text:
        return
    for found in _TERM.finditer(text):
        group = 2 if found[2] else 4 if found[4] else 5
        term = found[group]
        if term not in _INSTRUMENTS and not _TAKEN_UP.search(term):
            yield Term(term, *found.span(group), group == 4, found[1] or found[3] or "")


@dataclass(frozen=True, slots=True)
class _Definition:
    """A term with the unit that defines it."""

    unit: Unit
    term: Term

    def holds_in(self, unit: Unit) -> bool:
        """Return whether the definition applies to another unit of the same statute."""
        if self.unit is unit or (self.term.short and unit.order < self.unit.order):
            return False
        within = self.term.within
        if not within:
            return True
        mark = re.compile(rf"제\s?\d+(?:의\d+)?\s?{within}|제\s?\d+\s?{within}의\d+")
        depth = next((n for n, name in enumerate(self.unit.path, 1) if mark.match(name)), 0)
        return depth > 0 and unit.path[:depth] == self.unit.path[:depth]

    def edge(self, unit: Unit, at: int) -> Edge:
        """Return the edge to a unit that uses the term at an offset."""
        span = self.term.start, self.term.end
        parts = (part_at(unit, at), part_at(self.unit, span[0]))
        ends = self.unit.semantic_id, unit.semantic_id
        return Edge(*ends, EdgeType.DEFINES, Origin.TEXT, *span, *parts, self.term.text)


_Terms = dict[str, list[_Definition]]


def of_definitions(
    statutes: Sequence[Statute], units: Mapping[str, Unit], families: Mapping[str, str]
) -> Iterator[Edge]:
    """Yield a DEFINES edge from a definition to each other unit where it applies and is used.

    `units` are the units read, `families` gives a statute's family by its id. Statutes and their
    units come in order, terms by their first use in the unit.
    """
    own = {one.semantic_id: _definitions_by_term(one, units) for one in statutes}
    relatives = grouped((families[one.semantic_id], one) for one in statutes)
    for one in statutes:
        higher = [each for each in relatives[families[one.semantic_id]] if each.tier < one.tier]
        higher.sort(key=lambda each: -each.tier)  # the closest first
        known = dict(own[one.semantic_id])
        for name, definition in _inherited(own[each.semantic_id] for each in higher).items():
            known[name] = [*known.get(name, ()), definition]
        read = [unit for unit in one.units if unit.semantic_id in units]
        whole = "\n".join(unit.text for unit in read).lower()
        used = [(term, lower) for term in known if (lower := term.lower()) in whole]
        longest_first = sorted(used, key=lambda pair: (-len(pair[0]), pair[0]))
        for unit in read:
            yield from _term_edges(unit, longest_first, known)


def _definitions_by_term(statute: Statute, units: Mapping[str, Unit]) -> _Terms:
    """Return the definitions in a statute's read units, by term; short terms are left out."""
    return grouped(
        (term.text, _Definition(unit, term))
        for unit in statute.units
        if unit.semantic_id in units
        for term in terms_of(unit.text)
        if len(term.text) >= _SHORTEST
    )


def _inherited(nearest_first: Iterable[_Terms]) -> dict[str, _Definition]:
    """Return per term the closest definition that lower instruments inherit, if statute-wide."""
    found: dict[str, _Definition] = {}
    for terms in nearest_first:
        for name, definitions in terms.items():
            whole = (each for each in definitions if not each.term.short and not each.term.within)
            if name not in found and (first := next(whole, None)):
                found[name] = first
    return found


def _term_edges(
    unit: Unit, longest_first: Sequence[tuple[str, str]], known: _Terms
) -> Iterator[Edge]:
    """Yield a DEFINES edge to a unit for each term it uses, from the definition in force there."""
    found: list[tuple[int, _Definition]] = []
    text = _TITLE.sub(lambda one: "\0" * len(one[0]), unit.text).lower()
    for term, lower in longest_first:
        if lower not in text:
            continue
        places = list(_places(lower, text))
        for at in places:  # a shorter term inside this one does not count
            text = text[:at] + "\0" * len(term) + text[at + len(term) :]
        if places and (definition := _applicable_definition(unit, known[term])):
            found.append((places[0], definition))
    yield from (one.edge(unit, at) for at, one in sorted(found, key=lambda each: each[0]))


def _places(term: str, text: str) -> Iterator[int]:
    """Yield the offsets of a term in a text as a word of its own."""
    behind = _PARTICLES if "가" <= term[-1] <= "힣" else _PLURAL
    at = text.find(term)
    while at >= 0:
        if not text[at - 1 : at].isalnum() and behind.match(text, at + len(term)):
            yield at
        at = text.find(term, at + 1)


def _applicable_definition(unit: Unit, definitions: Sequence[_Definition]) -> _Definition | None:
    """Return the definition that applies to a term in a unit; None if the unit defines it itself.

    The own statute's take precedence; of several there, the last before the unit counts.
    """
    if any(each.unit is unit for each in definitions):
        return None
    own = [one for one in definitions if one.unit.statute_id == unit.statute_id]
    holding = [one for one in own if one.holds_in(unit)]
    before = [one for one in holding if one.unit.order < unit.order]
    inherited = [one for one in definitions if one.unit.statute_id != unit.statute_id]
    return next(iter(before[-1:] or holding or inherited), None)
