"""Korean citations in a text, including places added by an amending instrument.

A citation is an instrument (「법률명」, 같은 법 시행령, 법, NFTC 102, or a bare title) with the
places that follow it, or a place alone. The scan goes once from left to right over anchors; every
pattern is bounded, so the time is linear in the text. 법률 제20393호 주택법 일부개정법률 부칙 제3조
is article 3 of that addendum of the Housing Act.
"""

from __future__ import annotations

import re

from corpus.citations.bare_names import Name, name_before, with_former
from corpus.citations.korean_places import (
    BRANCH_FIRST,
    ELIDED,
    SIGN,
    UNITS,
    FoundPlaces,
    read_amending_place,
    read_places,
    read_same_place,
)
from corpus.citations.model import Citation, Mention, NameKind, Role, canonical_code, plain_name

# The number; the kind of amending instrument is before it, the amended one after it.
NUMBER = r"(?<=[률령칙]\s)제\s?\d{1,6}\s?호\s?(?=[가-힣「])"
_KIND = re.compile(r"(?<![가-힣])(?:법률|대통령령|총리령|[가-힣]{2,12}(?:부령|규칙))\s$")
_KIND_REACH = 16
_AMENDED = re.compile(
    r"「?(?P<title>[가-힣][가-힣ㆍ· ]{0,70}?(?:법률?|령|규칙|규정|직제))"
    r"\s?(?:(?:중|일부|전부)\s?)?(?:개정\s?(?:법률|령|규칙))?」?\s?(?P<addendum>부칙)"
)


def read_amending(text: str, number: re.Match[str], floor: int) -> Citation | None:
    """Return the citation of an addendum around a :data:`NUMBER`; None if there is none.

    `floor` is the end of the previous citation.
    """
    reach = max(floor, number.start() - _KIND_REACH)
    kind = _KIND.search(text, reach, number.start())
    amended = _AMENDED.match(text, number.end())
    if not kind or not amended:
        return None
    digits = "".join(filter(str.isdigit, number[0]))
    found = read_amending_place(text, amended.end(), str(int(digits)))
    start, title = kind.start(), amended["title"]
    mention = Mention(NameKind.TITLE, text[start : amended.end("title")], plain_name(title))
    return Citation(text[start : found.end], start, found.end, mention, found.places)


# What any anchor can begin with: one look skips most letters, which begin none, and
# blanks and quotation marks except between an instrument and its number.
_BEGINS = r"(?:(?<=[법률령칙정준])(?=['\"’”」)\s]{0,3}\d)|(?=[「『｢<〈《\[A-Z같동이본제별부§\d]))"
_ANCHOR = re.compile(
    rf"{_BEGINS}(?:"
    r"(?P<quoted>[「『｢][^「」『』｢｣\n]{2,120}[」』｣])"
    r"|(?P<angled>[<〈《\[][^<>〈〉《》\[\]「」『』｢｣\n]{1,100}"
    r"(?:법률?|령|규칙|규정|기준|고시)[>〉》\]])"
    r"|(?P<code>(?<![A-Za-z])[A-Z]{3,4}C\s?-?\s?\d{3,4}[A-Z]?(?![0-9A-Za-z]))"
    r"|(?P<same>(?:같은|(?<![가-힣])동|(?<![가-힣])[이본](?=\s))\s?"
    r"(?:법률?|영|규칙|규정|기준|고시|시행령|시행규칙)(?:\s?시행령|\s?시행규칙)?"
    r"(?=[\s제별부표\d\[(]))"
    rf"|(?P<amending>{NUMBER})"
    r"|(?P<same_place>(?:같은|(?<![가-힣])동)\s?(?:조|항)(?=[\s제에의,.)]|$))"
    rf"|(?P<place>제\s?\d{{1,4}}(?:\s?조|{BRANCH_FIRST}|{ELIDED})|별표\s?(?=[\d제])|별지\s?제?\s?\d|부칙|{SIGN})"
    rf"|(?P<sloppy>(?<=[법률령칙정준])['\"’”」)]?\s{{0,2}}\d{{1,4}}(?:\s?조|{BRANCH_FIRST}|{ELIDED}))"
    r"|(?P<section>(?<![\d.,A-Za-z])\d{1,2}\.\d{1,2}(?:\.\d{1,2})*(?![\d,])))"
)
_GLUE = re.compile(
    r"[\s,'\"’”)\]」』]{1,4}|\([^()]{0,100}\)|\[[^\[\]]{0,80}\]|<[^<>]{0,80}>"
    r"|의(?=[\s제\d별표부\[])|[상중](?=\s)|(?:전부|일부)?개정령(?=\s?부칙)"
)
_INSIDE = re.compile(r"\s(?=제\s?\d{1,4}\s?조|\[?별표\s?\d)")
_SUFFIX_ROLE = {
    "시행령": Role.DECREE,
    "시행규칙": Role.RULE,
    "법": Role.ACT,
    "법률": Role.ACT,
    "영": Role.DECREE,
    "규칙": Role.RULE,
    "규정": Role.ANY,
    "기준": Role.STANDARD,
    "고시": Role.STANDARD,
}
_MAX_GLUE = 260
_KOREAN_NEAR = re.compile(r"[^\n가-힣]{0,400}[가-힣]")
_KOREAN = re.compile(r"[^\n]{0,20}?[가-힣]")  # text after a sign in a Korean text


