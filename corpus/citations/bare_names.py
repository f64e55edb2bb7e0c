"""Search for the unbracketed name of an instrument right before a place.

Without a corpus the start of such a name is unknown (…에 따라 건축물의 구조기준 등에 관한 규칙
제5조), so this takes every word that can belong to it; resolving drops the leading words that do
not.

Former law: words that mark a citation as of an act before an amendment.

구 형법, (구) 「건축법」, 舊, 개정 전, 종전의, 구법, (2008. 3. 21. 법률 제8974호로 개정되기 전의 것)
before or after the name, or after the place. 구청장, 구조 and the like do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from corpus.citations.model import Citation, Former, Mention, NameKind, Role

SPECIAL_ACT = "특별법"  # alone a pointer, but often the end of a title without 에 관한
_WINDOW = 110
_TYPE = re.compile(r"(?:법률|법|령|규칙|규정|기준|고시|조례|직제|영)(?:\s?(?:시행령|시행규칙))?$")
LEVELS = {
    "법": Role.ACT,
    "법률": Role.ACT,
    "특별법": Role.ACT,
    "영": Role.DECREE,
    "시행령": Role.DECREE,
    "법시행령": Role.DECREE,
    "규칙": Role.RULE,
    "시행규칙": Role.RULE,
    "법시행규칙": Role.RULE,
    "기준": Role.STANDARD,
    "규정": Role.ANY,
    "대통령령": Role.DECREE,
}
_MINISTRY_RULE = re.compile(r"[가-힣]{1,8}부령|총리령")
# Words with the ending of a type of instrument that are not.
_NOUNS = re.compile(
    r"(?:방|기|위|불|적|용|공|편|수|화|문|해|어|맞춤)법|(?:명|수|발|연|요|강|사|유)령"
)
_WORD = re.compile(r"[가-힣ㆍ·・･‧,A-Za-z]+$")
# A long title ends in one of these words alone; the words before belong to it.
_TYPE_WORDS = {
    "법률",
    "특별법",
    "특별조치법",
    "규칙",
    "규정",
    "기준",
    "고시",
    "령",
    "조례",
    "기본법",
}
_STOP = re.compile(
    r"(?:따라서|또한|다만|그리고|이에|현행|상기|한편|아울러|즉|여기서|경우|관련|의거|귀하께서)$"
    r"|(?:에서|따라|따른|하여|하고|되어|하며|으며|라고|다고|이고|니다|니까|에는|에게|에도|까지|부터|의하여|보면|따르면)$"
)
# Particles that end a phrase. A long title (…에 관한 법률) has many inside, but no topic, no
# subject.
_SHORT_STOP = re.compile(r"[은는이가을를에로와과며고서도만의,]$")
_LONG_STOP = re.compile(r"[은는이가]$")
_TITLE_WORDS = {"및", "국가", "두는", "하는"}
_JOINING = re.compile(r"(?:(?:및|또는|등)\s{1,2})*")
# 법률 after one of these is the end of a long title, not "the Act".
_TITLE_GOES_ON = re.compile(r"(?:관한|위한|대한|의한|등|따른)\s{1,2}$")
_ALONE_GOES_ON = re.compile(r"(?:관한|등)\s{1,2}$")  # 에 따른 법 제5조 is "the Act"
_OPENERS = {")": "(", "]": "[", "」": "「"}
_OPENED = re.compile(r"(?:법률?|시행령|시행규칙)\s?[(\[]\s?$")  # 건축법 시행령(제11조)
_EDGE = " \t\n'\"’”"
_UNDER = re.compile(r"(?:상의?|의)$")  # 건축법상 제2조, 건축법의 제2조


@dataclass(frozen=True, slots=True)
class Name:
    """A name before a place: its start, its wording, and its role if it is 법, 영 … alone."""

    start: int
    text: str
    level: Role | None


def name_before(text: str, at: int, floor: int) -> Name | None:
    """Return the name that ends right before the place at `at`, from `floor` on; else None."""
    floor = max(floor, at - _WINDOW)
    end = _before_edges(text, at, floor)
    window = text[floor:end]
    if not _TYPE.search(window):
        return None
    head = _head(window)
    word = re.sub(r"\s", "", window[head:])
    start = _extend(window, head)
    goes_on = _ALONE_GOES_ON if len(word) <= 2 else _TITLE_GOES_ON
    if not goes_on.search(window[:head]):
        if _NOUNS.fullmatch(word):
            return None
        level = Role.RULE if _MINISTRY_RULE.fullmatch(word) else LEVELS.get(word)
        if level and not (word == SPECIAL_ACT and start < head):
            return Name(floor + head, window[head:], level)
    return Name(floor + start, window[start:], None)


def _before_edges(text: str, at: int, floor: int) -> int:
    """Skip back over blanks, quotes, bracketed asides and 의 between a name and its place."""
    if opened := _OPENED.search(text, max(floor, at - 8), at):
        at = max(text.rfind(bracket, opened.start(), at) for bracket in "([")
    while at > floor:
        last = text[at - 1]
        if last in _OPENERS:
            opener = text.rfind(_OPENERS[last], floor, at)
            at = opener if opener >= 0 else at - 1
        elif last in _EDGE:
            at -= 1
        elif (under := _UNDER.search(text, max(floor, at - 2), at)) and _TYPE.search(
            text[max(floor, at - 10) : under.start()]
        ):
            at = under.start()
        else:
            break
    return at


def _head(window: str) -> int:
    """Return the start of the last word, including a 시행령 or 시행규칙 after a space."""
    tail = re.search(r"\s?(?:시행령|시행규칙)$", window)
    end = len(window)
    if tail and tail.start() and _TYPE.search(window[: tail.start()]):
        end = tail.start()
    word = _WORD.search(window[:end])
    return word.start() if word else end


def _extend(window: str, head: int) -> int:
    """Return where a title begins that ends with the word at `head`."""
    last = re.sub(r"\s?(?:시행령|시행규칙)$", "", window[head:])
    stops = _LONG_STOP if last in _TYPE_WORDS else _SHORT_STOP
    standard = last.endswith("기준")
    start = head
    while (left := window[:start].rstrip()) != window[:start] and left:
        word = _WORD.search(left)
        if not word or _STOP.search(word[0].rstrip(",")):
            break
        of_standard = standard and word[0].endswith("의")  # 스프링클러설비의 화재안전기술기준
        if stops.search(word[0]) and not of_standard and word[0] not in _TITLE_WORDS:
            break
        start = word.start()
    return start + len(_JOINING.match(window[start:])[0])  # type: ignore[index]


_DATE = r"\d{4}(?:\.|년)\s?\d{1,2}(?:\.|월)\s?\d{1,2}(?:\.|일)?"
_BY = r"(?:법률|총리령|[가-힣]{2,14}(?:령|규칙|규정|고시|훈령|예규))?\s?제\s?\d[\d-]{0,9}\s?호"
_CHANGED = (
    r"(?:(?:일부|전부|전문|타법)\s?)?(?:개정|폐지|변경|시행|삭제|제정)"
    r"(?:\s?되|\s?하)?(?:기\s?)?\s?이?전"
)
OLD = "구舊旧"
_FORMER_WORD = (
    rf"(?:[(\[]\s?[{OLD}]\s?[)\]]|(?<![가-힣])(?:신\s?[·ㆍ]?\s?)?[{OLD}옛](?:(?=[\s「『〈《]|$)|\))"
    r"|당시의?(?:\s?(?:시행|적용)\s?(?:되던|되고\s?있던|중이던|중인|하던|된))?(?=[\s「『〈《]|$)"
    rf"|[舊旧]|(?<![가-힣])(?:{_CHANGED}의?(?!\s?날)|과거의?|종전의?(?:\s?규정에\s?(?:따른|의한))?|폐지된)(?:\s?것인)?(?=[\s「『〈《]|$))"
)
_SINCE = rf"(?:{_DATE},?\s?(?:자\s?)?)?(?:{_BY}(?:로써|로|에\s?의하여|에\s?의해)\s?)?"
_BEFORE = re.compile(rf"(?:{_SINCE}{_FORMER_WORD}\s?|{_SINCE}{_CHANGED}의)$")
_INSIDE = re.compile(rf"(?:^|(?<=\s)){_FORMER_WORD}\s?(?=\S)")
_ASIDE = re.compile(
    rf"\s?[(\[](?:[^()\[\]]{{0,120}}?{_CHANGED}(?:의|(?=[)\],.]))[^()\[\]]{{0,120}}|\s?[{OLD}]법?\s?)[)\]]"
)
_POINTER = re.compile(rf"(?:^|\s)([{OLD}](법률?|시행령|시행규칙|규칙|규정|기준))$")
_REACH = 90
_WRITTEN_DATE = re.compile(r"(\d{4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,2})")
_MAY_SAY = re.compile(rf"[{OLD}옛]|이?전|폐지된|당시|과거")  # fast check that excludes most texts


def ends_in_former(text: str, at: int) -> bool:
    """Return True if the words right before `at` mark what follows as former law."""
    return _before(text, at, 0) is not None


def with_former(text: str, citations: list[Citation], floor: int) -> list[Citation]:
    """Mark the first citation of a list as former law, if the words around it do.

    The words before and inside the name become part of the first citation. A bracket after a place
    of the list applies to the whole list. Nothing before `floor` is read.
    """
    first = _with_inner_words(citations[0])
    former = first.mention.former
    while before := _before(text, first.start, floor):
        former = former or _former_with_date(before[0])
        first = _extended_back(first, text, before.start())
    behind = _ASIDE.match(text, citations[-1].end)
    own = len(first.mention.text)
    asides = [
        _ASIDE.search(one.text, own if one is first else 0) for one in (first, *citations[1:])
    ]
    for aside in (*asides, behind):
        if aside:
            former = _former_with_date(aside[0])
    if former is None:
        return citations
    return [replace(first, mention=replace(first.mention, former=former)), *citations[1:]]


def _before(text: str, at: int, floor: int) -> re.Match[str] | None:
    """Return the match of words right before `at` that mark former law (구), else None."""
    start = max(floor, at - _REACH)
    if not _MAY_SAY.search(text, max(start, at - 14), at):
        return None
    return _BEFORE.search(text, start, at)


def _with_inner_words(one: Citation) -> Citation:
    """Mark a citation as former law if its name says so: 이후 구 건축법, 「구 건축법」, 구법."""
    mention = one.mention
    if pointer := _POINTER.search(mention.name) if mention.kind is NameKind.BARE else None:
        start = one.start + mention.text.rfind(pointer[1])
        level = Mention(NameKind.LEVEL, pointer[1], role=LEVELS[pointer[2]], former=Former())
        return replace(one, text=one.text[start - one.start :], start=start, mention=level)
    words = list(_INSIDE.finditer(mention.name))
    if not words or mention.kind not in (NameKind.BARE, NameKind.TITLE):
        return one
    last = words[-1]
    name = mention.name[last.end() :]
    former = replace(mention, name=name, former=_former_with_date(last[0]))
    if mention.kind is NameKind.TITLE:
        return replace(one, mention=former) if last.start() == 0 else one
    cut = mention.text.rfind(name) - (last.end() - last.start())
    text = one.text[cut:]
    return replace(
        one, text=text, start=one.start + cut, mention=replace(former, text=mention.text[cut:])
    )


def _extended_back(one: Citation, text: str, start: int) -> Citation:
    """Return a citation extended back to `start`, with its mention."""
    more = text[start : one.start]
    mention = replace(one.mention, text=more + one.mention.text)
    return replace(one, text=more + one.text, start=start, mention=mention)


def _former_with_date(written: str) -> Former:
    """Return the former law that these words mark, with the date written in them, if any."""
    found = _WRITTEN_DATE.search(written)
    try:
        return Former(date(*map(int, found.groups())) if found else None)
    except ValueError:  # 2008. 13. 45.
        return Former()
