"""Citations found in the text alone, as strings with spans.

English ones and those of federal codes (45 C.F.R. § 164.504(a)(1)(ii), 17 U.S.C. § 107) are parsed
by one grammar; eyecite finds the rest of United States law: codes of the states, public laws, the
Federal Register.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from corpus.citations.english import find_english
from corpus.citations.korean import find_korean
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind, WrittenForm, is_plain
from corpus.citations.relative import find_pointing
from corpus.model import Level

_STATE = re.compile(r"\b(?:Code|Laws?|Ann|Stat|Rev|Comp)\b\.?[^§\n]{0,40}§")
_LONGEST = 200_000  # the most characters given to eyecite; a unit of law is far shorter
_REPORTER = re.compile(
    r"\b[0-9]{1,4}\s(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.|F\.\s?(?:[234]d|4th|Supp)|F\.|[A-Z][A-Za-z]{0,5}\."
    r"\s?(?:[234]d|App))[^\n]{0,12}?\s[0-9]{1,5}\b"
)


def find_us(text: str) -> list[Citation]:
    """Return United States law found by eyecite, in order, with exact spans."""
    if not ("Fed. Reg." in text or "Pub. L." in text or ("§" in text and _STATE.search(text))):
        return []
    return sorted(_laws_by_eyecite(text[:_LONGEST]), key=lambda one: one.start)


def find_cases(text: str) -> list[Citation]:
    """Return the court decisions that a text cites (410 U.S. 113), in order, without place."""
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


def _laws_by_eyecite(text: str) -> Iterator[Citation]:
    """Yield laws found by eyecite: usually beyond the corpus, but listed as cited."""
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

    Never raises, and needs no corpus: a citation is what is written, whether or not it exists.
    Where two overlap (a code in "Section 2.1.1 of FSTC 102"), a federal code takes precedence over
    eyecite's result, that over the other English one, and that over the Korean one. Text in another
    form (NFD, full width) is read too; offsets and words are those of `text`.
    """
    if is_plain(text):
        return _find(text)
    form = WrittenForm(text)
    return [form.as_written(one) for one in _find(form.text)]


def _find(text: str) -> list[Citation]:
    """Return the citations of all languages and forms, merged."""
    english, others, korean = find_english(text), find_us(text), find_korean(text)
    if others:
        federal = [one for one in english if one.mention.code.endswith(("USC", "CFR"))]
        english = _merged(_merged(federal, others), english)
    found = _merged(english, korean)
    pointing = find_pointing(text, found) if korean else []
    return _merged(found, pointing) if pointing else found


def _merged(first: list[Citation], others: list[Citation]) -> list[Citation]:
    """Merge two lists of citations, dropping those of `others` that overlap `first`, in order."""
    if not first:
        return others
    starts = [c.start for c in first]
    fresh = [c for c in others if not _overlaps(c, first, starts)]
    return sorted([*first, *fresh], key=lambda c: c.start)


def _overlaps(one: Citation, others: list[Citation], starts: list[int]) -> bool:
    """Return True if a citation overlaps one of the others."""
    at = bisect_left(starts, one.end)
    return at > 0 and others[at - 1].end > one.start
