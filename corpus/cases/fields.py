"""Finding in the text of a judgment what its file does not say: title, court, charges, law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpus.cases.dates import day_of, iso_date
from corpus.cases.model import JudgmentPart
from corpus.cases.patterns import Patterns, Rule
from corpus.cases.safe_pattern import Budget, SafePattern
from corpus.limits import COURT_ENTRY

LISTED = 200
"""At most so many charges or provisions are kept of one judgment."""
ENTRY_CHARACTERS = COURT_ENTRY


def find_field(
    name: str,
    text: str,
    parts: Sequence[JudgmentPart],
    patterns: Patterns,
    budget: Budget | None = None,
) -> tuple[str, ...]:
    """Return what the text says of a field: several charges or provisions, at most one of others.

    The rules are tried in order until one finds something. Raises UserError for a pattern that
    takes longer than `budget` allows, as all functions here do.
    """
    budget = budget or Budget()
    for rule in patterns.rules.get(name, ()):
        found = _by_rule(name, text, parts, rule, budget)
        if found:
            return found if name in ("charges", "provisions") else found[:1]
    return ()


def split_provisions(
    text: str, patterns: Patterns, budget: Budget | None = None
) -> tuple[str, ...]:
    """Return the provisions that a text lists, by the rules of its language."""
    for rule in patterns.rules.get("provisions", ()):
        if found := _unique(_provisions(text, rule, budget or Budget())):
            return found
    return ()


def split_charges(text: str, patterns: Patterns, budget: Budget | None = None) -> tuple[str, ...]:
    """Return the charges that a text lists, cut as the first rule of its language cuts them."""
    rules = patterns.rules.get("charges", ())
    return _unique(_cut(text, rules[0].split if rules else None, budget or Budget()))


def _by_rule(
    name: str, text: str, parts: Sequence[JudgmentPart], rule: Rule, budget: Budget
) -> tuple[str, ...]:
    stretches = list(_stretches(text, parts, rule, budget))
    if name == "provisions":
        return _unique(each for stretch in stretches for each in _provisions(stretch, rule, budget))
    matches = [
        found for each in stretches for find in rule.find for found in find.finditer(each, budget)
    ]
    if name == "date":
        return _unique(_day(found) for found in matches)
    texts = (found[1] if found.re.groups else found[0] for found in matches)
    return _unique(each for text in texts for each in _cut(text, rule.split, budget))


def _stretches(
    text: str, parts: Sequence[JudgmentPart], rule: Rule, budget: Budget
) -> Iterator[str]:
    named = [text[part.start : part.end] for part in parts if part.section in rule.sections]
    for stretch in named or [text]:
        if not rule.within:
            yield stretch
        for pattern in rule.within:
            yield from (found[0] for found in pattern.finditer(stretch, budget))


def _provisions(text: str, rule: Rule, budget: Budget) -> Iterator[str]:
    """Yield ``law place``; one that names no law has that of its neighbours in the same list."""
    for pattern in rule.find:
        law, end, waiting = "", 0, list[str]()
        for found in pattern.finditer(text, budget):
            carry, start = rule.carry, found.start()
            if carry is None or not carry.fullmatch(text, end, start, budget):
                law, waiting = "", []
            law = (found.groupdict().get("law") or "").strip() or law
            waiting.append(found.groupdict().get("place") or found[0])
            end = found.end()
            if law:
                yield from (f"{law} {place}" for place in waiting)
                waiting = []


def _day(found: Any) -> str:
    parts = found.groupdict()
    if {"year", "month", "day"} <= set(parts):
        return day_of(parts["year"], parts["month"], parts["day"])
    return iso_date(found[1] if found.re.groups else found[0])


def _cut(text: str, split: SafePattern | None, budget: Budget) -> list[str]:
    return split.split(text, budget) if split else [text]


def _unique(found: Iterable[str]) -> tuple[str, ...]:
    """Return what was found, once each in the order found, on one line; nothing overlong."""
    tidy = (" ".join(each.split()) for each in found if each)
    kept = (each for each in tidy if each and len(each) <= ENTRY_CHARACTERS)
    return tuple(dict.fromkeys(kept))[:LISTED]
