"""Citations of an answer: the keys of an answer by provision, or the references of a free one.

An id below an article (its 항, 호 or 목) is rolled up to the article; one that leads to no unit of
the corpus is reported as invalid. An answer by provision cites the ids under which it states
something: its form has a key for every provision shown, so one with an empty list is not cited. A
free answer cites the entries of its footer ``[참조] id, id`` (or ``[References]``), and without a
footer the citations that the corpus reader finds in its prose (RegOps-Bench 2026, §4.2, Fig. 7).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import resolve

_LONGEST = 500  # characters of an id
_BEFORE, _BEHIND = " \t\r\n[\"'`*•-", " \t\r\n]\"'`*."
_FOOTER = re.compile(
    r"[\[【]\s*(?:참조|참고|references?|sources?)\s*[\]】]\s*[:：]?", re.IGNORECASE
)
_APART = re.compile(r"[,;、\n]")
_NOTHING = frozenset({"", "없음", "none", "n/a"})
_SECTION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}")
_DECIMALS = re.compile(r"(?:\.[0-9]{1,4})+")
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_STEP = re.compile(
    r"[\s/_.-]*(?:"
    r"(?:제\s?)?(?P<number>[0-9]{1,3})\s?(?P<kind>[항호])(?P<branch>의[0-9]{1,2})?"
    rf"|(?P<circled>[{_CIRCLED}])"
    r"|(?P<item>[가-하])목|의(?P<short>[가-하])(?![가-힣])"
    r"|\((?P<english>[0-9]{1,3}|[a-z]{1,4}|[A-Z])\)"
    r"|(?P<words>본문|단서|전단|후단|각\s?호|비고))"
)


class Source(StrEnum):
    """The part of an answer that holds its citations."""

    KEYS = "keys"  # ids of an answer by provision
    FOOTER = "footer"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Place:
    """A unit of the corpus and the cited part of it, "" for all of it."""

    unit: str
    part: str = ""

    @property
    def exact(self) -> str:
        """The id with its part: ``…_12조/1항/3호``."""
        return f"{self.unit}/{self.part}" if self.part else self.unit


@dataclass(frozen=True, slots=True)
class Cited:
    """The citations of an answer, each once, ascending: `units` are articles, `exact` has parts.

    `invalid` are the ids and references, as written, that lead to no single unit of the corpus.
    """

    source: Source
    units: tuple[str, ...]
    exact: tuple[str, ...]
    invalid: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, places: Sequence[Place], invalid: Sequence[str]) -> Cited:
        """Collect cited places into sorted ids."""
        units, exact = {each.unit for each in places}, {each.exact for each in places}
        return cls(source, *(tuple(sorted(each)) for each in (units, exact, set(invalid))))


@dataclass(frozen=True, slots=True)
class Law:
    """The law that can be cited: the ids of the units, and the catalogue of names."""

    units: Collection[str]
    catalogue: Catalogue

    @classmethod
    def of(cls, catalogue: Catalogue) -> Law:
        """Index the units of a catalogue's instruments."""
        units = (one.units.values() for one in catalogue.instruments)
        return cls(frozenset(unit for each in units for unit in each), catalogue)


def rolled_up(written: str, units: Collection[str]) -> Place | None:
    """Return the unit that an id names or lies below, None if neither.

    ``…_12조제1항제2호``, ``…_12조/1항/2호`` and ``…_12조①`` lie below ``…_12조``; ``…_12조의2`` is
    another article and never rolled up to it. Brackets and quotation marks around it are ignored.
    """
    bare = _bare(written)
    if not bare or len(bare) > _LONGEST:
        return None
    for end in range(len(bare), bare.find("_"), -1):
        if bare[:end] in units:
            part = _part(bare[:end], bare[end:])
            return None if part is None else Place(bare[:end], part)
    return None


def cited_by_keys(claims: Mapping[str, Sequence[str]], units: Collection[str]) -> Cited:
    """Return the provisions that an answer's keys cite; a key without statements is skipped."""
    places, invalid = [], []
    for key, stated in claims.items():
        if not stated:
            continue
        place = rolled_up(key, units)
        if place is None:
            invalid.append(_bare(key))
        else:
            places.append(place)
    return Cited.of(Source.KEYS, places, invalid)


def cited_in_text(text: str, law: Law, question: str = "") -> Cited:
    """Return the citations of a free answer: those of its last footer, else of its prose.

    An entry of the footer that is no id is read as a citation in words. The question's citations
    serve as antecedents of bare articles in the prose.
    """
    footers = list(_FOOTER.finditer(text))
    if footers:
        return _in_footer(text[footers[-1].end() :], law)
    earlier = resolve(find(question), question, law.catalogue) if question else ()
    found = resolve(find(text), text, law.catalogue, earlier)
    places, invalid = _places_and_failures(found)
    return Cited.of(Source.PROSE, places, invalid)


def without_footer(text: str) -> str:
    """Return a free answer without its last footer, which holds no claims."""
    footers = list(_FOOTER.finditer(text))
    return text[: footers[-1].start()].rstrip() if footers else text


def _bare(written: str) -> str:
    """Return a reference without surrounding marks."""
    return written.lstrip(_BEFORE).rstrip(_BEHIND)


def _in_footer(footer: str, law: Law) -> Cited:
    """Return the provisions cited in the footer of an answer."""
    places: list[Place] = []
    invalid: list[str] = []
    others: list[str] = []
    for each in _APART.split(footer):
        bare = _bare(each)
        place = rolled_up(bare, law.units)
        if place is not None:
            places.append(place)
        elif bare.lower() not in _NOTHING:
            others.append(bare)
    # A title may hold a comma, so what is no id is read together.
    words = ", ".join(others)
    resolutions = resolve(find(words), words, law.catalogue)
    told, failed = _places_and_failures(resolutions)
    at = 0
    for each in others:
        if not any(r.citation.start < at + len(each) and r.citation.end > at for r in resolutions):
            invalid.append(each)
        at += len(each) + len(", ")
    return Cited.of(Source.FOOTER, [*places, *told], [*invalid, *failed])


def _places_and_failures(resolutions: Sequence[Resolution]) -> tuple[list[Place], list[str]]:
    """Return resolved places, and unresolved citations as written; statutes alone are skipped."""
    places: list[Place] = []
    failed: list[str] = []
    for each in resolutions:
        if each.status is Status.RESOLVED:
            places += [Place(target.unit_id, target.pinpoint) for target in each.targets]
        elif each.citation.places and each.reason is not Reason.NAMES_INSTRUMENT_ONLY:
            failed.append(each.citation.text)
    return places, failed


def _part(unit: str, rest: str) -> str | None:
    """Return the path of the suffix of a unit's id, None where it is no place below the unit."""
    if not rest:
        return ""
    place = unit.rpartition("_")[2]
    if _SECTION.fullmatch(place) and _DECIMALS.fullmatch(rest):
        return place + rest
    steps, at = [], 0
    while at < len(rest):
        found = _STEP.match(rest, at)
        if found is None:
            return None
        steps.append(_step_name(found))
        at = found.end()
    return "/".join(step for step in steps if step)


def _step_name(match: re.Match[str]) -> str:
    """Return a pinpoint step in its canonical form."""
    if match["number"]:
        return f"{int(match['number'])}{match['kind']}{match['branch'] or ''}"
    if match["circled"]:
        return f"{_CIRCLED.index(match['circled']) + 1}항"
    if match["item"] or match["short"]:
        return f"{match['item'] or match['short']}목"
    return f"({match['english']})" if match["english"] else ""
