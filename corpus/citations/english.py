"""English citations in an answer, found with the grammar for English laws.

An answer is in no statute: its "this Act" or "that section" points to earlier citations, and a
mention of its own sections (section 2 below) cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus.citations.english_law import EnglishReference, Sort, Steps, find_english_places
from corpus.citations.english_names import instrument_after, is_lead, role_named
from corpus.citations.model import Citation, CitedPlace, Former, Mention, NameKind
from corpus.model import Level, language_of

_LEVELS = {"article": Level.ARTICLE, "annex": Level.ANNEX, "form": Level.FORM}
_SECTION_WORDS = ("section", "article", "rule", "regulation")
# Art. 3 Abs. 1 GG: of no English law, and of none named before.
_GERMAN = re.compile(
    r"\s{1,2}(?:Abs\.|Absatz\b|Satz\b|UAbs\.|lit\.|[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]{0,12}(?:G|GB|VO|VwV)\b)"
)
_OWN_SECTION = re.compile(
    r",?\s(?:above|below|infra|supra)\b|\s(?:of|in)\s(?:this|my|our|the)\s(?:answer|memo(?:randum)?"
    r"|opinion|note|reply|response|letter|guide|report|e-?mail|document|page|paper|summary)\b"
)
_OWN_HEADING = re.compile(
    r"^[#>\s]{0,8}[Ss]ection\s+([0-9A-Z.]{1,8}?)(?=(?:\s*$|[:.]\s|\s[–—-]\s))", re.MULTILINE
)
# Names of another text before a place: UCC § 2, the Guidance § 5, ISO 9001 section 5.
_NAME_BEFORE = re.compile(
    r"(?:(?:(?<=[^.!?:;\n]\s)|(?<=\())[A-Z][A-Za-z’'&-]+|\b[A-Z]{2,8}(?:\s[0-9][0-9.:-]{0,12})?"
    r"|(?:\b[A-Z]\.\s?){2,6}|\b[A-Z][a-z]+['’]s"
    r"|(?:\b[A-Z][A-Za-z]*\.?\s){0,4}(?:Code|Laws?|Stat|Ann|Rev|Comp|Regs?|Admin|Gen)\b\.?)\s$"
    r"|\b(?i:agreement|lease|contract|policy|form|handbook|manual|guidance|guidelines?|deed|licen[cs]e"
    r"|terms|by-?laws|circular|code\sof\spractice|tenancy)\s?[,(:]?\s?$"
)
_ADDENDA = re.compile(r"(?:Addend(?:um|a)|ADDENDA)[,\s]{1,3}$")
_PAST = (
    r"(?:former|previous|prior|repealed|superseded|original|pre-(?:[0-9-]{4,10}|amendment|reform))"
)
_FORMER_BEFORE = re.compile(
    rf"\b(?:former(?:ly)?,?\s(?:the\s)?|ex-|(?:{_PAST}|(?:the|was)\sthen)\s"
    rf"|(?:{_PAST}|old|earlier|(?:1[6-9]|20)\d\d)\s(?:version|text|wording)\sof\s(?:the\s)?)$",
    re.I,
)
_OLD_BEFORE = re.compile(r"\bold\s$", re.I)
_FORMER = re.compile(
    rf"\b(?:{_PAST}|old(?!.{{1,80}}\b(?:1[6-9]|20)\d\d\b)|then(?=\s[A-Z]))\s|[\s(]as\s(?:in\sforce|it\s(?:then\s)?(?:stood|was)|originally)"
)
_FORMER_AFTER = re.compile(
    r",?\s\(?(?:(?:(?:since|now|was|were|has\sbeen|have\sbeen)\s(?:since\s)?)?(?:repealed|superseded)\b|(?:former|old|previous)\b"
    r"|(?:as\s)?(?:it\s)?(?:then|formerly)\s(?:in\sforce|stood|worded|enacted)"
    r"|as\s(?:it\s(?:then\s)?(?:stood|was)|originally\senacted|in\sforce\s(?:on|before|until|at\sthe\stime))"
    r"|in\s(?:its|the|their)\s(?:former|previous|earlier|original|old|(?:1[6-9]|20)\d\d)\b"
    rf"|in\sthe\sversion\s|{_PAST}(?=\))"
    r"|(?:before|prior\sto|until)\s(?:(?:its|the|any|it\swas|they\swere)\s)?"
    r"(?:(?:[a-z]+|(?:1[6-9]|20)\d\d)\s)?(?:amend|repeal|revis|replac))",
    re.I,
)
_MARKS = re.compile(r"[*\"“”]")
_ANOTHER = Mention(NameKind.SAME, "", "another")


def find_english(text: str) -> list[Citation]:
    """Return the English citations of `text` in order, with exact, non-overlapping spans.

    Quotation marks and asterisks around a name (the **Ferry Act**) are ignored.
    """
    if not _MARKS.search(text):
        return _find(text)
    kept = [at for at, letter in enumerate(text) if not _MARKS.match(letter)]
    return [
        replace(one, text=text[start:end], start=start, end=end)
        for one in _find("".join(text[at] for at in kept))
        for start, end in [(kept[one.start], kept[one.end - 1] + 1)]
    ]


def _find(text: str) -> list[Citation]:
    """Return the English citations of a text without marks; in Korean ones no bare § 11."""
    korean = language_of(text) == "ko"
    headed = set(_OWN_HEADING.findall(text))
    found: list[Citation] = []
    signed = False
    for one in find_english_places(text):
        signed = text[one.start] == "§" or (signed and text[one.start].isdigit())
        read = _citation(text, one, found[-1].end if found else 0)
        if read is None:
            continue
        if read.mention.kind is NameKind.NONE:
            numbers = {place.number for place in read.places}
            if korean and signed and not any("." in number for number in numbers):
                continue  # a sign in a Korean text, with the rest of its list: § 11, not § 164.504
            read = replace(read, mention=_ANOTHER) if numbers & headed else read
        found.append(read)
    return found


def _citation(text: str, one: EnglishReference, floor: int) -> Citation | None:
    """Convert a reference to a citation; None without a place, or to the answer's own sections."""
    places = tuple(_places(one))
    own = _OWN_SECTION.search(" " + one.mention.text) if one.mention else None
    if not places and one.chains and not one.scope and (after := instrument_after(text, one.end)):
        place = CitedPlace(Level.ARTICLE, "", _pinpoint(one.chains[0], Level.SECTION))
        return Citation(text[one.start : after[1]], one.start, after[1], _ANOTHER, (place,))
    if not places or own or _OWN_SECTION.match(text, one.end) or _GERMAN.match(text, one.end):
        return None
    start, mention = one.start, _mention(one)
    before = text[max(floor, start - 40) : start]
    if addenda := _ADDENDA.search(before):
        start -= len(before) - addenda.start()
        places = (CitedPlace(Level.ADDENDUM, "", places[0].number),)
    name = _NAME_BEFORE.search(before) if mention.kind is NameKind.NONE else None
    if name and not is_lead(written := name[0].strip()):
        start -= len(before) - name.start()
        mention = Mention(NameKind.TITLE, written, written)
    low = max(floor, start - 40)
    former = _FORMER_BEFORE.search(text, low, start)
    if former is None and not text[start].isupper():  # old § 5, but not the old Ferry Act § 5
        former = _OLD_BEFORE.search(text, low, start)
    start = former.start() if former else start
    is_former = former or _FORMER.search(text, start, one.end) or _FORMER_AFTER.match(text, one.end)
    mention = replace(mention, former=Former() if is_former else None)
    return Citation(text[start : one.end], start, one.end, mention, places)


