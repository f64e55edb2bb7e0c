"""Korean places: articles, annexes, forms, addenda and decimal sections.

:func:`read_places` reads a whole list (제5조 및 제7조, 제9조의2부터 제9조의4까지) and returns one
:class:`FoundPlaces` per place or range, so that each has its own span.

The parts below a Korean article or annex number are paragraph, item and sub-item. A pinpoint is a
part path such as ``1항/3호/가목``. Lists (제1항 및 제2항) give several, ranges (제1호부터
제3호까지) give every one between. In both the unit may follow the last number alone (제329, 330조,
제1~3항, 가·나목). Every pattern is bounded and anchored: reading is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from corpus.citations.model import CitedPlace
from corpus.model import Level

_CONSONANTS = (0, 2, 3, 5, 6, 7, 9, 11, 12, 14, 15, 16, 17, 18)  # ㄱ ㄴ ㄷ … ㅎ
# After 하목 the sub-items continue with 거목, after 허목 with 고목: a row of 14 for each vowel.
_ROWS = [
    "".join(chr(0xAC00 + 588 * consonant + 28 * vowel) for consonant in _CONSONANTS)
    for vowel in (0, 4, 8, 13, 18, 20)
]
_LETTERS = "".join(_ROWS)
_USUAL = _ROWS[0] + _ROWS[1]  # with those of the other rows 목 makes words: 지목, 수목
_CIRCLED = "".join(
    map(chr, (*range(0x2460, 0x2474), *range(0x3251, 0x3260), *range(0x32B1, 0x32C0)))
)

_DASHES = "~∼～〜–—―-"
_DOTS = ",/ㆍ·・･‧∙"
AND = re.compile(rf"\s{{0,2}}(?:[{_DOTS}]|및|또는|과|와|이나|나)\s{{0,2}}")
THROUGH = re.compile(
    rf"\s{{0,2}}(?:(?:에서|로)?부터|에서(?=\s?제?\s?\d{{1,4}}\s?[조항호][^\n,.]{{0,12}}까지)|내지|[{_DASHES}])"
    r"\s{0,2}"
)
UNTIL = re.compile(r"\s?까지")
# The aspect of a place, if a list continues after it: 제1항 단서 및 제2항.
ASPECT = re.compile(
    r"\s?(?:각\s?[호목](?:\s?외의\s?부분)?(?:\s?(?:본문|단서))?|본문|단서|[전후]단)"
    r"(?=\s?(?:[,ㆍ·]|및|또는|과|와|부터|내지))"
)
_BETWEEN = rf"\s{{0,2}}(?:[{_DOTS}{_DASHES}]|및|또는|내지|부터|과|와)\s{{0,2}}"


def _elided(member: str, unit: str) -> str:
    """Return the pattern of a unit written once after several numbers: the 항 of 제1, 3항."""
    return rf"(?=(?:{_BETWEEN}{member}){{1,20}}\s?{unit})"


_AFTER_LETTER = r"(?=$|[\s의에을를은는과와이,.)ㆍ·]|및|부터|까지)"
# After a space most letters of the other rows make a word with 목.
_NO_WORD = r"(?:(?<=[호\d])|(?<=\s)(?![고노도소조초토포구두부수우주이지비시피]목))"
_LISTED_LETTER = re.compile(rf"([{_LETTERS}])목{_AFTER_LETTER}")


def _levels(ordinal: str) -> tuple[re.Pattern[str], ...]:
    """Return one pattern per level, outermost first; the index is the level."""
    member = r"제?\s?\d{1,3}(?:\s?의\s?\d{1,2})?"
    item, letter = r"호(?![스선실텔])", r"목(?![적록재표욕조])"
    return (
        re.compile(
            rf"\s{{0,2}}(?:{ordinal}(\d{{1,3}})(?:\s?항|{_elided(member, '항')})"
            rf"|제?\s?([{_CIRCLED}])\s?항?)"
        ),
        re.compile(
            rf"\s{{0,2}}{ordinal}(\d{{1,3}})(?:\s?{item}(?:\s?의\s?(\d{{1,2}})(?!\d))?|의(\d{{1,2}})\s?{item}"
            rf"|{_elided(member, item)})"
        ),
        re.compile(
            rf"\s{{0,2}}(?:([{_USUAL}])(?:\s?{letter}|{_elided(f'[{_USUAL}]', letter)})"
            rf"|{_NO_WORD}([{_LETTERS}])목{_AFTER_LETTER})"
        ),
        re.compile(r"\s{0,2}(\d{1,2})\)"),
        re.compile(rf"\s{{0,2}}([{_USUAL}])\)"),
    )


_STRICT, _LOOSE = _levels(r"제\s?"), _levels(r"제?\s?")
# Annexes are also quoted by their outline: "별표 2 1. 가. 2)".
_OUTLINE = {
    1: re.compile(r"\s{0,2}(\d{1,2})\.(?!\d)"),
    2: re.compile(rf"\s{{0,2}}([{_USUAL}])\.(?=\s|\d|[{_USUAL}]\)|$)"),
}
_NOTE = re.compile(r"\s?비고(?=\s?(?:제?\s?\d|에|의|란))")
_GLUE = re.compile(r"\s?의\s?(?=제?\s?\d{1,3}\s?[호.])|\s?,\s?(?=제\s?\d{1,3}\s?[항호])")
_COMMENT = re.compile(
    r"\s?\([가-힣][^()]{0,60}\)(?=\s?제\s?\d|\s?[가나다라마바사아자차카타파하]\s?목)"
)

_Steps = tuple[tuple[int, str], ...]


def read_pinpoints(text: str, at: int, *, annex: bool = False) -> tuple[list[str], int]:
    """Return the pinpoints written at `at` and their end.

    ``([""], at)`` if there are none. `annex` allows the outline form and 비고.
    """
    steps, end = _chain(text, at, annex=annex)
    found = [steps]
    while steps:
        following = _list_item(text, end, steps)
        if following is None:
            break
        span, end = following
        found += span
        steps = span[-1]
    return [path(s) for s in found], end


def path(steps: _Steps) -> str:
    """Return the part path of a chain of levels."""
    return "/".join(name for _, name in steps)


def _chain(text: str, at: int, *, annex: bool) -> tuple[_Steps, int]:
    """Read one descending chain: 제1항제3호가목."""
    steps: list[tuple[int, str]] = []
    level, end = -1, at
    if annex and (note := _NOTE.match(text, end)):
        steps, end = [(0, "비고")], note.end()
    while True:
        start = end
        if glue := (_GLUE if steps or annex else _COMMENT).match(text, end):
            start = glue.end()
        elif comment := _COMMENT.match(text, end):
            start = comment.end()
        step = _step(text, start, level + 1, _LOOSE, annex)
        if step is None:
            return tuple(steps), end
        level, name, end = step
        steps.append((level, name))


def _step(
    text: str, at: int, lowest: int, patterns: tuple[re.Pattern[str], ...], annex: bool
) -> tuple[int, str, int] | None:
    """Return (level, name, end) of the next step of a pinpoint from level `lowest` down."""
    for level in range(lowest, len(patterns)):
        if level >= 3 and lowest < 2:  # "1)" is always below an item or sub-item
            break
        found = patterns[level].match(text, at)
        if found is None and annex and level in _OUTLINE:
            found = _OUTLINE[level].match(text, at)
        if found:
            return level, _name(level, found), found.end()
    return None


def _name(level: int, match: re.Match[str]) -> str:
    """Return the name of a step in a part's path: 2항, 3호, 가목."""
    first, second = match[1], next(filter(None, match.groups()[1:]), None)
    if level == 0:
        return f"{int(first or _CIRCLED.index(second or '') + 1)}항"
    if level == 1:
        return f"{int(first)}호" + (f"의{int(second)}" if second else "")
    return (first or second or "") + ("목" if level == 2 else ")")


