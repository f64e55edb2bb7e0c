"""References in English text, of a law or of an answer.

Sections by number (section 5(a), §§ 164.502–164.514, 42 U.S.C. § 288-1, Article 12(1)3 of the Act),
parts of the current place (subsection (b), clause (ii) of subparagraph (A)), neighbouring sections
(the preceding section), and divisions (this subpart, chapter 3 of this title).

Steps below a section: (a)(1)(ii)(A), (1)3, lists and ranges of them.

A step has the form of a unit's parts: ``(a)``, or ``3`` without brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from corpus.citations.english_names import (
    DIVISIONS,
    instrument_after,
    instrument_before,
    instrument_beside,
    names_alone,
)
from corpus.citations.model import US_CODE, Mention, NameKind, us_code
from corpus.section_numbers import DASH, NUMBER, roman_value, section_number

Steps = tuple[str, ...]

_CHAIN = re.compile(
    r"(?:\s?\((?:[a-z]|([a-z])\1|[ivxl]{2,7}|[A-Z]|([A-Z])\2|[IVXL]{2,7}"
    r"|(?!as|at|an|am|be|by|do)[a-h][a-d]|\d{1,3}(?:[A-Z]{1,2}|-\d{1,2})?)\)"
    r"|(?<=\))\d{1,3}(?![\d.]\d|\d))+"
)
_BARE = re.compile(r"\d{1,3}(?:-\d{1,2})?(?![\w%]|[.,]\d|-\d)")
_STEP = re.compile(r"\([^()]+\)|\d+(?:-\d+)?")
AND = re.compile(r",?\s++(?:and/or|and|or|&|as\s+well\s+as)\s++|,\s++|,(?=[\d(])")
TO = re.compile(rf"\s++(?:to|through|thru|until|up\s+to(?:\s+and\s+including)?)\s++|\s?{DASH}\s?")
_MOST = 50  # the most steps of a range


def read_steps(
    text: str, at: int, *, bare: bool = False, several: bool = True
) -> tuple[list[Steps], int]:
    """Return the chains of steps written at `at`, and their end; ``([], at)`` for none.

    (a)(1) and (2) are two chains: the second keeps the steps above its own kind from the first.
    `bare` allows numbers without brackets (paragraph 3), `several` a list of those.
    """
    first, end = _chain(text, at, bare=bare)
    if not first:
        return [], at
    found = [first]
    while True:
        joined = _next(text, end, found[-1], bare=bare and several)
        if joined is None:
            return found, end
        more, end = joined
        found += more


def _next(text: str, end: int, last: Steps, *, bare: bool) -> tuple[list[Steps], int] | None:
    """Return the further chains of a list or range that goes on at `end`; None if none does."""
    for gap in (AND.match(text, end), TO.match(text, end)):
        if gap is None:
            continue
        new, after = _chain(text, gap.end(), bare=bare)
        whole = _under(last, new) if new else None
        if whole is None:
            continue
        if gap.re is AND:
            return [whole], after
        return [*_between(last, whole), whole], after
    return None


def _chain(text: str, at: int, *, bare: bool) -> tuple[Steps, int]:
    """Return the steps that begin at `at`, such as (1)(a), and where they end."""
    found = _CHAIN.match(text, at)
    if bare and (number := _BARE.match(text, at)):
        below, end = _chain(text, number.end(), bare=False)
        return (number[0], *below), end
    if not found or text[at : at + 2].lstrip()[:1] != "(":
        return (), at
    return tuple(_STEP.findall(found[0])), found.end()


def _under(last: Steps, new: Steps) -> Steps | None:
    """Return `new` below the steps it shares with `last`: (a)(1) and (2) → (a)(2)."""
    for depth in range(len(last) - 1, -1, -1):
        if _alike(last[depth], new[0]):
            return (*last[:depth], *new)
    return None


def _alike(one: str, other: str) -> bool:
    """Return whether two steps can be of one sequence: (a) and (b), (ii) and (iv), 3 and 4."""
    if one.startswith("(") is not other.startswith("("):
        return False
    a, b = one.strip("()"), other.strip("()")
    if a[:1].isdigit() or b[:1].isdigit():
        return a[:1].isdigit() and b[:1].isdigit()
    if a.islower() is not b.islower():
        return False
    return (_value(a) > 0 and _value(b) > 0) or len(a) == len(b) == 1 or a[0] == a[-1] == b[-1]


def _value(letters: str) -> int:
    """Return a Roman numeral's value, 0 if it is none or a letter: (c), (l)."""
    return 0 if letters.lower() in ("c", "l") else roman_value(letters)


