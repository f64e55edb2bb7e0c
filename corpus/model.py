"""The shapes of law as data: statutes, their units, and the questions asked about them.

All are frozen dataclasses without behaviour that needs a database or a screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum


class Tier(IntEnum):
    """Authority tier of an instrument, highest first (RefWalk, section 3.1)."""

    ACT = 1
    DECREE = 2
    RULE = 3
    NOTICE = 4
    MANUAL = 5


class Level(StrEnum):
    """What kind of place in an instrument a unit is."""

    ARTICLE = "article"  # 조, the atomic unit of authority
    SECTION = "section"  # a decimal section of a technical standard, two levels deep: "2.1"
    ANNEX = "annex"  # 별표
    FORM = "form"  # 별지 서식
    ADDENDUM = "addendum"  # 부칙 of one amending instrument


@dataclass(frozen=True, slots=True)
class Part:
    """An addressable place inside a unit: a paragraph, item or sub-item.

    `path` is the address below the unit, levels joined by "/": ``1항/3호/가목``; English
    ``(1)/3/(a)``; technical standards ``2.1.1``.
    `start` and `end` are character offsets into the unit's text, end exclusive. A part contains
    the parts below it.
    """

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink that the source itself sets in a unit's text.

    `start` and `end` are character offsets into the unit's text, end exclusive. `href` is what
    the source gives as its destination, as written: an address, or the script call that opens it.
    """

    start: int
    end: int
    href: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One retrieval unit: an article, section, annex, form or addendum of a statute.

    `semantic_id` is ``<statute semantic id>_<place>``, unique within a snapshot and stable across
    snapshots. `label` is the place as a lawyer writes it (제24조의2, Article 5, 별표 4).
    `path` names the chapters it stands under, outermost first. `order` is document order.
    `text` is empty and `text_missing` set where the source names the unit without its text
    (annexes of the Markdown source). `links` are the hyperlinks of a source that has them, in
    the order of the text.
    """

    semantic_id: str
    statute_id: str
    level: Level
    label: str
    heading: str
    text: str
    order: int
    path: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    deleted: bool = False
    text_missing: bool = False
    effective: date | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Statute:
    """One instrument (act, decree, rule, notice, manual) with its units in document order."""

    semantic_id: str
    title: str
    kind: str
    tier: Tier
    language: str
    units: tuple[Unit, ...]
    promulgated: date | None = None
    number: str = ""
    effective: date | None = None
    source: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its official answer, as imported.

    `citation_strings` and `gold_ids` are what the source claims; they serve benchmarks and are
    never shown to annotators. `columns` are further short values of the source by name, such as
    its difficulty, by which figures can be split.
    """

    external_id: str
    text: str
    answer: str
    language: str
    citation_strings: tuple[str, ...] = ()
    gold_ids: tuple[str, ...] = ()
    columns: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
