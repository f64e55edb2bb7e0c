"""Finding English citations in a text.

The instrument stands after the places (Article 24(1)3 of the Fire Safety Act, Article 5 of the
Enforcement Decree of the same Act, Section 2.1.1 of FSTC 102) or before them (Fire Safety Act,
Article 24).
"""

from __future__ import annotations

import re

from corpus.citations.english_places import WORDS, read_english_places
from corpus.citations.korean_places import FoundPlaces
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind, Role
from corpus.citations.names import canonical_code
from corpus.model import Level

_CAP = r"[A-Z][A-Za-z0-9'’&/-]{0,40}"
_SMALL = r"(?:of|on|and|for|the|to|in|against|from|with|by|or)"
_TYPE = r"(?:Act|Law|Code|Decree|Rules?|Regulations?|Ordinance|Standards?)"
_CODE = r"[A-Z]{3,4}C\s?-?\s?\d{3,4}[A-Z]?"
_TITLE = (
    rf"(?:{_CAP}(?:,?\s(?:{_CAP}|{_SMALL})){{0,14}}?\s)?{_TYPE}\b"
    rf"(?:\s(?:on|for|concerning|of)(?:\s{_SMALL}){{0,2}}\s{_CAP}"
    rf"(?:(?:,?\s{_SMALL}){{0,2}},?\s{_CAP}){{0,12}})?(?:\s?\({_CODE}\))?"
)
_THE = r"(?:the\s+)?"
_SAME = r"(?:same|said|that|this|such)\s+"
NAME = (
    rf"(?P<same>{_THE}{_SAME}(?P<same_type>Act|Law|Decree|Rules?|Regulations?|Standard|Code)\b)"
    rf"|(?P<enforcement>{_THE}Enforcement\s+(?P<enforcement_type>Decree|Rules?|Regulations?)"
    rf"(?:\s+(?:of|for|to|under)\s+{_THE}(?:(?P<of_same>{_SAME}(?:Act|Law)|Act\b(?!\s+on))"
    rf"|(?P<of_title>{_TITLE})))?)"
    rf"|(?P<level>the\s+(?P<level_type>Act|Decree|Rules?|Standard)\b(?!\s(?:on|for|concerning)\b))"
    rf"|(?P<title>{_THE}(?P<title_name>{_TITLE}))"
    rf"|(?P<code>{_THE}{_CODE}(?![0-9A-Za-z]))"
    rf"|(?P<short>{_THE}(?P<short_name>[A-Z]{{2,8}})\b(?!\s?\d))"
)
_AFTER = re.compile(rf"(?:\s*,)?\s+(?:of|in|under|to)\s+(?:{NAME})")
_BEFORE = re.compile(rf"(?:{NAME})(?:\s?\([^()]{{0,80}}\))?\s?[,:(]?\s{{0,2}}$")
_SAME_ARTICLE = re.compile(
    r"\b[Pp]aragraph\s+\(?(?P<paragraph>\d{1,2})\)?\s+of\s+the\s+same\s+Article\b"
)
_ROLES = {
    "act": Role.ACT,
    "law": Role.ACT,
    "code": Role.ACT,
    "decree": Role.DECREE,
    "rule": Role.RULE,
    "regulation": Role.RULE,
    "standard": Role.STANDARD,
}
_WINDOW = 160


def find_english(text: str) -> list[Citation]:
    """Return the English citations of `text` in order, with exact, non-overlapping spans."""
    citations: list[Citation] = []
    floor = 0
    for anchor in WORDS.finditer(text):
        if anchor.start() < floor:
            continue
        places = read_english_places(text, anchor)
        if not places:
            continue
        found = _with_instrument(text, places, floor)
        citations += found
        floor = found[-1].end
    return _with_same_article(text, citations)


def _with_instrument(text: str, places: list[FoundPlaces], floor: int) -> list[Citation]:
    start, end = places[0].start, places[-1].end
    if after := _AFTER.match(text, end):
        return _citations(text, places, mention_of(after), start, after.end())
    low = max(floor, start - _WINDOW)
    if before := search_before(text, low, start):
        return _citations(text, places, mention_of(before), low + before.start(), end)
    return _citations(text, places, Mention(NameKind.NONE), start, end)


def search_before(text: str, low: int, start: int) -> re.Match[str] | None:
    """Look for an instrument that ends right before the place."""
    window = text[low:start]
    if not re.search(
        r"(?:Act|Law|Code|Decree|Rules?|Regulations?|Standards?|\d[A-Z]?)\W{0,3}$|\)\W{0,3}$",
        window,
    ):
        return None
    for name in re.finditer(r"(?<![A-Za-z])[A-Z]|\bthe\b", window):
        if found := _BEFORE.match(window, name.start()):
            return found if found.lastgroup != "short" else None
    return None


def _citations(
    text: str, places: list[FoundPlaces], mention: Mention, start: int, end: int
) -> list[Citation]:
    """Return one citation per place; the instrument's words go to the one beside them."""
    out = []
    for index, one in enumerate(places):
        low = start if index == 0 else one.start
        high = end if index == len(places) - 1 else one.end
        out.append(Citation(text[low:high], low, high, mention, one.places))
    return out


def mention_of(found: re.Match[str]) -> Mention:
    """Return how a match of :data:`NAME` names an instrument."""
    group = found.groupdict()
    if group["same"]:
        role = _role(group["same_type"])
        return Mention(NameKind.SAME, group["same"], role=role, direct=role is not Role.ACT)
    if group["enforcement"]:
        role = _role(group["enforcement_type"])
        if group["of_title"]:
            name = re.sub(r"^the\s+", "", group["enforcement"])
            return Mention(NameKind.TITLE, group["enforcement"], name)
        kind = NameKind.SAME if group["of_same"] else NameKind.LEVEL
        return Mention(kind, group["enforcement"], role=role)
    if group["level"]:
        return Mention(NameKind.LEVEL, group["level"], role=_role(group["level_type"]))
    if group["code"]:
        return Mention(NameKind.CODE, group["code"], code=canonical_code(group["code"]))
    if group["short"]:
        return Mention(NameKind.TITLE, group["short"], group["short_name"])
    if group["title"]:
        name = group["title_name"]
        return Mention(NameKind.TITLE, group["title"], name, canonical_code(name))
    return Mention(NameKind.NONE)


def _role(word: str) -> Role:
    return _ROLES[word.lower().rstrip("s")]


def _with_same_article(text: str, citations: list[Citation]) -> list[Citation]:
    """Add "paragraph (2) of the same Article", which names no number of its own."""
    extra = [
        Citation(
            m[0],
            m.start(),
            m.end(),
            Mention(NameKind.SAME_PLACE, m[0], "조"),
            (CitedPlace(Level.ARTICLE, "", f"({m['paragraph']})"),),
        )
        for m in _SAME_ARTICLE.finditer(text)
        if not any(c.start < m.end() and m.start() < c.end for c in citations)
    ]
    return sorted([*citations, *extra], key=lambda c: c.start)
