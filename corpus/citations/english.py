"""Finding English citations in a text.

The instrument stands after the places (Article 24(1)3 of the Fire Safety Act, Article 5 of the
Enforcement Decree of the same Act, Section 2.1.1 of FSTC 102) or before them (Fire Safety Act,
Article 24).

Reading English places: Article 24(1)3, Articles 9-2 to 9-4, Annex 4, Section 2.1.1. Pinpoints are
part paths as English units have them: ``(1)/3/(a)``.
"""

from __future__ import annotations

import re

from corpus.citations.korean_places import FoundPlaces, number
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind, Role, canonical_code
from corpus.model import Level

WORDS = re.compile(  # the first look passes over all Korean letters at once
    r"(?=[AaFfSs])\b(?i:(?P<word>Articles?|Arts?\.|Annex(?:es)?|Attached\s+Tables?|Forms?|Sections?"
    r"|Addend(?:um|a))\s+(?=\d|Articles?\s\d))"
)
_LEVELS = {
    "art": Level.ARTICLE,
    "ann": Level.ANNEX,
    "att": Level.ANNEX,
    "for": Level.FORM,
    "sec": Level.SECTION,
    "add": Level.ADDENDUM,
}
_NUMBER = re.compile(r"(\d{1,4})(?:-(\d{1,3}))?(?![\d.]\d|\d)")
_SECTION = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,6})(?!\d|\.\d)")
_HEADING = re.compile(r"\s\(([A-Z][^()]{2,90})\)")
_STEPS = (
    re.compile(r"\s?\((\d{1,2}(?:-\d{1,2})?)\)|,?\s+paragraph\s+\(?(\d{1,2})\)?", re.IGNORECASE),
    re.compile(
        r"(?<=\))(\d{1,2})(?![\d.]\d|\d)|,?\s+(?:sub-?paragraph|item|number)\s+\(?(\d{1,2})\)?",
        re.IGNORECASE,
    ),
    re.compile(r"\s?\(([a-z])\)|,?\s+(?:item|point)\s+\(([a-z])\)"),
)
_AND = re.compile(r",?\s+(?:and|or)\s+|,\s+")
_TO = re.compile(r"\s+(?:to|through)\s+|\s?–\s?")
_AGAIN = re.compile(r"(?:Articles?|Annex(?:es)?|Sections?|Forms?)\s+", re.IGNORECASE)


def read_english_places(text: str, anchor: re.Match[str]) -> list[FoundPlaces]:
    """Return the places of a list that begins with the word matched by :data:`WORDS`."""
    level = _LEVELS[anchor["word"][:3].lower()]
    if level is Level.ADDENDUM:
        return _addendum(text, anchor)
    plural = anchor["word"].lower().rstrip(".").endswith("s")
    found: list[FoundPlaces] = []
    start, at = anchor.start(), anchor.end()
    while one := _one(text, start, at, level):
        found.append(one)
        gap = _AND.match(text, one.end)
        again = _AGAIN.match(text, gap.end()) if gap else None
        if gap is None or not (plural or again):
            break
        if again and _LEVELS[again[0][:3].lower()] is not level:
            break
        start, at = gap.end(), again.end() if again else gap.end()
    return found


def _one(text: str, start: int, at: int, level: Level) -> FoundPlaces | None:
    """Read one number with what stands below it, or a range of numbers."""
    shape = _SECTION if level is Level.SECTION else _NUMBER
    first = shape.match(text, at)
    if not first:
        return None
    end = first.end()
    heading = _HEADING.match(text, end) if level is Level.ARTICLE else None
    end = heading.end() if heading else end
    pinpoints, end = _pinpoints(text, end) if level is not Level.SECTION else ([""], end)
    last = ""
    if (gap := _TO.match(text, end)) and (second := shape.match(text, gap.end())):
        last, end = _canonical(second, level), second.end()
    title = heading[1] if heading else ""
    places = tuple(CitedPlace(level, _canonical(first, level), p, last, title) for p in pinpoints)
    return FoundPlaces(start, end, places)


def _canonical(found: re.Match[str], level: Level) -> str:
    return found[1] if level is Level.SECTION else number(found[1], found[2])


def _pinpoints(text: str, at: int) -> tuple[list[str], int]:
    """Read (1)3(a), and further paragraphs: (1) and (3)."""
    first, end = _chain(text, at, 0)
    if not first:
        return [""], at
    paths = ["/".join(first)]
    while first[0].startswith("(") and (gap := _AND.match(text, end)):
        following, after = _chain(text, gap.end(), 0)
        if not following or text[gap.end()] != "(":
            break
        paths.append("/".join(following))
        end = after
    return paths, end


def _chain(text: str, at: int, level: int) -> tuple[list[str], int]:
    names: list[str] = []
    end = at
    while level < len(_STEPS):
        found = _STEPS[level].match(text, end)
        if found:
            name = found[1] or found[2]
            names.append(name if level == 1 else f"({name})")
            end = found.end()
        level += 1
    return names, end


def _addendum(text: str, anchor: re.Match[str]) -> list[FoundPlaces]:
    """Read Addenda Article 2: an article of the addenda, never of the body."""
    rest = _AGAIN.match(text, anchor.end())
    first = _NUMBER.match(text, rest.end() if rest else anchor.end())
    if not first:
        return []
    place = CitedPlace(Level.ADDENDUM, "", text[anchor.end() : first.end()])
    return [FoundPlaces(anchor.start(), first.end(), (place,))]


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


# Art. 3 Abs. 1 GG: of no English law, and of none that was named before.
_GERMAN = re.compile(
    r"\s{1,2}(?:Abs\.|Absatz\b|Satz\b|UAbs\.|lit\.|[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]{0,12}(?:G|GB|VO|VwV)\b)"
)


def find_english(text: str) -> list[Citation]:
    """Return the English citations of `text` in order, with exact, non-overlapping spans."""
    citations: list[Citation] = []
    floor = 0
    for anchor in WORDS.finditer(text):
        if anchor.start() < floor:
            continue
        places = read_english_places(text, anchor)
        if not places or _GERMAN.match(text, places[-1].end):
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