def _list_item(text: str, at: int, steps: _Steps) -> tuple[list[_Steps], int] | None:
    """Read "및 제2항", "부터 제3항까지", ", 3호" after `steps`; return the further chains."""
    if aspect := ASPECT.match(text, at):
        at = aspect.end()
    for separator, spans in ((AND, False), (THROUGH, True), (_CIRCLED_NEXT, False)):
        if not (gap := separator.match(text, at)):
            continue
        step = _step(text, gap.end(), 0, _STRICT, annex=False) or _unit_alone(
            text, gap.end(), steps
        )
        if step is None or step[0] > steps[-1][0] or step[0] > 3:
            continue
        level, name, end = step
        prefix = tuple(s for s in steps if s[0] < level)
        deeper, end = _below(text, end, level)
        first = next((n for lv, n in steps if lv == level), None)
        chains = _between(prefix, level, first, name) if spans and first else []
        if until := UNTIL.match(text, end):
            end = until.end()
        return [*chains, (*prefix, (level, name), *deeper)], end
    return None


_CIRCLED_NEXT = re.compile(rf"(?<=[{_CIRCLED}])(?=[{_CIRCLED}])")  # ①②


def _unit_alone(text: str, at: int, steps: _Steps) -> tuple[int, str, int] | None:
    """Read 3항, 2호 or 3) without 제 in a list: 제1항, 3항, 가목1) 및 3); and 부목.

    A number alone continues the branches of an item: 제8호의2 및 3.
    """
    level, last = steps[-1]
    if level == 1 and "의" in last and (alone := _ALONE.match(text, at)):
        return level, f"{last.partition('의')[0]}의{int(alone[1])}", alone.end()
    pattern = _LISTED_LETTER if level == 2 else _LOOSE[level]
    found = pattern.match(text, at) if level <= 3 else None
    return (level, _name(level, found), found.end()) if found else None