def _between(first: Steps, last: Steps) -> list[Steps]:
    """Return the chains strictly between two that differ in their last step, else []."""
    above, low, high = last[:-1], first[len(last) - 1], last[-1]
    a, b = low.strip("()"), high.strip("()")
    wrap = "({})" if high.startswith("(") else "{}"
    if a.isdigit() and b.isdigit():
        names = [str(n) for n in range(int(a) + 1, min(int(b), int(a) + _MOST))]
    elif _value(a) and _value(b) and (len(a) > 1 or len(b) > 1):
        names = [_roman(n) for n in range(_value(a) + 1, min(_value(b), _value(a) + _MOST))]
        names = [name.upper() for name in names] if a.isupper() else names
    elif len(a) == len(b) == 1:
        names = [chr(n) for n in range(ord(a) + 1, ord(b))]
    else:
        names = []
    return [(*above, wrap.format(name)) for name in names]


def _roman(number: int) -> str:
    """Return a number in Roman numerals."""
    written = ""
    for value, letters in ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv")):
        while number >= value:
            written, number = written + letters, number - value
    return written + "i" * number


class Sort(StrEnum):
    """The sort of a reference."""

    UNIT = "unit"  # section 5(a)
    PART = "part"  # subsection (b)
    NEAR = "near"  # the preceding section
    DIVISION = "division"  # this subpart
    NAME = "name"  # the Ferry Act alone


@dataclass(frozen=True, slots=True)
class Spot:
    """One number of a list with the chains of steps below it; `last` ends a range.

    `several` is whether the wording is plural, so that a hyphen may be a range: §§ 5-7.
    """

    number: str
    chains: tuple[Steps, ...] = ()
    last: str = ""
    heading: str = ""
    several: bool = False


@dataclass(frozen=True, slots=True)
class EnglishReference:
    """A reference as written from `start` to `end`.

    `word` is the kind of place in the singular (section, annex, paragraph, subpart). A part has
    `chains` and is in `within`, or in the place of `scope` ("this section", "same article").
    `mention` names the instrument, None for the own one. `steps` counts sections before (negative)
    or after.
    """

    sort: Sort
    start: int
    end: int
    word: str = ""
    spots: tuple[Spot, ...] = ()
    chains: tuple[Steps, ...] = ()
    within: EnglishReference | None = None
    scope: str = ""
    mention: Mention | None = None
    steps: int = 0


