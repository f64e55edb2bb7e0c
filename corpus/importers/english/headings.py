"""Headings of English law: § 164.504, Sec. 5., Section 5, Article 5, and what they stand under."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.model import Level

_NUMBER = r"(?P<number>[0-9]{1,5}[A-Za-z]{0,3}(?:[.-][0-9]{1,5}[A-Za-z]{0,3}){0,3})"
# What may follow the number of a heading; a sentence that begins "Section 5 of …" is none.
_AFTER = r"(?:\s{0,3}[.:—–]+(?:\s+|$)|\s+(?=[\[(A-Z\"“])|\s*$)"
_UNIT = re.compile(
    rf"(?P<word>§|[Ss][Ee][Cc](?:\.|[Tt][Ii][Oo][Nn])|[Aa][Rr][Tt](?:\.|[Ii][Cc][Ll][Ee]))"
    rf"\s{{0,3}}{_NUMBER}{_AFTER}"
)
_DIVISION = re.compile(
    r"(?P<word>(?i:TITLE|SUBTITLE|DIVISION|CHAPTER|SUBCHAPTER|PART|SUBPART))"
    r"\s+(?:[0-9]{1,5}[A-Z]?|[IVXLC]{1,7}|[A-Z])(?:\s*[.:—–-]+|\s*$|\s+(?=[A-Z]))"
)
_RANKS = ("title", "subtitle", "division", "chapter", "subchapter", "part", "subpart")
_LONGEST_HEADING = 250
_SENTENCE = re.compile(r"[.—](?:\s+|$)")
_GONE = re.compile(r"\[?(?:reserved|repealed|removed|deleted)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UnitHeading:
    """The heading of a section or article; `rest` is text that stands on the same line."""

    level: Level
    number: str
    label: str
    heading: str
    rest: str


def unit_heading(line: str) -> UnitHeading | None:
    """Return the heading that a line is, None for any other line."""
    found = _UNIT.match(line)
    if found is None:
        return None
    article = found["word"][:1].lower() == "a"
    heading, rest = _split(line[found.end() :].strip())
    word = "Article" if article else "§" if found["word"] == "§" else "Section"
    return UnitHeading(
        level=Level.ARTICLE if article else Level.SECTION,
        number=found["number"],
        label=f"{word} {found['number']}",
        heading=heading,
        rest=rest,
    )


def division_rank(line: str) -> int | None:
    """Return how deep a part or chapter heading stands (title 0 … subpart 6), None if none."""
    if len(line) > _LONGEST_HEADING or line.endswith((".", ";", ",")):
        return None
    found = _DIVISION.match(line)
    return _RANKS.index(found["word"].lower()) if found else None


def is_gone(heading: str) -> bool:
    """Tell whether a heading says that the place is reserved or repealed."""
    return _GONE.match(heading) is not None


def _split(words: str) -> tuple[str, str]:
    """Split what follows the number into heading and text: the heading is its first sentence."""
    if words.startswith("(") and not re.match(r"\((?:[a-z]{1,2}|[0-9]{1,2})\)", words):
        heading, closing, rest = words[1:].partition(")")
        return (heading, rest.strip()) if closing else (words, "")
    if words.startswith("("):
        return "", words
    found = _SENTENCE.search(words)
    if found and found.end() < len(words):
        return words[: found.start()].strip(), words[found.end() :]
    return (words.rstrip("."), "") if len(words) <= _LONGEST_HEADING else ("", words)