def _below(text: str, at: int, level: int) -> tuple[_Steps, int]:
    """Return the steps of a pinpoint below a level, and where they end."""
    steps: list[tuple[int, str]] = []
    end = at
    while step := _step(text, end, level + 1, _LOOSE, annex=False):
        level, name, end = step
        steps.append((level, name))
    return tuple(steps), end


def _between(prefix: _Steps, level: int, first: str, last: str) -> list[_Steps]:
    """Return the chains strictly between two names of one level (제1항 … 제4항 → 2항, 3항)."""
    if level == 2:
        low, high = _LETTERS.index(first[0]), _LETTERS.index(last[0])
        return [(*prefix, (level, f"{letter}목")) for letter in _LETTERS[low + 1 : high]]
    unit = {0: "항", 1: "호", 3: ")"}[level]
    (low, branch), (high, end) = _number_of(first), _number_of(last)
    if low == high:
        names = [f"{low}{unit}의{n}" for n in range(max(branch, 1) + 1, end)]
    else:
        names = [f"{n}{unit}" for n in range(low + 1, high + (end > 0))]
    return [(*prefix, (level, name)) for name in names[:_MOST_BETWEEN]]


_MOST_BETWEEN = 300  # the most parts of a range; no law has as many


def _number_of(name: str) -> tuple[int, int]:
    """Return the number of a part's name and its branch, 0 if it has none: 3호의2 → (3, 2)."""
    base, _, branch = name.partition("의")
    return int(re.sub(r"\D", "", base)), int(branch or 0)