_UNITS = {
    "sec": "section",
    "s": "section",
    "ss": "section",
    "r": "rule",
    "rr": "rule",
    "art": "article",
    "reg": "regulation",
    "rul": "rule",
    "sch": "annex",
    "ann": "annex",
    "app": "annex",
    "att": "annex",
    "for": "form",
}
_UNIT = (
    rf"(?P<unit>(?P<us>{US_CODE}(?:,?\s[Pp]art\s[0-9]{{1,4}}(?=,?\s(?:§|[Ss]ec))|,?\s(?:[Pp]art|[Pp]t\.)(?=\s[0-9]{{1,4}}\.[0-9]))?),?\s{{0,3}}(?P<sign>§§?|(?:[Ss]ections?|[Ss]ecs?\.)(?=\s))?"
    r"(?=\s{0,3}[0-9])|§§?|\b(?:[Ss]ections?|SECTIONS?|[Ss]ect?s?\.?|[Aa]rticles?|[Aa]rts?\.?"
    r"|[Rr]egulations?|[Rr]ules?|[Rr]egs?\.?|Schedules?|Annex(?:es)?|Appendi(?:x|ces)"
    r"|Attached\s+Tables?|Forms?)|(?<![\w.'’])(?:ss?\.?(?=\s?\d)|rr?\.?(?=\s\d)"
    r"|(?<!U\.\s)Ss?\.(?=\s?\d+[A-Za-z]{0,2}(?:\([^()]{1,5}\))*,?\s(?:of|and|or|to)\s)))"
    r"(?:\s{1,3}|(?<=[§.CRAs])\s{0,3})"
    r"(?!(?:(?<=lations\s)|(?<=ules\s))(?:1[6-9]|20)\d\d(?![\d(-]|\.\d))"  # Lamp Rules 1989
    r"(?=\d|(?<=x\s)[A-Z]\b|(?<=x\s)[IVX]+\b|(?<=ule\s)[A-Z]\b|(?<=ule\s)[IVX]+\b)"
)
_PART = (
    r"\b(?P<part>[Ss]ubsections?|[Ss]ub-?paragraphs?|[Pp]aragraphs?|[Pp]aras?\.|[Ss]ubclauses?"
    r"|[Cc]lauses?|[Ss]ub-?items?|[Ii]tems?|[Pp]oints?|[Ss]ubdivisions?)\s{1,3}(?=\(|\d)"
)
_NEAR = (
    r"\b[Tt]he\s+(?:immediately\s+)?(?P<near>preceding|previous|foregoing|following|next|succeeding)"
    r"\s+(?:(?P<count>two|three|four|five|[2-9])\s+)?(?P<what>sections?|articles?|rules?"
    r"|regulations?|subsections?|paragraphs?|subparagraphs?|clauses?|items?)\b(?!\s*[:—]|\s+\d)"
)
_DIVISION = (
    rf"\b(?:[Tt]his\s+(?P<own>{'|'.join(DIVISIONS)})\b"
    rf"|(?P<div>(?i:{'|'.join(DIVISIONS)}|title))s?\s+(?P<ids>(?:[0-9]{{1,4}}[A-Z]?|[IVXLC]{{1,7}}"
    r"|[A-Z]{1,2})(?:(?:,?\s(?:and|or|to|through)\s|,\s)(?:[0-9]{1,4}[A-Z]?|[IVXLC]{1,7}"
    r"|[A-Z]{1,2})\b)*+)(?=\s+of\s+(?:this\s|the\s+[A-Z])))"
)
_DECIMAL = (
    r"\b(?:under|in|of|with|to|by|from|see)\s+(?P<decimal>\d{1,2}(?:\.\d{1,2}){2,5})(?![\w.]\d)"
)
_ANCHOR = re.compile("|".join((_UNIT, _PART, _NEAR, _DIVISION, _DECIMAL)))
_UNIT_HERE, _PART_HERE = re.compile(r"\s+of\s+(?:" + _UNIT + ")"), re.compile(r"\s+of\s+" + _PART)
_SUFFIX = re.compile(r",?\s+" + _PART)
_UNIT_AGAIN = re.compile(_UNIT)
_NUMBER = re.compile(
    rf"{NUMBER}(?![0-9A-Za-z%]|\s+(?:U\.?\s?S\.?|C\.?\s?F\.?|F\.|percent\b|per\s?cent\b))"
    r"|[A-Z]\b|[IVXLC]+\b"
)
_SHORT = re.compile(rf"(?:\.|{DASH})[0-9]+[a-z]?(?![0-9A-Za-z])")
_IN_PART = re.compile(r"[0-9]+[A-Za-z]{0,3}[.–-]\w")
_HEADING = re.compile(r"\s\(([A-Z][^()]{2,90})\)")
_SCOPE = re.compile(
    r"\s+of\s+(?P<which>this|(?:the\s+)?(?:same|said)|that|such)\s+(?P<scope>section|[Aa]rticle"
    r"|subsection"
    r"|paragraph|subparagraph|clause|regulation|rule)\b"
)
_AHEAD = ("following", "next", "succeeding")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_WINDOW = 160
_DEEPEST = 5  # the deepest nesting of "part of a part"


def find_english_law(text: str) -> list[EnglishReference]:
    """Return the references in a law's text in order, without overlap. Never raises."""
    found = find_english_places(text)
    taken = [(one.start, one.end) for one in found]
    for mention, start, end in names_alone(text):
        if not any(low < end and start < high for low, high in taken):
            found.append(EnglishReference(Sort.NAME, start, end, mention=mention))
    return sorted(found, key=lambda one: one.start)


def find_english_places(text: str) -> list[EnglishReference]:
    """Return the references with a place, in order, without overlap."""
    found: list[EnglishReference] = []
    floor = at = 0
    while anchor := _ANCHOR.search(text, at):
        read = _read(text, anchor, floor)
        at = max(anchor.end(), *(one.end for one in read)) if read else anchor.start() + 1
        found += read
        floor = at if read else floor
    return found


