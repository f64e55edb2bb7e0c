"""Extraction from the wording of a unit, in Korean, German and English.

Definitions and citations by their wording, sentences, list items, and the predicates
that the rule-based reader puts between two names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from normalization import composed
from retrieval.core.model import Document

LONGEST = 300  # characters of a sentence or an item
_END = re.compile(r"(?<=다)\.(?=\s|$)|\n|(?<=[^\W\d]{3}[.;])\s(?=[A-ZÄÖÜ(])")
_MARK = re.compile(
    r"\s{0,40}(?:[①-⑳㉑-㉟]|\(?[0-9]{1,3}(?:의[0-9]+|[a-z])?[.)]|\([A-Za-z]{1,4}\)|[가-하][.)]|[a-z]{1,2}\))\s{0,9}(?=\S)"
)
_WRAP = re.compile(r"(?<=[^\s.;:—!?])([ \t]*)\n(?![ \t]*\n)(?!" + _MARK.pattern + ")")
_DEFINITION = re.compile(
    r"[\"“]([^\"“”\n]{1,60})[\"”]\s?(?:\([^()\n]{0,60}\)\s?)?(?:이?란|이?라\s?함은)\s"
    r"|\(이하\s?[\"“]([^\"“”\n]{1,40})[\"”]\s?(?:이?라고?|으?로)\s?(?:한다|함|칭한다)"
    r"|[\"“]([A-Za-z][^\"“”\n]{1,60}?),?[\"”],?\s(?:means|includes|refers to|has the meaning)\b"
    r"|(?:^|\n)[ \t]*(?:\([A-Za-z0-9]{1,4}\)\s*)?([A-Z][A-Za-z,\- ]{1,60}?)\s(?:means|includes)\s"
    r"|[„“]([^„“”\n]{2,60})[“”]\s(?:ist|sind|bezeichne[tn]|bedeute[tn])\s"
    r"|(?:^|\n)[ \t]*[0-9]{1,3}[a-z]?\.\s+„([^„“”\n]{2,60})“\s"
    r"|\b([A-ZÄÖÜ][\w\-]{2,40}(?:\s[A-ZÄÖÜ][\w\-]{2,40})?)\sim\sSinne\s(?:dieses|dieser|dieser|des)\s"
    r"|(?:^|\n|\)\s)([A-ZÄÖÜ][\w\-]{2,40})\s(?:ist|sind)\s(?:jede[rsn]?|wer|alle)\s"
    r"|\w\s\(([A-ZÄÖÜ][a-zäöüß\-]{3,}(?:\s[A-ZÄÖÜ][a-zäöüß\-]{3,}){0,2})\)"
)
_CITATION = re.compile(
    r"§{1,2}\s?([0-9]+[a-z]?(?:\.[0-9]+)*(?:-[0-9]+)?)"
    r"((?:\s(?:Absatz|Abs\.|Satz|Nummer|Nr\.|Buchstabe)\s[0-9a-z]+)*)"
    r"(?:\s(?:des|der)\s([A-ZÄÖÜ]\w+(?:gesetz|gesetzbuch|ordnung|verordnung)\w*|Grundgesetz)s?|"
    r"\s([A-ZÄÖÜ][A-Za-zÄÖÜäöüß]{0,8}[A-ZÄÖÜ]))?"
    r"|\b[Ss]ection\s([0-9]+[A-Za-z]?(?:[.\-][0-9]+)*)"
    r"(?:\([A-Za-z0-9]+\))*(?:\sof\s(?:the\s)?((?:[Tt]itle\s[0-9]+(?:,\sUnited\sStates\sCode)?)"
    r"|(?:[A-Z]\w+\s){1,6}Act(?:\sof\s[0-9]{4})?))?"
)
_AMENDED = re.compile(
    r"[<\[〈](?:개정|신설|전문개정|본조신설|시행일|제목개정)[^<>\[\]〈〉]{0,300}[>\]〉]"
)
_TAKEN_UP = re.compile(r"(?:령|규칙)(?:으로|이)\s?정하")  # a decree's quotation of its act
_GERMAN = re.compile(r"\b(?:der|die|das|und|oder|ist|nicht|nach|des|eine[rs]?|zu)\b")
_ENGLISH = re.compile(r"\b(?:the|of|and|or|is|shall|not|any|to|in)\b")
_HANGUL = re.compile("[가-힣]")


@dataclass(frozen=True, slots=True)
class Wording:
    """The predicates of one language."""

    language: str
    verbs: Mapping[str, str]

    def said(self, does: str) -> str:
        """Return the predicate for a kind of relation, e.g. ``references``."""
        return self.verbs[does]


_KO = Wording(
    "ko",
    {
        "concerns": "규정 사항",
        "defines": "정의",
        "mentions": "관련 용어",
        "references": "인용",
        "delegates_to": "위임",
        "specifies": "위임에 따른 구체화",
        "applies": "준용",
        "requires_form": "서식",
    },
)
_DE = Wording(
    "de",
    {
        "concerns": "regelt",
        "defines": "definiert",
        "mentions": "verwendet",
        "references": "verweist auf",
        "delegates_to": "überlässt Näheres",
        "specifies": "bestimmt Näheres zu",
        "applies": "erklärt für anwendbar",
        "requires_form": "verlangt das Formular",
    },
)
_EN = Wording(
    "en",
    {
        "concerns": "is about",
        "defines": "defines",
        "mentions": "uses",
        "references": "refers to",
        "delegates_to": "leaves details to",
        "specifies": "gives the details of",
        "applies": "applies",
        "requires_form": "requires the form",
    },
)


def wording_of(document: Document) -> Wording:
    """Return the wording in the language of a unit, detected by its letters and function words."""
    text = f"{document.heading} {document.body[:2000]} {document.statute_title}"
    if _HANGUL.search(text):
        return _KO
    german, english = len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))
    return _DE if german > english else _EN


def sentence_at(body: str, start: int) -> str:
    """Return the sentence or line that contains the character at `start`, without its list mark."""
    body = unwrapped(body)
    ends = _ends_of(body)
    at = bisect_right(ends, start)
    begin = ends[at - 1] if at else 0
    end = ends[at] if at < len(ends) else len(body)
    return _plain(body[begin:end])


@lru_cache(64)  # several sentences of a unit are requested
def unwrapped(body: str) -> str:
    """Join lines that were only wrapped; no character offset changes."""
    return _WRAP.sub(r"\1 ", body)


@lru_cache(64)
def _ends_of(body: str) -> tuple[int, ...]:
    return tuple(match.end() for match in _END.finditer(body))


def _plain(line: str) -> str:
    text = composed(" ".join(_AMENDED.sub(" ", line).split()))
    at = 0
    while mark := _MARK.match(text, at):
        at = mark.end()
    return text[at : at + LONGEST].strip()


def heading_of(document: Document) -> str:
    """Return the heading of a unit as a name: without list marks and final full stop."""
    return _plain(document.heading).rstrip(". ")


def items_of(document: Document) -> Iterator[str]:
    """Yield the heading, then each distinct paragraph and list item under it.

    A unit without any list marks has its first sentence instead.
    """
    heading = heading_of(document)
    lines = [line for line in unwrapped(document.body).splitlines() if _MARK.match(line)]
    items = list(dict.fromkeys(filter(None, map(_plain, lines))))
    first = sentence_at(document.body, 0)
    above = heading or _plain(document.label)
    if heading:
        yield heading
    for item in items or ([first] if first else []):
        yield f"{above}: {item}" if above else item


def definitions_in(body: str) -> list[tuple[int, str]]:
    """Return the defined terms with their offsets."""
    found, body = [], unwrapped(body)
    for match in _DEFINITION.finditer(body):
        group = match.lastindex or 1
        term = composed(" ".join(match[group].split()))
        if not _TAKEN_UP.search(term):
            found.append((match.start(group), term))
    return found


def citations_in(body: str, own: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each cited section, and its name with that of its statute.

    A citation without a statute refers to the unit's own statute `own`.
    """
    for match in _CITATION.finditer(body):
        if match[1]:
            named, place = match[3] or match[4], f"§ {match[1]}"
        else:
            named, place = match[6], f"section {match[5]}"
        yield match.start(), " ".join(f"{named or own} {place}".split())