_FOLLOWS = (
    r"(?=$|[\s,.)\]」』'\"’”ㆍ·・(\d①-⑳]|제|의|에|및|와|과|는|은|을|를|로|이|가|도|부터|까지|내지)"
)
# The branch of 제18조의2; 제18조2(…) is the same with its 의 lost, where no 항 or 호 can be meant.
_BRANCH = (
    r"(?:\s?의\s?(?=\d{1,3}(?!\d|\s?[개명호]|\s?가지))(\d{1,3})"
    r"|(\d{1,2})(?=\(|에|의(?!\d)|을|를|\s?제|$))?"
)
_WON = r"(?!\s?원)"  # 3조 원 is money
_ARTICLE = re.compile(r"제\s?(\d{1,4})\s?조" + _BRANCH)
_LOOSE_ARTICLE = re.compile(
    rf"(?=제|\d{{1,4}}\s?조{_FOLLOWS}{_WON})제?\s?(\d{{1,4}})\s?조" + _BRANCH
)
# The number of an article whose 조 stands behind a later one of its list: 제329 of 제329, 330조.
ELIDED = _elided(r"(?:제|§)?\s?\d{1,4}(?:\s?의\s?\d{1,3})?", rf"조{_FOLLOWS}{_WON}")
# §11-2 and 제11조-2 are 제11조의2; a higher number ends a range.
_HYPHENED = re.compile(rf"(?<!의\d)[{_DASHES[4:]}](\d{{1,2}})(?!\d){_FOLLOWS}(?!\s?[조항호목])")
BRANCH_FIRST = rf"의\s?\d{{1,3}}\s?조{_FOLLOWS}"  # 제5의2조, as it was written
_NO_UNIT = rf"(?:(?={BRANCH_FIRST})의\s?(\d{{1,3}})\s?조|(?:\s?의\s?(\d{{1,3}}))?{ELIDED})"
_ELIDED_ARTICLE = re.compile(rf"제\s?(\d{{1,4}}){_NO_UNIT}")
_LOOSE_ELIDED = re.compile(rf"(?:제\s?)?(\d{{1,4}}){_NO_UNIT}")
SIGN = r"§{1,2}\s?(?:제\s?)?\d{1,4}(?![\dA-Za-z(]|\.\d)"
_SIGNED = re.compile(
    rf"(?={SIGN})§{{1,2}}\s?(?:제\s?)?(\d{{1,4}})(?:\s?조)?(?:\s?의\s?(\d{{1,3}})(?!\d))?"
)
# A number that goes on with a list or a range, with no unit of its own: 제5조의2, 3; §§ 3, 4.
_ALONE = re.compile(
    r"(?:의\s?|제\s?)?(\d{1,4})(?=$|[)\]]|에(?!게)|[을를은는]|의\s|[와과로]\s|으?로\s|까지"
    rf"|\s?(?:[{_DOTS}]|및|내지)\s?(?:의\s?)?\d{{1,4}}(?![\d.]|\s?[개년월일명층회인조항호목원%]))"
)
# An article's title after its number; one that contains a place is an aside: 제9조(제8조의 경우만).
_HEADING = re.compile(
    r"\s?\((?![^()]*제\s?\d{1,4}\s?[조항호])([가-힣][^()]{1,80}(?:\([^()]{0,30}\)[^()]{0,40})?)\)"
)
_ANNEX = re.compile(
    r"[\[(<【]?\s?별표\s?(?:(\d{1,3})(?:\s?의\s?(\d{1,2})(?![\d.]|\s?[호항]))?|(?=제\s?\d{1,2}\s?호))"
    r"(?:\s?[\])>】])?"
)
_NEXT_ANNEX = re.compile(r"\s?(?=[\[(<【]?\s?별표\s?\d)")
# 서식 can be left out before the name of the form: 별지 제14호의2의 명세서.
_FORM = re.compile(
    r"[\[(<【]?\s?별지\s?제?\s?(\d{1,3})\s?호?(?:\s?의\s?(\d{1,2}))?"
    r"(?:\s?서식(?:\s?[\])>】])?|(?<=호의\d)(?=의\s[가-힣]))"
)
_ADDENDUM = re.compile(
    r"(?:[가-힣]{0,4}개정[가-힣]{0,2}\s?)?부칙(?:\s?[<(〈][^<>()〈〉]{1,60}[>)〉])?"
    r"(?=\s?제\s?\d{1,3}\s?조|\s?[<(〈]|[에의은을])"
)
_AMENDING = re.compile(r"제\s?(\d{1,6})\s?호")
_PARAGRAPH = re.compile(r"\s?제\s?\d{1,3}\s?항")
_SECTION = re.compile(r"(?:표|그림)?\s?(\d{1,2}(?:\.\d{1,2}){1,6})(?!\d|[,.]\d)")
UNITS = re.compile(
    r"\s?(?:[㎜㎝㎞㎡㎥㎧㎏ℓ℃%°]|mm|cm|km|kg|kW|MPa|kPa|V\b|A\b|[mLlTt](?![A-Za-z])|배|개|층|초|분|시간"
    r"|미터|리터|센티|킬로|밀리|톤|명|인\b|배수|이상|이하|초과|미만)"
)


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """The places read between two offsets: one place, or one per pinpoint of it.

    `signed` is whether it is written with a sign: § 11.
    """

    start: int
    end: int
    places: tuple[CitedPlace, ...]
    signed: bool = False