def _read(text: str, anchor: re.Match[str], floor: int) -> list[EnglishReference]:
    """Return the references that begin at an anchor; none if it is too vague."""
    start = anchor.start()
    if anchor["unit"]:
        return _unit_references(text, anchor, start, floor)
    if anchor["part"]:
        one = _part(text, anchor, start)
        return [one] if one else []
    if anchor["near"]:
        vague = anchor["near"] in _AHEAD and anchor["what"].endswith("s") and not anchor["count"]
        return [] if vague else [_near(anchor)]
    if anchor["decimal"]:
        spot = Spot(anchor["decimal"])
        begin = anchor.start("decimal")
        return [EnglishReference(Sort.UNIT, begin, anchor.end(), "section", (spot,))]
    return [_division(text, anchor)]


def _unit_references(
    text: str, anchor: re.Match[str], start: int, floor: int | None
) -> list[EnglishReference]:
    """Return a reference for each listed section, with the instrument named beside the list."""
    found = _listed_references(text, anchor, start)
    if not found:
        return []
    low, after = max(floor or 0, start - _WINDOW), instrument_after(text, found[-1].end)
    before = instrument_before(text, low, start) if floor is not None else None
    if anchor["us"]:
        mention = Mention(NameKind.CODE, anchor["us"], code=us_code(anchor["us"]))
    elif after or (not before and (after := instrument_beside(text, found[-1].end))):
        mention, end = after
        found[-1] = replace(found[-1], end=end)
    elif before:
        mention, begin = before
        found[0] = replace(found[0], start=begin)
    else:
        return found
    return [replace(one, mention=mention) for one in found]


def _listed_references(text: str, anchor: re.Match[str], start: int) -> list[EnglishReference]:
    """Read the numbers of a list, each without its instrument.

    After a word in the singular a list continues only if its end or its numbers show that it is
    one: section 5, 7 and 9 of the Act, section 5(a) and 7(b), 45 CFR 164.504, 164.506.
    """
    word, several = _unit_word(anchor), _plural(anchor)
    federal = us_code(anchor["us"]) if anchor["us"] else ""
    if federal.endswith("CFR") and not (anchor["sign"] or _IN_PART.match(text, anchor.end())):
        return []  # 17 CFR 240: a part
    found: list[EnglishReference] = []
    begin, at, kept = start, anchor.end(), 0
    again: re.Match[str] | None = None
    while spot := _spot(text, at, word, several=several, before=found[-1] if found else None):
        one, end = spot
        found.append(EnglishReference(Sort.UNIT, begin, end, word, (one,)))
        dotted = "." in one.number and "." in found[0].spots[0].number
        sure = several or again or one.chains or dotted or (federal and not one.number.isdigit())
        if sure or len(found) == 1 or instrument_after(text, end):
            kept = len(found)
        gap = AND.match(text, end)
        again = _UNIT_AGAIN.match(text, gap.end()) if gap else None
        if gap is None or (again and (again["us"] or _unit_word(again) != word)):
            break
        begin, at = gap.end(), again.end() if again else gap.end()
    return found[:kept]


def _spot(
    text: str, at: int, word: str, *, several: bool, before: EnglishReference | None
) -> tuple[Spot, int] | None:
    """Read a number with the steps below it, or a range; return it and its end, else None.

    After the number of `before` it may be abbreviated: .506 in §§ 164.504, .506.
    """
    read = _read_number(text, at, before.spots[0].number if before else "")
    if read is None:
        return None
    (first, end), title = read, ""
    if word == "article" and (heading := _HEADING.match(text, end)):
        end, title = heading.end(), heading[1]
    chains, end = read_steps(text, end)
    if last := _range_end(text, end, first, sure=several or "." in first):
        return Spot(first, (), last[0], title), last[1]
    while suffix := _SUFFIX.match(text, end):
        below, after = read_steps(text, suffix.end(), bare=True, several=_plural(suffix, "part"))
        if not below or len(chains) * len(below) > _MOST:
            break
        chains = [(*above, *one) for above in chains or [()] for one in below]
        end = after
    return Spot(first, tuple(chains), "", title, several), end


def _read_number(text: str, at: int, before: str) -> tuple[str, int] | None:
    """Return the number at `at` and its end; an abbreviated one is completed from `before`.

    That is .506 after 164.504, -3 after 1320d-1.
    """
    if short := _SHORT.match(text, at):
        end = section_number(short[0])
        beginning, sign, _ = before.rpartition(end[0])
        return (beginning + end, short.end()) if sign else None
    number = _NUMBER.match(text, at)
    return (section_number(number[0]), number.end()) if number else None