def _places(one: EnglishReference) -> Iterator[CitedPlace]:
    """Yield the places that a reference names; "that section" gives a place without number."""
    if one.sort is Sort.UNIT:
        level = _LEVELS.get(one.word, Level.SECTION)
        for spot in one.spots:
            number, last = (_number(written, level) for written in (spot.number, spot.last))
            for chain in spot.chains or [()]:
                pinpoint = _pinpoint(chain, level)
                rule = one.word in ("rule", "regulation")
                yield CitedPlace(level, number, pinpoint, last, spot.heading, spot.several, rule)
    elif one.sort is Sort.PART:
        above = _places(one.within) if one.within else [CitedPlace(Level.ARTICLE, "")]
        bare = one.word == "subsection" and not one.scope and one.chains[0][0].startswith("(")
        of_last = one.scope.startswith("same") or bare
        if one.within is None and not of_last:
            return  # a paragraph alone: of a quoted text
        for place in above:
            for chain in one.chains:
                below = _pinpoint(chain, place.level)
                yield replace(place, pinpoint="/".join(filter(None, (place.pinpoint, below))))


def _pinpoint(chain: Steps, level: Level) -> str:
    """Return a chain as a part path; the paragraph of an article is in brackets: (1)/3."""
    if chain and level is Level.ARTICLE and chain[0].isdigit():
        chain = (f"({chain[0]})", *chain[1:])
    return "/".join(chain)


def _number(written: str, level: Level) -> str:
    """Return a number in canonical form: article 9-2 is 9의2."""
    return written if level is Level.SECTION else written.replace("-", "의")


def _mention(one: EnglishReference) -> Mention:
    """Return a reference's naming of its instrument, as meant in an answer."""
    if one.sort is Sort.PART:
        if one.within:
            return _mention(one.within)
        known = not one.scope or one.scope.rpartition(" ")[2] in (*_SECTION_WORDS, "place")
        return Mention(NameKind.SAME_PLACE, one.scope, "조") if known else _ANOTHER
    mention = one.mention or Mention(NameKind.NONE)
    if mention.name == "this":  # this Act, this title: the only one that was named
        return Mention(NameKind.LEVEL, mention.text, role=role_named(mention.text))
    return mention