def number(base: str, branch: str | None) -> str:
    """Return the canonical number of a base and an optional branch (``24``, ``2`` → ``24의2``)."""
    return f"{int(base)}" + (f"의{int(branch)}" if branch else "")


def read_places(text: str, at: int, *, adjacent: bool) -> list[FoundPlaces]:
    """Return the list of places that starts exactly at `at`, [] if none does.

    `adjacent` is whether an instrument is right before: sloppy numbers (64조 without 제) and
    decimal sections are only read then. In a list of articles the numbers after the first may lack
    제, and those before the last may lack 조.
    """
    found: list[FoundPlaces] = []
    while one := _read_place(text, at, adjacent) or (found and _read_listed(text, at, found[-1])):
        found.append(
            _as_addendum(one) if found and found[-1].places[0].level is Level.ADDENDUM else one
        )
        aspect = ASPECT.match(text, one.end)
        end = aspect.end() if aspect else one.end
        gap = AND.match(text, end) or _NEXT_ANNEX.match(text, end)
        if gap is None:
            break
        at = gap.end()
    return found


def _read_listed(text: str, at: int, before: FoundPlaces) -> FoundPlaces | None:
    """Read a place by its number, as a list continues: 38조; 3 after 제5조의2; 2 after 별표 1."""
    last = before.places[-1]
    if last.level is Level.ARTICLE and (one := _read_article(text, at, adjacent=True)):
        return one
    counts = "의" in last.number or before.signed or last.level is Level.ANNEX
    found = _ALONE.match(text, at) if counts and not last.pinpoint else None
    if not found:
        return None
    branch = last.level is Level.ARTICLE and not before.signed
    place = number(last.number.partition("의")[0], found[1]) if branch else number(found[1], None)
    return FoundPlaces(at, found.end(), (CitedPlace(last.level, place),), before.signed)


def _as_addendum(one: FoundPlaces) -> FoundPlaces:
    """Convert an article that continues a list of 부칙 articles to one of those."""
    if one.places[0].level is not Level.ARTICLE:
        return one
    return FoundPlaces(
        one.start, one.end, (CitedPlace(Level.ADDENDUM, "", f"제{one.places[0].number}조"),)
    )


def _read_place(text: str, at: int, adjacent: bool) -> FoundPlaces | None:
    """Read a place: article, annex, form, addendum or section."""
    readers = (_read_article, _read_annex, _read_form, _read_addendum)
    for reader in readers:
        if one := reader(text, at, adjacent):
            return one
    return _read_section(text, at) if adjacent else None


def _read_article(text: str, at: int, adjacent: bool) -> FoundPlaces | None:
    """Read an article with its pinpoints."""
    first = _article_number(text, at, loose=adjacent)
    if not first:
        return None
    place, end = first
    if (hyphened := _HYPHENED.match(text, end)) and int(hyphened[1]) < int(
        place.partition("의")[0]
    ):
        place, end = f"{place}의{int(hyphened[1])}", hyphened.end()
    heading = _HEADING.match(text, end)
    pinpoints, end = read_pinpoints(text, heading.end() if heading else end)
    last, end = _range_end(text, end, place)
    title = heading[1] if heading else ""
    places = tuple(
        CitedPlace(Level.ARTICLE, place, pinpoint, last, title) for pinpoint in pinpoints
    )
    return FoundPlaces(at, end, places, signed=text[at] == "§")


def _article_number(text: str, at: int, *, loose: bool) -> tuple[str, int] | None:
    """Return the number of the article written at `at` and its end: 제5조의2, 제329, §11."""
    patterns = (_LOOSE_ARTICLE, _LOOSE_ELIDED) if loose else (_ARTICLE, _ELIDED_ARTICLE)
    for pattern in (*patterns, _SIGNED):
        if found := pattern.match(text, at):
            return number(found[1], next(filter(None, found.groups()[1:]), None)), found.end()
    return None


