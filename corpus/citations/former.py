"""Former law: words that mark a citation as of an act before an amendment.

구 형법, (구) 「건축법」, 舊, 개정 전, 종전의, 구법, (2008. 3. 21. 법률 제8974호로 개정되기 전의 것)
before or after the name, or after the place. 구청장, 구조 and the like do not count.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from corpus.citations.bare_names import LEVELS
from corpus.citations.model import Citation, Former, Mention, NameKind

_DATE = r"\d{4}(?:\.|년)\s?\d{1,2}(?:\.|월)\s?\d{1,2}(?:\.|일)?"
_BY = r"(?:법률|총리령|[가-힣]{2,14}(?:령|규칙|규정|고시|훈령|예규))?\s?제\s?\d[\d-]{0,9}\s?호"
_CHANGED = (
    r"(?:(?:일부|전부|전문|타법)\s?)?(?:개정|폐지|변경|시행|삭제|제정)"
    r"(?:\s?되|\s?하)?(?:기\s?)?\s?이?전"
)
OLD = "구舊旧"
_WORD = (
    rf"(?:[(\[]\s?[{OLD}]\s?[)\]]|(?<![가-힣])(?:신\s?[·ㆍ]?\s?)?[{OLD}옛](?:(?=[\s「『〈《]|$)|\))"
    r"|당시의?(?:\s?(?:시행|적용)\s?(?:되던|되고\s?있던|중이던|중인|하던|된))?(?=[\s「『〈《]|$)"
    rf"|[舊旧]|(?<![가-힣])(?:{_CHANGED}의?(?!\s?날)|과거의?|종전의?(?:\s?규정에\s?(?:따른|의한))?|폐지된)(?:\s?것인)?(?=[\s「『〈《]|$))"
)
_SINCE = rf"(?:{_DATE},?\s?(?:자\s?)?)?(?:{_BY}(?:로써|로|에\s?의하여|에\s?의해)\s?)?"
_BEFORE = re.compile(rf"(?:{_SINCE}{_WORD}\s?|{_SINCE}{_CHANGED}의)$")
_INSIDE = re.compile(rf"(?:^|(?<=\s)){_WORD}\s?(?=\S)")
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


def with_former(text: str, found: list[Citation], floor: int) -> list[Citation]:
    """Mark the first citation of a list as former law, if the words around it do.

    The words before and inside the name become part of the first citation. A bracket after a place
    of the list applies to the whole list. Nothing before `floor` is read.
    """
    first = _with_inner_words(found[0])
    former = first.mention.former
    while before := _before(text, first.start, floor):
        former = former or _dated(before[0])
        first = _extended_back(first, text, before.start())
    behind = _ASIDE.match(text, found[-1].end)
    own = len(first.mention.text)
    asides = [_ASIDE.search(one.text, own if one is first else 0) for one in (first, *found[1:])]
    for aside in (*asides, behind):
        if aside:
            former = _dated(aside[0])
    if former is None:
        return found
    return [replace(first, mention=replace(first.mention, former=former)), *found[1:]]


def _before(text: str, at: int, floor: int) -> re.Match[str] | None:
    start = max(floor, at - _REACH)
    if not _MAY_SAY.search(text, max(start, at - 14), at):
        return None
    return _BEFORE.search(text, start, at)


def _with_inner_words(one: Citation) -> Citation:
    """Read the words inside a name: 이후 구 건축법, 「구 건축법」, 구법."""
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
    former = replace(mention, name=name, former=_dated(last[0]))
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


def _dated(written: str) -> Former:
    found = _WRITTEN_DATE.search(written)
    try:
        return Former(date(*map(int, found.groups())) if found else None)
    except ValueError:  # 2008. 13. 45.
        return Former()
