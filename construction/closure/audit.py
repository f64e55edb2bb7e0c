"""Audit of gold pinpoints that were taken from another article.

A gold provision may come with a pinpoint (1항/2호). While references are read or written, the
pinpoint of one article is easily given to another: of "제5조제2항 및 제9조" 제9조 gets 제2항. In
RegOps-Bench (001, section 3.2) 38 % of the items had such references before their audit.

The decision, for each provision with a pinpoint, in this order:

1. The provision has no such part: certainly wrong (``no_such_part``), whoever cites it so.
2. The answer cites the provision so, or at a place above or below: right.
3. The answer cites the provision, but without it, and another article with it: probably the other
   article's (``cited_elsewhere``).

Possible sources are the articles of the gold set or of the answer that have the same pinpoint and
such a part.

Provisions that the law lacks, or has without text, are not judged (``unknown``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from construction.closure.engine import LawView
from corpus.citations.korean_places import read_pinpoints
from normalization import composed

Kind = Literal["no_such_part", "cited_elsewhere"]


@dataclass(frozen=True, slots=True)
class Cited:
    """A provision with a pinpoint ("" for the whole), and the citing words, if any.

    `text` is the answer's text from `start` to `end`.
    """

    unit: str
    pinpoint: str = ""
    text: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Leak:
    """A pinpoint that certainly or probably belongs to another provision.

    `of` are its possible articles, ascending; empty where none is known.
    """

    place: Cited
    kind: Kind
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of the audit of a gold set.

    `checked` counts the pinpoints that were compared, `unknown` those that could not be.
    """

    leaks: tuple[Leak, ...]
    checked: int
    unknown: int


def audit(gold: Sequence[Cited], cited: Sequence[Cited], law: LawView) -> Audit:
    """Return the misplaced pinpoints of a gold set; `cited` are the citations of its answer."""
    gold, cited = [_written(each) for each in gold], [_written(each) for each in cited]
    leaks, checked, unknown = [], 0, 0
    for place in dict.fromkeys(gold):
        if not place.pinpoint:
            continue
        has = has_part(law, place.unit, place.pinpoint)
        if has is None:
            unknown += 1
            continue
        checked += 1
        kind = _kind(place, cited, has=has)
        if kind is not None:
            leaks.append(Leak(place, kind, _sources(place, (*cited, *gold), law)))
    return Audit(tuple(leaks), checked, unknown)


def audit_citations(cited: Sequence[Cited], law: LawView) -> Audit:
    """Return the pinpoints in an answer that are no part of their article.

    This is the audit of gold taken from the citations of an answer: nothing else shows what is
    meant, so only missing parts can be found.
    """
    return audit(cited, (), law)


def has_part(law: LawView, unit_id: str, pinpoint: str) -> bool | None:
    """Return whether a provision has the part; None if it is missing or has no text."""
    unit = law.unit(unit_id)
    if unit is None or unit.text_missing or not unit.text:
        return None
    return any(part.path == pinpoint for part in unit.parts)


def part_path(pinpoint: str) -> str:
    """Normalize a pinpoint to a part path: 제1항제2호 to 1항/2호; other text is unchanged."""
    pinpoint = composed(pinpoint).strip()
    if pinpoint.startswith("제"):
        paths, end = read_pinpoints(pinpoint, 0)
        if end == len(pinpoint) and len(paths) == 1:
            return paths[0]
    return pinpoint


def _written(place: Cited) -> Cited:
    """Return a reference with its pinpoint as written in units."""
    return Cited(place.unit, part_path(place.pinpoint), place.text, place.start, place.end)


def _kind(place: Cited, cited: Iterable[Cited], *, has: bool) -> Kind | None:
    """Return how a reference is misplaced, None if it is not."""
    own = [each.pinpoint for each in cited if each.unit == place.unit]
    if not has:
        return "no_such_part"
    if any(each and _within(each, place.pinpoint) for each in own):
        return None
    elsewhere = any(each.unit != place.unit and each.pinpoint == place.pinpoint for each in cited)
    return "cited_elsewhere" if own and elsewhere else None


def _within(one: str, other: str) -> bool:
    """Return whether one place equals, contains or lies within the other."""
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


def _sources(place: Cited, others: Iterable[Cited], law: LawView) -> tuple[str, ...]:
    """Return the ids of other units cited with this pinpoint that have such a part, ascending."""
    named = {each.unit for each in others if each.pinpoint == place.pinpoint}
    found = (unit for unit in named - {place.unit} if has_part(law, unit, place.pinpoint))
    return tuple(sorted(found))