def _range_end(text: str, at: int, first: str, *, sure: bool) -> tuple[str, int] | None:
    """Return the last number of a range that continues at `at`, and its end.

    Unless the previous words make it `sure`, this requires a repeated unit or a following
    instrument: section 5 to section 7, section 5 to 7 of the Act.
    """
    gap = TO.match(text, at)
    again = _UNIT_AGAIN.match(text, gap.end()) if gap else None
    last = _read_number(text, again.end() if again else gap.end(), first) if gap else None
    if last is None or (again and again["us"]) or not last[0][0].isdigit():
        return None
    end = read_steps(text, last[1])[1]
    ends = (last[0], end)
    return ends if sure or again or instrument_after(text, end) else None


def _part(
    text: str, anchor: re.Match[str], start: int, deepest: int = _DEEPEST
) -> EnglishReference | None:
    """Read parts, as paragraphs (1) and (2) of section 5, at an anchor; None without numbers."""
    word = _part_word(anchor["part"])
    chains, end = read_steps(text, anchor.end(), bare=True, several=_plural(anchor, "part"))
    if not chains:
        return None
    one = EnglishReference(Sort.PART, start, end, word, chains=tuple(chains))
    if scope := _SCOPE.match(text, end):
        which = "this" if scope["which"] == "this" else "same"
        return replace(one, end=scope.end(), scope=f"{which} {scope['scope'].lower()}")
    if thereof := re.compile(r"\s+thereof\b").match(text, end):
        return replace(one, end=thereof.end(), scope="same place")
    within = _PART_HERE.match(text, end) if deepest else None
    if within and (inner := _part(text, within, within.start(), deepest - 1)):
        return replace(one, end=inner.end, within=inner)
    if unit := _UNIT_HERE.match(text, end):
        units = _unit_references(text, unit, unit.start("unit"), None)
        if len(units) == 1:
            return replace(one, end=units[0].end, within=units[0])
    if near := re.compile(r"\s+of\s+" + _NEAR).match(text, end):
        return replace(one, end=near.end(), within=_near(near))
    return one


def _near(match: re.Match[str]) -> EnglishReference:
    """Return a reference by position, such as "the preceding two paragraphs"."""
    count = _COUNTS.get(match["count"] or "", 0) or int(match["count"] or 1)
    before = match["near"] not in _AHEAD
    word = match["what"].rstrip("s")
    steps = -count if before else count
    if match["what"].endswith("s") and not match["count"]:
        steps = 0  # the preceding paragraphs: all of them
    return EnglishReference(Sort.NEAR, match.start(), match.end(), word, steps=steps)


def _division(text: str, match: re.Match[str]) -> EnglishReference:
    """Return a reference to parts, chapters and the like of an instrument."""
    if match["own"]:
        scope = match["own"].lower()
        return EnglishReference(Sort.DIVISION, match.start(), match.end(), scope, scope="this")
    names = re.split(r",?\s(?:and|or)\s|,\s", match["ids"])
    spots = tuple(
        Spot(ends[0], (), ends[1] if len(ends) > 1 else "")
        for ends in (re.split(r"\s(?:to|through)\s", name) for name in names)
    )
    after = instrument_after(text, match.end())
    mention, end = after or (None, match.end())
    word = match["div"].lower()
    return EnglishReference(Sort.DIVISION, match.start(), end, word, spots, mention=mention)


def _unit_word(anchor: re.Match[str]) -> str:
    """Return the full word of a cited unit: "section" for § and s."""
    key = anchor["unit"].lower().rstrip(".")
    return "section" if anchor["us"] or "§" in key else _UNITS.get(key) or _UNITS[key[:3]]


def _plural(anchor: re.Match[str], group: str = "unit") -> bool:
    """Return whether a word is plural: §§, ss., sections, paragraphs."""
    sign = anchor["sign"] or "§" if group == "unit" and anchor["us"] else anchor[group]
    word = sign.lower().rstrip(".")
    many = ("§§", "ss", "rr", "secs", "sects", "arts", "regs", "paras", "annexes", "appendices")
    return word in many or (len(word) > 3 and word.endswith("s"))


def _part_word(written: str) -> str:
    """Return the singular name of a part: paragraph for "paras."."""
    word = written.lower().replace("-", "").rstrip(".").rstrip("s")
    return "paragraph" if word == "para" else word
