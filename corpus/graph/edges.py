"""The edges that one reference makes, and those that a unit's own wording makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from corpus.citations.model import Status
from corpus.graph.application import applied
from corpus.graph.location import UnitLocation
from corpus.graph.model import Edge, EdgeType, Origin, Reference
from corpus.model import Statute, Unit
from corpus.place import split_id

_TERM = re.compile(
    r"[\"“]([^\"“”\n]{1,60})[\"”]\s?(?:\([^()\n]{0,60}\)\s?)?(?:이?란|이?라\s?함은)\s"
    r"|\(이하\s?(?:[^()\"“”\n]{0,20}\s)?[\"“]([^\"“”\n]{1,40})[\"”]\s?(?:이?라고?|으?로)\s?"
    r"(?:한다|함|칭한다|약칭한다)"
    r"|[\"“]([A-Za-z][^\"“”\n]{1,60})[\"”]\s(?:means|refers to)\b"
)
_FORM = re.compile(r"별지(?:\d+(?:의\d+)?)?서식|form(?:-\d+)*")
# What a decree quotes of its act: "대통령령으로 정하는 자"란 …
_TAKEN_UP = re.compile(r"(?:령|규칙)(?:으로|이)\s?정하")
_INSTRUMENTS = {"법", "영", "규칙", "령", "Act", "Decree", "Rule"}


def part_of(statute: Statute) -> list[Edge]:
    """Return the edges from a statute's units to the statute."""
    whole = statute.semantic_id
    return [
        Edge(unit.semantic_id, whole, EdgeType.PART_OF, Origin.STRUCTURE) for unit in statute.units
    ]


def of_references(unit: Unit, references: Sequence[Reference]) -> Iterator[Edge]:
    """Yield the edges of a unit's references: REFERENCES, and what their words make of them.

    A reference that its sentence applies (준용) also APPLIES; one to a form also REQUIRES_FORM.
    `references` are all of the unit's, in the order of its text. A reference that is a link of the
    source keeps that as its origin.
    """
    standing = UnitLocation(unit, ())
    applying = applied(unit.text, references)
    for one in references:
        if one.status is not Status.RESOLVED:
            continue
        origin = Origin.HYPERLINK if _linked(unit, one) else Origin.TEXT
        part = standing.part_at(one.start)
        for target in one.targets:
            for kind in _types(target.unit_id, applies=one.start in applying):
                yield Edge(
                    unit.semantic_id,
                    target.unit_id,
                    kind,
                    origin,
                    one.start,
                    one.end,
                    target.pinpoint,
                    part,
                )


def of_links(statutes: Sequence[Statute]) -> Iterator[Edge]:
    """Yield a REFERENCES edge for each link whose destination is a unit of the corpus.

    Documents name what they relate to so; the link then stands for the whole unit and spans
    nothing. What a text cites under a link is an edge of :func:`of_references`.
    """
    linked = [unit for one in statutes for unit in one.units if unit.links]
    known = {unit.semantic_id for one in statutes for unit in one.units} if linked else set()
    for unit in linked:
        standing, own = UnitLocation(unit, ()), unit.semantic_id
        for link in unit.links:
            if link.href in known and link.href != own:
                part = standing.part_at(link.start) if link.start < link.end else ""
                span = (link.start, link.end)
                yield Edge(own, link.href, EdgeType.REFERENCES, Origin.HYPERLINK, *span, part=part)


def of_definitions(unit: Unit) -> Iterator[Edge]:
    """Yield a DEFINES edge of a unit on itself for each term that it defines.

    The span is the term. Short names of instruments (이하 "법"이라 한다) are no terms,
    nor is what a decree quotes of its act.
    """
    if '"' not in unit.text and "“" not in unit.text:
        return
    standing, own = UnitLocation(unit, ()), unit.semantic_id
    for found in _TERM.finditer(unit.text):
        group = found.lastindex or 1
        term, (start, end) = found[group], found.span(group)
        if term in _INSTRUMENTS or _TAKEN_UP.search(term):
            continue
        part = standing.part_at(start)
        yield Edge(own, own, EdgeType.DEFINES, Origin.TEXT, start, end, part, part, term)


def _types(target: str, *, applies: bool) -> list[EdgeType]:
    found = [EdgeType.REFERENCES]
    if _FORM.fullmatch(split_id(target)[1]):
        found.append(EdgeType.REQUIRES_FORM)
    if applies:
        found.append(EdgeType.APPLIES)
    return found


def _linked(unit: Unit, one: Reference) -> bool:
    return any(link.start < one.end and one.start < link.end for link in unit.links)