def find_korean(text: str) -> list[Citation]:
    """Return the Korean citations of `text` in order, with exact, non-overlapping spans."""
    citations: list[Citation] = []
    at, floor, standard_seen = 0, 0, False
    while anchor := _ANCHOR.search(text, at):
        found = _read(text, anchor, floor, standard_seen)
        if found:
            found = with_former(text, found, floor)
        citations += found
        floor = found[-1].end if found else floor
        at = max(anchor.end(), floor)
        standard_seen = standard_seen or any(
            c.mention.code or c.mention.name.endswith("기준") for c in found
        )
    return citations


def _read(text: str, anchor: re.Match[str], floor: int, standard_seen: bool) -> list[Citation]:
    """Return the citations that begin at an anchor."""
    match anchor.lastgroup:
        case "quoted" | "angled" | "code" | "same":
            return _instrument_first(text, anchor)
        case "amending":
            one = read_amending(text, anchor, floor)
            return [one] if one else []
        case "same_place":
            return _same_place(text, anchor)
        case "section":
            return _section(text, anchor, floor, standard_seen)
        case _:
            return _place_first(text, anchor, floor)


def _instrument_first(text: str, anchor: re.Match[str]) -> list[Citation]:
    """Return the citations that begin with an instrument's name, and its places."""
    mention = _mention(anchor)
    places = _places_after(text, anchor.end())
    if places:
        return _citations(text, anchor.start(), mention, places)
    if mention.kind is NameKind.SAME or anchor.lastgroup == "angled":
        return []
    if anchor.lastgroup == "quoted" and (inside := _place_inside(text, anchor)):
        return [inside]
    return [Citation(anchor[0], anchor.start(), anchor.end(), mention)]


def _place_inside(text: str, anchor: re.Match[str]) -> Citation | None:
    """Read a place inside the brackets: 「예방소방업무처리규정 제8조」."""
    place = _INSIDE.search(anchor[0])
    if not place:
        return None
    found = read_places(text, anchor.start() + place.end(), adjacent=True)
    if not found or found[0].end > anchor.end():
        return None
    name = anchor[0][1 : place.start()]
    mention = Mention(NameKind.TITLE, name, plain_name(name), canonical_code(name))
    return Citation(anchor[0], anchor.start(), anchor.end(), mention, found[0].places)


def _mention(anchor: re.Match[str]) -> Mention:
    """Return the naming of an instrument that an anchor matched: a title, a code or 같은 법."""
    written = anchor[0]
    if anchor.lastgroup in ("quoted", "angled"):
        return Mention(NameKind.TITLE, written, plain_name(written[1:-1]), canonical_code(written))
    if anchor.lastgroup == "code":
        return Mention(NameKind.CODE, written, code=canonical_code(written))
    bare = re.sub(r"^(?:같은|동|이|본)\s?", "", written).replace(" ", "")
    last = next(s for s in _SUFFIX_ROLE if bare.endswith(s))
    direct = not bare.startswith("법")
    return Mention(NameKind.SAME, written, role=_SUFFIX_ROLE[last], direct=direct)


