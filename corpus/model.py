"""Data types of law: statutes, their units and places, and questions.

All are frozen dataclasses without behaviour that needs a database or a screen.

A semantic id is ``<statute slug>_<place>``. The place of an article is ``12조`` or ``2조의2``
(English ``article-12``), of an annex ``별표4`` or ``별표4의2`` (``annex-4``), of a form
``별지1서식`` (``form-1``), of a decimal section of a technical standard ``2.1``. `number` is the
place's canonical number everywhere: ``"12"``, ``"2의2"``, ``"2.1"``.

Jurisdictions of statutes and questions as short keys: ``kr``, ``us-ny``, ``de``.

A key is made of small letters, digits and hyphens; other spellings are normalized (``US NY`` and
``us_ny`` are ``us-ny``). "" means unknown. Keys are compared as a whole: ``us-ny`` is no part of
``us``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum, StrEnum
from typing import TypeVar

from errors import UserError, Where


class Tier(IntEnum):
    """Authority tier of an instrument, highest first (RefWalk, section 3.1)."""

    ACT = 1
    DECREE = 2
    RULE = 3
    NOTICE = 4
    MANUAL = 5


class Level(StrEnum):
    """The level of a unit in its instrument."""

    ARTICLE = "article"  # 조, the atomic unit of authority
    SECTION = "section"  # a decimal section of a technical standard, two levels deep: "2.1"
    ANNEX = "annex"  # 별표
    FORM = "form"  # 별지 서식
    ADDENDUM = "addendum"  # 부칙 of one amending instrument


Levels = tuple[Level, ...]
"""Levels in the order of `Level`, each once, at least one."""

RETRIEVED_LEVELS: Levels = (Level.ARTICLE, Level.SECTION, Level.ANNEX)
"""The levels that are searched by default."""


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


def paragraphs(parts: Iterable[Part]) -> list[str]:
    """Return the paths of a unit's outermost parts, in order."""
    found, end = dict[str, None](), 0
    for part in parts:
        if part.start >= end:
            found[part.path] = None
            end = part.end
    return list(found)


def paragraph_count(parts: Iterable[Part]) -> int:
    """Return the number of paragraphs (항; (1)) directly below; 1 without any."""
    return max(1, sum("항" in path or path.startswith("(") for path in paragraphs(parts)))


def is_sub_item(path: str) -> bool:
    """Return whether a part is a paragraph or an item (항, 호; (1), 3), and not below these."""
    steps = path.split("/")
    bracketed = steps[0].startswith("(") or "항" in steps[0]
    return len(steps) <= (2 if bracketed else 1) and not path.endswith("목")


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink of the source in a unit's text.

    `start` and `end` are character offsets into the unit's text, end exclusive. `href` is the
    destination as written in the source: an address, or the script call that opens it.
    """

    start: int
    end: int
    href: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One retrieval unit: an article, section, annex, form or addendum of a statute.

    `semantic_id` is ``<statute semantic id>_<place>``, unique within a snapshot and stable across
    snapshots. `label` is the place as a lawyer writes it (제24조의2, Article 5, 별표 4). `path`
    names its chapters, outermost first. `order` is document order. `text` is empty and
    `text_missing` set if the source names the unit without its text (annexes of the Markdown
    source). `links` are the hyperlinks of a source that has them, in text order.
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

    def paragraphs(self) -> list[str]:
        """Return the paths of the parts directly below the unit, in order."""
        return paragraphs(self.parts)


@dataclass(frozen=True, slots=True)
class Statute:
    """One instrument (act, decree, rule, notice, manual) with its units in document order.

    `jurisdiction` is its key (see `corpus.model`), "" if unknown.
    """

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
    jurisdiction: str = ""


COLLECTION = "collection"
"""The kind of a data set's documents, named by keys, which are no instrument."""


def words_of_place(kind: str, title: str, label: str) -> tuple[str, str]:
    """Return a unit's statute title and label as words of its text; ("", "") in a collection.

    A collection is named after its folder and its documents by their ids. These are keys: no
    method, figure or model may read them as words.
    """
    return ("", "") if kind == COLLECTION else (title, label)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a multiple-choice question; `label` is A, B …, or its number.

    `correct` is None if unknown.
    """

    label: str
    text: str
    correct: bool | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its official answer, as imported.

    `citation_strings` and `gold_ids` are what the source claims; they serve benchmarks and are
    never shown to annotators. `columns` are further short values of the source by name, such as
    its difficulty, by which figures can be split. `jurisdiction` is whose law it asks about, ""
    where nobody has said; `choices` are the options of a multiple-choice question. `grades` are
    what the source's judges gave each unit, where that is more than yes; those of 0 or less are
    judged and no gold.
    """

    external_id: str
    text: str
    answer: str
    language: str
    citation_strings: tuple[str, ...] = ()
    gold_ids: tuple[str, ...] = ()
    columns: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    jurisdiction: str = ""
    choices: tuple[Choice, ...] = ()
    grades: tuple[tuple[str, int], ...] = ()


