"""Finding citations, strings with spans, from the text alone.

Those of United States law are 45 C.F.R. § 164.504(a)(1)(ii) and 17 U.S.C. § 107. Federal
codes are read here, since eyecite stops at letters in a section (42 U.S.C. § 1320d-2) and needs the
sign. eyecite reads the rest: codes of the states, public laws, the Federal Register. Of a range
whose sections have letters (§§ 1320d to 1320d-8) only the first is found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from corpus.citations.english import find_english
from corpus.citations.korean import find_korean
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind, us_code
from corpus.citations.relative import find_pointing
from corpus.citations.written_form import WrittenForm, is_plain
from corpus.model import Level

_CODES = ("U.S.C", "C.F.R", "U. S. C", "C. F. R", "USC", "CFR")
_STATE = re.compile(r"\b(?:Code|Laws?|Ann|Stat|Rev|Comp)\b\.?[^§\n]{0,40}§")
_LONGEST = 200_000  # characters that eyecite is given; a unit of law is far shorter
_SECTION = (
    r"[0-9]{1,5}[A-Za-z]{0,3}(?:\.[0-9]{1,5}[A-Za-z]{0,2})?(?:\([a-z]\)(?=-[0-9]))?"
    r"(?:-[0-9]{1,3}[a-z]{0,2}(?![.][0-9]))?(?![0-9A-Za-z])"
)
_HEAD = re.compile(
    r"(?<![0-9A-Za-z.])(?P<code>[0-9]{1,2}\s{1,3}(?:U\.?\s?S\.?\s?C|C\.?\s?F\.?\s?R)\b\.?)"
    rf"(?:\s?A\.)?,?\s{{0,3}}(?P<sign>§§?|[Ss]ections?\b|[Ss]ecs?\.)?\s{{0,3}}(?P<number>{_SECTION})"
)
_NUMBER = re.compile(_SECTION)
_STEPS = re.compile(r"(?:\s?\((?:[a-z]{1,5}|[A-Z]{1,5}|[0-9]{1,3})\))+")
_STEP = re.compile(r"\(([^()]+)\)")
_PLAIN = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,5})?")
_TO = re.compile(
    rf"\s?(?:–|—|-|to|through)\s?(?:§§?\s?)?({_PLAIN.pattern})(?![0-9A-Za-z]|[.-][0-9])"
)
_NEXT = re.compile(rf"(?:,\s(?:and\s|or\s)?|\s(?:and|or)\s)(?:§§?\s?)?({_SECTION})")
_REPORTER = re.compile(
    r"\b[0-9]{1,4}\s(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.|F\.\s?(?:[234]d|4th|Supp)|F\.|[A-Z][A-Za-z]{0,5}\."
    r"\s?(?:[234]d|App))[^\n]{0,12}?\s[0-9]{1,5}\b"
)
_NO_SECTION = re.compile(r"\s(?:U\.?\s?S|C\.?\s?F|F\.|[A-Z])")  # 17 of 17 U.S.C.: a title


def find_us(text: str) -> list[Citation]:
    """Return the citations of United States law in `text`, in order, with exact spans."""
    citations: list[Citation] = []
    if "C" in text and any(code in text for code in _CODES):
        citations = list(_federal(text))
    if "Fed. Reg." in text or "Pub. L." in text or ("§" in text and _STATE.search(text)):
        starts = [one.start for one in citations]
        others = [one for one in _other(text[:_LONGEST]) if not _read(one, citations, starts)]
        citations = sorted([*citations, *others], key=lambda one: one.start)
    return citations


def find_cases(text: str) -> list[Citation]:
    """Return the decisions of courts that a text cites (410 U.S. 113), in order, without place."""
    if not _REPORTER.search(text):
        return []
    from eyecite import get_citations  # 0.2 s to load: only for texts that cite decisions
    from eyecite.models import FullCaseCitation

    found: list[Citation] = []
    for one in get_citations(text[:_LONGEST]):
        if isinstance(one, FullCaseCitation):
            start, end = one.span()  # type: ignore[no-untyped-call]
            written = text[start:end]
            if not found or found[-1].end <= start:
                found.append(Citation(written, start, end, Mention(NameKind.CODE, written)))
    return found


def _read(one: Citation, citations: list[Citation], starts: list[int]) -> bool:
    before = bisect_left(starts, one.end)
    return before > 0 and citations[before - 1].end > one.start


def _federal(text: str) -> Iterator[Citation]:
    """Yield the citations of federal codes, each further section of a list as one of its own."""
    floor = 0
    for head in _HEAD.finditer(text):
        if head.start() < floor:
            continue
        mention = Mention(NameKind.CODE, head["code"], code=us_code(head["code"]))
        several = head["sign"] in ("§§", "sections", "Sections", "secs.", "Secs.")
        start, begin = head.start(), head.start("number")
        while True:
            place, end = _place(text, begin, several=several)
            yield Citation(text[start:end], start, end, mention, (place,))
            more = _NEXT.match(text, end) if several else None
            if more is None or _NO_SECTION.match(text, more.end()):
                break
            start = begin = more.start(1)
        floor = end


def _place(text: str, begin: int, *, several: bool) -> tuple[CitedPlace, int]:
    """Return the place whose section begins at `begin`, and where it ends."""
    plain = _PLAIN.match(text, begin)
    last = _TO.match(text, plain.end()) if several and plain else None
    if plain and last and ("." in plain[0]) == ("." in last[1]):
        return CitedPlace(Level.SECTION, plain[0], last=last[1]), last.end()
    found = _NUMBER.match(text, begin)
    number, end = (found[0], found.end()) if found else ("", begin)
    steps = _STEPS.match(text, end)
    pinpoint = "/".join(f"({one})" for one in _STEP.findall(steps[0])) if steps else ""
    return CitedPlace(Level.SECTION, number, pinpoint), steps.end() if steps else end


def _other(text: str) -> Iterator[Citation]:
    """Yield what eyecite reads as law: as a rule beyond the corpus, but listed as cited."""
    from eyecite import get_citations  # 0.2 s to load: only for texts that cite such law
    from eyecite.models import FullLawCitation

    for one in get_citations(text):
        if isinstance(one, FullLawCitation):
            start, end = one.span()  # type: ignore[no-untyped-call]
            sign, number = text.find("§", start, end), str(one.groups.get("section") or "")
            places: tuple[CitedPlace, ...] = ()
            if sign > 0 and number:
                places, name = (CitedPlace(Level.SECTION, number.rstrip(".,;")),), text[start:sign]
            else:  # Pub. L. No. 111-148, 124 Stat. 119: the volume is no part of the law's name
                title = str(one.groups.get("title") or "")
                end = text.find(title, start, end) + len(title) if title else end
                name = text[start:end]
            mention = Mention(NameKind.CODE, name.rstrip(" ,"))
            yield Citation(text[start:end], start, end, mention, places)


def find(text: str) -> list[Citation]:
    """Return every citation of `text`, Korean, English and US, in order and without overlap.

    Never raises, and needs no corpus: a citation says what is written, not whether it exists.
    Where two read one stretch (a code in "Section 2.1.1 of FSTC 102"), the US reading stands
    before the English one, and that before the Korean one. Text in another form (NFD, full width)
    is read as well; offsets and words are those of `text`.
    """
    if is_plain(text):
        return _find(text)
    form = WrittenForm(text)
    return [form.as_written(one) for one in _find(form.text)]


def _find(text: str) -> list[Citation]:
    english, us, korean = find_english(text), find_us(text), find_korean(text)
    found = _joined(_joined(us, english) if us else english, korean)
    pointing = find_pointing(text, found) if korean else []
    return _joined(found, pointing) if pointing else found


def _joined(first: list[Citation], others: list[Citation]) -> list[Citation]:
    """Return the citations of `first` and those of `others` that stand clear of them, in order."""
    if not first:
        return others
    starts = [c.start for c in first]
    fresh = [c for c in others if not _overlaps(c, first, starts)]
    return sorted([*first, *fresh], key=lambda c: c.start)


def _overlaps(one: Citation, others: list[Citation], starts: list[int]) -> bool:
    at = bisect_left(starts, one.end)
    return at > 0 and others[at - 1].end > one.start