def _places_after(text: str, at: int) -> list[FoundPlaces]:
    """Read the places after an instrument, skipping dates, brackets and "의" between."""
    limit = at + _MAX_GLUE
    while at <= limit:
        if found := read_places(text, at, adjacent=True):
            return found
        glue = _GLUE.match(text, at)
        if glue is None:
            return []
        at = glue.end()
    return []


def _citations(
    text: str, start: int, mention: Mention, places: list[FoundPlaces]
) -> list[Citation]:
    """Return a citation of the first place, with the instrument, and of each further place."""
    first = places[0]
    out = [Citation(text[start : first.end], start, first.end, mention, first.places)]
    for one in places[1:]:
        continued = Mention(NameKind.CONTINUED)
        out.append(Citation(text[one.start : one.end], one.start, one.end, continued, one.places))
    return out


def _same_place(text: str, anchor: re.Match[str]) -> list[Citation]:
    """Return the citation of 같은 항 or 같은 조; none for 같은 항 with nothing below it."""
    level = "항" if anchor[0].endswith("항") else "조"
    place = read_same_place(text, anchor.end(), level)
    if level == "항" and place.places[0].pinpoint == "":
        return []
    mention = Mention(NameKind.SAME_PLACE, anchor[0], name=level)
    start, end = anchor.start(), place.end
    return [Citation(text[start:end], start, end, mention, place.places)]


def _place_first(text: str, anchor: re.Match[str], floor: int) -> list[Citation]:
    """Return the citations of the places at an anchor, with a bare name before them, if any."""
    start = anchor.start()
    if anchor.lastgroup == "sloppy":
        start += len(anchor[0]) - len(anchor[0].lstrip("'\"’”」) \t\n"))
    elif start > floor and text[start - 1] in "[(<【" and anchor[0].startswith("별"):
        start -= 1
    elif start > floor + 1 and text[start - 2 : start] in ("[ ", "( "):
        start -= 2
    before = name_before(text, start, floor)
    if text[start] == "§" and before is None and not _KOREAN_NEAR.match(text, start):
        return []  # before its list is read, which may be as long as the text
    found = read_places(text, start, adjacent=before is not None)
    if not found or (before is None and found[0].signed and not _KOREAN.match(text, found[-1].end)):
        return []
    if before is None:
        return _citations(text, start, Mention(NameKind.NONE), found)
    return _citations(text, before.start, _mention_of_name(before), found)


def _section(text: str, anchor: re.Match[str], floor: int, standard_seen: bool) -> list[Citation]:
    """Read a decimal section: after a bare title of a standard, or alone after a naming."""
    start = anchor.start()
    if start - floor >= 1 and text[start - 1] == "표":
        start -= 1
    elif text[max(floor, start - 2) : start] == "표 ":
        start -= 2
    before = name_before(text, start, floor)
    if before is not None and _names_standard(before):
        found = read_places(text, start, adjacent=True)
        return _citations(text, before.start, _mention_of_name(before), found) if found else []
    if not standard_seen or not _plain_section(text, anchor):
        return []
    found = read_places(text, start, adjacent=True)
    return _citations(text, start, Mention(NameKind.NONE), found) if found else []


def _names_standard(before: Name) -> bool:
    """Return True for a standard (내진설계기준 2.1), False for a heading (설치기준 2.5.1)."""
    if before.level:
        return before.level is Role.STANDARD
    last = before.text.rpartition(" ")[2]
    return last.endswith(("기준", "고시")) and len(last) >= 6


def _plain_section(text: str, anchor: re.Match[str]) -> bool:
    """Return True for a section (2.6.2.5), False for a measure (1.5 m) or a date (24.1.1)."""
    numbers = anchor[0].split(".")
    if (
        text[max(0, anchor.start() - 4) : anchor.start()].rstrip()[-1:].isdigit()
    ):  # KDS 29 14 00 4.1.5
        return False
    return len(numbers) >= 3 and int(numbers[0]) <= 9 and not UNITS.match(text, anchor.end())


def _mention_of_name(before: Name) -> Mention:
    """Return a name before a place as a mention."""
    if before.level:
        return Mention(NameKind.LEVEL, before.text, role=before.level)
    return Mention(NameKind.BARE, before.text, before.text.strip("'\"‘’“” "))
