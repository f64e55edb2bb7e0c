"""Sections of a judgment, and fields missing from its file (court, law, charges), from its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any

from corpus.cases.model import JudgmentPart, Section
from corpus.cases.patterns import Patterns, Rule
from corpus.cases.safe_pattern import Budget, SafePattern
from corpus.limits import COURT_ENTRY

_DATES = (
    re.compile(r"(?P<year>\d{4})\D{1,3}(?P<month>\d{1,2})\D{1,3}(?P<day>\d{1,2})\D?"),
    re.compile(r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"),
    re.compile(
        r"(?P<year>[一二三四五六七八九〇○零Ｏ]{4})年(?P<month>[一二三四五六七八九十]{1,2})月"
        r"(?P<day>[一二三四五六七八九十]{1,3})日"
    ),
    re.compile(r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"),
    re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)? (?P<month>[A-Za-z]{3,9})\.?,? (?P<year>\d{4})"),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DIGITS = {each: n for n, each in enumerate("〇一二三四五六七八九")} | {"两": 2}
_DIGITS |= dict.fromkeys("○零Ｏ", 0)
_UNITS = {"十": 10, "百": 100, "千": 1000}


def iso_date(text: str) -> str:
    """Parse a date as YYYY-MM-DD; "" if it is none.

    Accepted are 2026-01-05, 20260105, 2026. 1. 5., 2026年1月5日, 二〇二六年一月五日, January 5,
    2026 and 5 January 2026.
    """
    found = next(filter(None, (form.fullmatch(text.strip()) for form in _DATES)), None)
    return day_of(found["year"], found["month"], found["day"]) if found else ""


def day_of(year: str, month: str, day: str) -> str:
    """Return an ISO date from digits, Chinese numerals or an English month; "" if it is none."""
    try:
        return date(number_of(year), _month(month), number_of(day)).isoformat()
    except ValueError:
        return ""


def _month(text: str) -> int:
    """Return the number of a month, by digits or English name."""
    name = text[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else number_of(text)


def number_of(text: str) -> int:
    """Parse a number in digits or Chinese numerals. Raises ValueError for a text without any."""
    if text.isascii():
        return int(text)
    if not any(each in _UNITS for each in text):
        digits = (
            str(_DIGITS.get(each, each)) for each in text if each in _DIGITS or each.isdigit()
        )
        return int("".join(digits))
    total, digit = 0, 0
    for each in text:
        if each in _UNITS:
            total, digit = total + (digit or 1) * _UNITS[each], 0
        else:
            digit = int(_DIGITS.get(each, each))
    return total + digit


LISTED = 200
"""The most charges or provisions kept per judgment."""
ENTRY_CHARACTERS = COURT_ENTRY


_CLOSING = "”’」』）)】] \t"


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the parts and the fields of judgments, by the patterns of their language.

    Every method raises UserError for a pattern that exceeds the `budget`.
    """

    patterns: Patterns
    budget: Budget = field(default_factory=Budget)

    def find(self, name: str, text: str, parts: Sequence[JudgmentPart]) -> tuple[str, ...]:
        """Find a field in the text: several charges or provisions, at most one value of others.

        The rules are tried in order until one finds something.
        """
        for rule in self.patterns.rules.get(name, ()):
            if found := self._by_rule(name, text, parts, rule):
                return found if name in ("charges", "provisions") else found[:1]
        return ()

    def provisions(self, text: str) -> tuple[str, ...]:
        """Return the provisions in a text, by the first rule of its language that finds any."""
        rules = self.patterns.rules.get("provisions", ())
        return next(filter(None, (_unique(self._provisions(text, rule)) for rule in rules)), ())

    def charges(self, text: str) -> tuple[str, ...]:
        """Return the charges listed in a text, split by the first rule of its language."""
        rules = self.patterns.rules.get("charges", ())
        return _unique(self._pieces(text, rules[0].split if rules else None))

    def parts(self, text: str) -> tuple[JudgmentPart, ...]:
        """Divide a text into parts, which cover it without gap or overlap, in order.

        A part runs from the start of its section to the start of the next; text before the first is
        the head. Adjacent parts of one section are merged. A text without any section start is a
        single part of `Section.REST`.
        """
        if not text:
            return ()
        begins = self._section_starts(text)
        if not begins:
            return (JudgmentPart(Section.REST, 0, len(text)),)
        if begins[0][0] > 0:
            begins.insert(0, (0, Section.HEAD))
        runs = [next(run) for _, run in groupby(begins, key=lambda each: each[1])]
        ends = [start for start, _ in runs[1:]] + [len(text)]
        return tuple(
            JudgmentPart(section, start, end)
            for (start, section), end in zip(runs, ends, strict=True)
        )

    def _by_rule(
        self, name: str, text: str, parts: Sequence[JudgmentPart], rule: Rule
    ) -> tuple[str, ...]:
        """Return a field's values as a rule finds them in the text."""
        stretches = list(self._stretches(text, parts, rule))
        if name == "provisions":
            return _unique(
                each for stretch in stretches for each in self._provisions(stretch, rule)
            )
        matches = [
            found
            for each in stretches
            for find in rule.find
            for found in find.finditer(each, self.budget)
        ]
        if name == "date":
            return _unique(_day(found) for found in matches)
        texts = (found[1] if found.re.groups else found[0] for found in matches)
        return _unique(each for text in texts for each in self._pieces(text, rule.split))

    def _stretches(self, text: str, parts: Sequence[JudgmentPart], rule: Rule) -> Iterator[str]:
        """Yield what a rule searches: its sections, else all, narrowed by its expressions."""
        named = [text[part.start : part.end] for part in parts if part.section in rule.sections]
        for stretch in named or [text]:
            if not rule.within:
                yield stretch
            for pattern in rule.within:
                yield from (found[0] for found in pattern.finditer(stretch, self.budget))

    def _provisions(self, text: str, rule: Rule) -> Iterator[str]:
        """Yield ``law place``; a place without a law gets that of its neighbours in the list."""
        for pattern in rule.find:
            law, end, waiting = "", 0, list[str]()
            for found in pattern.finditer(text, self.budget):
                carry, start = rule.carry, found.start()
                if carry is None or not carry.fullmatch(text, end, start, self.budget):
                    law, waiting = "", []
                law = (found.groupdict().get("law") or "").strip() or law
                waiting.append(found.groupdict().get("place") or found[0])
                end = found.end()
                if law:
                    yield from (f"{law} {place}" for place in waiting)
                    waiting = []

    def _pieces(self, text: str, split: SafePattern | None) -> list[str]:
        """Split a text by a pattern, if there is one."""
        return split.split(text, self.budget) if split else [text]

    def _section_starts(self, text: str) -> list[tuple[int, Section]]:
        """Return the starts of sections, in order; at equal offsets the earlier pattern counts."""
        found = [
            (match.start(), order, each)
            for order, each in enumerate(self.patterns.begins)
            for match in each.pattern.finditer(text, self.budget)
        ]
        direct = sorted((at, order, each.section) for at, order, each in found if not each.sentence)
        starts = [start for start, _, _ in direct]
        sentences = self._sentences(text)
        by_sentence = [
            (start, order, each.section)
            for at, order, each in found
            if each.sentence
            for start in [sentences[bisect_right(sentences, at) - 1]]
            if not _between(starts, start, at)
        ]
        first: dict[int, Section] = {}
        for start, _, section in sorted(direct + by_sentence):
            first.setdefault(start, section)
        return sorted(first.items())

    def _sentences(self, text: str) -> list[int]:
        """Return the starts of sentences: after each end and its closing quotation marks."""
        starts = [0]
        for found in self.patterns.sentence_end.finditer(text, self.budget):
            at = found.end()
            while at < len(text) and text[at] in _CLOSING:
                at += 1
            starts.append(at)
        return starts


def _day(match: Any) -> str:
    """Return the ISO date in a match; "" if it is none."""
    parts = match.groupdict()
    if {"year", "month", "day"} <= set(parts):
        return day_of(parts["year"], parts["month"], parts["day"])
    return iso_date(match[1] if match.re.groups else match[0])


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct values in order, on one line each, none overlong; LISTED at most."""
    tidy = (" ".join(each.split()) for each in values if each)
    kept = (each for each in tidy if each and len(each) <= ENTRY_CHARACTERS)
    return tuple(dict.fromkeys(kept))[:LISTED]


def _between(sorted_starts: list[int], low: int, high: int) -> bool:
    """Return whether one of the ascending starts lies between `low` and `high`, both included."""
    at = bisect_right(sorted_starts, low - 1)
    return at < len(sorted_starts) and sorted_starts[at] <= high