_SEPARATORS = re.compile(r"[\s·ㆍ・‧･,()\[\]_]+")
_KOREAN = {
    Level.ARTICLE: re.compile(r"([0-9]+)조(의[0-9]+)?"),
    Level.ANNEX: re.compile(r"별표([0-9]+)(의[0-9]+)?"),
    Level.FORM: re.compile(r"별지([0-9]+)(의[0-9]+)?서식"),
    Level.SECTION: re.compile(r"([0-9]+\.[0-9]+)()"),
}
_ENGLISH = {
    Level.ARTICLE: re.compile(r"article-([0-9]+)(-[0-9]+)?"),
    Level.ANNEX: re.compile(r"annex-([0-9]+)(-[0-9]+)?"),
    Level.FORM: re.compile(r"form-([0-9]+)(-[0-9]+)?"),
}


def slug(title: str) -> str:
    """Return the statute half of a semantic id: the title with separators as hyphens."""
    return _SEPARATORS.sub("-", title.strip()).strip("-")


def place_id(level: Level, number: str, language: str = "ko") -> str:
    """Return the place half of a semantic id for a numbered place.

    `number` is canonical (``"24의2"``). Addenda have ids of their own making and no number.
    Raises ValueError for a level that has no numbered form.
    """
    base, _, branch = number.partition("의")
    tail = f"의{branch}" if branch else ""
    if level is Level.SECTION:
        return number
    if language == "en":
        return f"{level.value}-{base}" + (f"-{branch}" if branch else "")
    if level is Level.ARTICLE:
        return f"{base}조{tail}"
    if level is Level.ANNEX:
        return f"별표{base}{tail}"
    if level is Level.FORM:
        return f"별지{base}{tail}서식"
    raise ValueError(f"{level} has no numbered place")


def place_label(level: Level, number: str, language: str) -> str:
    """Return a place as a lawyer writes it (제3조의2, Article 3-2); "" is the only one's number."""
    base, _, branch = number.partition("의")
    if language == "en":
        return f"{level.value.capitalize()} {base}{branch and '-' + branch}".rstrip()
    tail = branch and f"의{branch}"
    if level is Level.ARTICLE:
        return f"제{base}조{tail}"
    if level is Level.ANNEX:
        return f"별표 {base}{tail}".rstrip()
    return f"별지 제{base}호{tail}서식" if base else "별지 서식"


def parse_place(place: str) -> tuple[Level, str] | None:
    """Parse a place id into level and canonical number; None for addenda and foreign forms."""
    for table in (_KOREAN, _ENGLISH):
        for level, pattern in table.items():
            found = pattern.fullmatch(place)
            if found:
                branch = (found[2] or "").lstrip("의-")
                return level, found[1] + (f"의{branch}" if branch else "")
    return None


def split_id(semantic_id: str) -> tuple[str, str]:
    """Return (statute slug, place) of a semantic id."""
    statute, _, place = semantic_id.rpartition("_")
    return statute, place


_HANGUL = re.compile("[가-힣]")


def language_of(text: str) -> str:
    """Return "ko" for a text with Hangul in it, else "en"."""
    return "ko" if _HANGUL.search(text) else "en"


_HAN = re.compile("[㐀-䶿一-鿿豈-﫿]")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_LATIN_LETTERS_OF_A_WORD = 5
_KOREAN_WITH_ONE_IN = 10  # Hangul's minimum share of East Asian letters, inverted


def judgment_language(text: str) -> str:
    """Detect the language of a judgment: ``ko``, ``zh`` or ``en``.

    Letters are counted, as a Chinese judgment may have a stray Hangul syllable and a Korean one
    quotations in Chinese characters; a word of Latin letters counts as one of theirs.
    """
    hangul, han = len(_HANGUL.findall(text)), len(_HAN.findall(text))
    if len(_LATIN.findall(text)) > _LATIN_LETTERS_OF_A_WORD * (hangul + han):
        return "en"
    if hangul or han:
        return "ko" if hangul * _KOREAN_WITH_ONE_IN >= hangul + han else "zh"
    return "en"


FIELD = "jurisdiction"
CHARACTERS = 40
_FORM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_JURISDICTION_SEPARATORS = re.compile(r"[\s_-]+")


def jurisdiction_of(written: str, where: Where | None = None) -> str:
    """Normalize a jurisdiction to its key, "" for a blank one.

    Raises UserError for anything but letters A to Z, digits and separators, and for a key of more
    than CHARACTERS characters.
    """
    key = _JURISDICTION_SEPARATORS.sub("-", written.strip().lower())
    if key and (len(key) > CHARACTERS or _FORM.fullmatch(key) is None):
        raise UserError("jurisdiction_form", where, value=written[:60], limit=CHARACTERS)
    return key


_Placed = TypeVar("_Placed", "Statute", "Question")


def in_jurisdiction(values: Iterable[_Placed], jurisdiction: str) -> tuple[_Placed, ...]:
    """Return all the statutes or questions; those without a jurisdiction get this one."""
    return tuple(
        each if each.jurisdiction else replace(each, jurisdiction=jurisdiction) for each in values
    )