def _range_end(text: str, at: int, first: str) -> tuple[str, int]:
    """Return the last article of a range that goes on at `at`, and its end; ("", at) if none."""
    gap = THROUGH.match(text, at)
    if not gap:
        return "", at
    base, _, branch = first.partition("의")
    last = _article_number(text, gap.end(), loose=True)
    if not last and (alone := _ALONE.match(text, gap.end())):
        higher = int(alone[1]) > int(branch or base)
        last = (number(base, alone[1]) if branch else alone[1], alone.end()) if higher else None
    if not last:
        return "", at
    heading = _HEADING.match(text, last[1])
    end = heading.end() if heading else last[1]
    below = read_pinpoints(text, end)[1]  # 제44조부터 제48조제1항까지
    until = UNTIL.match(text, below)
    return last[0], until.end() if until else end


def _read_annex(text: str, at: int, adjacent: bool) -> FoundPlaces | None:
    """Read an annex with its heading and pinpoints."""
    first = _ANNEX.match(text, at)
    if not first or (first[1] is None and not adjacent):
        return None
    heading = _HEADING.match(text, first.end())
    below = heading.end() if heading else first.end()
    pinpoints, end = read_pinpoints(text, below, annex=True)
    place = number(first[1], first[2]) if first[1] else ""
    title, last = heading[1] if heading else "", ""
    gap = THROUGH.match(text, end)
    if gap and (final := _ANNEX.match(text, gap.end())) and final[1]:
        last, until = number(final[1], final[2]), UNTIL.match(text, final.end())
        end = until.end() if until else final.end()
    places = tuple(CitedPlace(Level.ANNEX, place, p, last, title) for p in pinpoints)
    return FoundPlaces(at, end, places)


def _read_form(text: str, at: int, _adjacent: bool) -> FoundPlaces | None:
    """Read a cited form (서식) with its number."""
    first = _FORM.match(text, at)
    if not first:
        return None
    return FoundPlaces(at, first.end(), (CitedPlace(Level.FORM, number(first[1], first[2])),))


def _read_addendum(text: str, at: int, _adjacent: bool) -> FoundPlaces | None:
    """Read 부칙 with its own articles, which are never articles of the instrument's body.

    The number is that of the amending instrument, if written: 부칙 <제33005호>.
    """
    first = _ADDENDUM.match(text, at)
    if not first:
        return None
    amending = _AMENDING.search(first[0])
    place = read_amending_place(text, first.end(), amending[1] if amending else "")
    return replace(place, start=at)


def read_amending_place(text: str, at: int, amending: str) -> FoundPlaces:
    """Read the place at `at`, right after 부칙, of the instrument numbered `amending`."""
    space = 1 if text[at : at + 1].isspace() else 0
    inner = _read_article(text, at + space, adjacent=False)
    paragraph = _PARAGRAPH.match(text, at)
    end = inner.end if inner else paragraph.end() if paragraph else at
    return FoundPlaces(at, end, (CitedPlace(Level.ADDENDUM, amending, text[at:end].strip()),))


def _read_section(text: str, at: int) -> FoundPlaces | None:
    """Read a section of a standard, or a range of them; not a decimal number with a unit."""
    first = _SECTION.match(text, at)
    if not first or (first[1].count(".") == 1 and UNITS.match(text, first.end())):
        return None
    last, end = "", first.end()
    if (gap := THROUGH.match(text, end)) and (second := _SECTION.match(text, gap.end())):
        until = UNTIL.match(text, second.end())
        last, end = second[1], until.end() if until else second.end()
    return FoundPlaces(at, end, (CitedPlace(Level.SECTION, first[1], last=last),))


def read_same_place(text: str, at: int, level: str) -> FoundPlaces:
    """Read the pinpoints after 같은 조 or 같은 항; their article is found later."""
    pinpoints, end = read_pinpoints(text, at)
    if level == "항":
        pinpoints = [p for p in pinpoints if not p.endswith("항")] or [""]
    return FoundPlaces(at, end, tuple(CitedPlace(Level.ARTICLE, "", p) for p in pinpoints))
