"""Parser of places as written in a source: 제3조의2(정의), 별표 4, Article 5, § 164.504, 2.1."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.model import Level, place_id, slug
from corpus.section_numbers import NUMBER, section_number

_LONGEST = 200
_HEADING = r"(?:\s{0,3}[(（](?P<heading>[^()（）]{1,150})[)）])?\.?"
_SHAPES = (
    (Level.ARTICLE, r"제?\s?(?P<n>[0-9]{1,5})\s?조(?:\s?의\s?(?P<b>[0-9]{1,3}))?"),
    (Level.ANNEX, r"\[?별표\s?(?:제?(?P<n>[0-9]{1,4})호?(?:의\s?(?P<b>[0-9]{1,3}))?)?\]?"),
    (
        Level.FORM,
        r"\[?별지\s?(?:제?(?P<n>[0-9]{1,4})호?(?:의\s?(?P<b>[0-9]{1,3}))?)?\s?서식\]?",
    ),
    (Level.ARTICLE, r"Art(?:icle|\.)\s(?P<n>[0-9]{1,5})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.ANNEX, r"Annex\s(?P<n>[0-9]{1,4})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.FORM, r"Form\s(?P<n>[0-9]{1,4})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.SECTION, rf"(?:§§?|Sec(?:tion|\.))\s{{0,3}}(?P<n>{NUMBER})(?P<b>)"),
    (Level.SECTION, rf"(?P<n>(?=[0-9]{{1,5}}\.){NUMBER})(?P<b>)"),
)
_PATTERNS = tuple((level, re.compile(shape + _HEADING, re.IGNORECASE)) for level, shape in _SHAPES)
_LEADS = (
    (re.compile(r"별표|annex", re.IGNORECASE), Level.ANNEX),
    (re.compile(r"별지|form", re.IGNORECASE), Level.FORM),
    (re.compile(r"부칙|addend", re.IGNORECASE), Level.ADDENDUM),
    (re.compile(r"§|sec(?:tion|\.)|[0-9]{1,4}\.[0-9]", re.IGNORECASE), Level.SECTION),
)


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A parsed place: `number` is canonical ("2의2"), "" for the only annex or form."""

    level: Level
    number: str
    heading: str

    def place(self, language: str) -> str:
        """Return the place half of a semantic id."""
        if self.number:
            return place_id(self.level, self.number, language)
        if language == "en":
            return self.level.value
        return "별표" if self.level is Level.ANNEX else "별지서식"

    def label(self, language: str) -> str:
        """Return the place as a lawyer writes it."""
        base, _, branch = self.number.partition("의")
        if self.level is Level.SECTION:
            return f"§ {base}" if language == "en" else base
        if language == "en":
            return f"{self.level.value.capitalize()} {base}{branch and '-' + branch}".rstrip()
        tail = branch and f"의{branch}"
        if self.level is Level.ARTICLE:
            return f"제{base}조{tail}"
        if self.level is Level.ANNEX:
            return f"별표 {base}{tail}".rstrip()
        return f"별지 제{base}호{tail}서식" if base else "별지 서식"


def read_place(text: str) -> WrittenPlace | None:
    """Parse the whole of `text` as a place; None for anything else."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    for level, pattern in _PATTERNS:
        if found := pattern.fullmatch(text):
            base, branch = found["n"] or "", found["b"] or ""
            if base:
                base = section_number(base) if level is Level.SECTION else str(int(base))
            number = f"{base}의{int(branch)}" if branch else base
            return WrittenPlace(level, number, (found["heading"] or "").strip())
    return None


def level_of_place(place: str) -> Level:
    """Return the level of an unparsable place by its beginning (별표2-1호, 부칙-1)."""
    for pattern, level in _LEADS:
        if pattern.match(place):
            return level
    return Level.ARTICLE


def free_place(text: str) -> str:
    """Return a place id for a place that is a name of its own (Preamble, Schedule A)."""
    place = slug(text)[:_LONGEST]
    return section_number(place) if place[:1].isdigit() else place
