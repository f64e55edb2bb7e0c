"""What a file of judgments gives: how many have each field, from where, and which sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from corpus.cases.model import Section
from corpus.cases.reading import Read

FOUND_FIELDS = ("number", "court", "date", "title", "charges", "provisions")


@dataclass(frozen=True, slots=True)
class FieldCount:
    """How many judgments have a field: said by its column, or found in the text by a pattern."""

    name: str
    column: int
    pattern: int


@dataclass(frozen=True, slots=True)
class SectionCount:
    """In how many judgments a section is, its characters in all, and where its column was blank."""

    name: str
    judgments: int
    characters: int
    empty: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The counts over `judgments`; `uncut` of them are one part that no pattern named."""

    judgments: int
    characters: int
    longest: int
    languages: dict[str, int]
    fields: tuple[FieldCount, ...]
    sections: tuple[SectionCount, ...]
    uncut: int


def survey(reads: Iterable[Read]) -> Survey:
    """Return the counts of judgments that were read."""
    count, longest, uncut = 0, 0, 0
    languages: Counter[str] = Counter()
    how: Counter[tuple[str, str]] = Counter()
    held: Counter[Section] = Counter()
    size: Counter[Section] = Counter()
    empty: Counter[str] = Counter()
    for read in reads:
        each = read.judgment
        count, longest = count + 1, max(longest, len(each.text))
        languages[each.language] += 1
        how.update(read.found.items())
        held.update({part.section for part in each.parts})
        for part in each.parts:
            size[part.section] += part.end - part.start
        empty.update(read.empty)
        uncut += [part.section for part in each.parts] == [Section.REST]
    return Survey(
        count,
        size.total(),
        longest,
        dict(sorted(languages.items())),
        tuple(FieldCount(n, how[n, "column"], how[n, "pattern"]) for n in FOUND_FIELDS),
        tuple(SectionCount(str(s), held[s], size[s], empty[s]) for s in Section),
        uncut,
    )
