"""References relative to a place: 전조, 전2항, 다음 조, 같은 호, 동조동항.

In a law they are relative to the current place, in an answer to its last citation. They are only
read in suitable contexts, since the same letters have other meanings: 전조등, 전 조사, 신호ㆍ전호.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.citations.korean_places import read_pinpoints
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind
from corpus.model import Level

if TYPE_CHECKING:
    from corpus.citations.catalogue import Instrument

_PLACE = r"(?:제\s?\d|[전본동]\s?\d?\s?[조항호]|같은\s?[조항호]|[「『])"
# Text that can follow a place, but no other word with its letters.
_THEN = (
    r"(?=의(?!\s?\d)|에(?!게)|[와과]|\s?제\s?\d|\s?각\s?[호목]|\s?(?:본문|단서|[전후]단)|\s?이?외"
    r"|\s규정|[을를]\s(?:준용|적용|위반|개정)|부터|까지"
    rf"|\s?(?:,|ㆍ|·|및|또는|내지)\s?{_PLACE})"
)
_THEN_ANY = rf"(?:(?=[은는이을를]\s)|{_THEN})"
BEFORE = (
    r"(?P<before>(?<![가-힣])(?:"
    rf"전\s?(?:(?P<steps>\d{{1,2}})\s?(?P<counted>[조항호])|(?P<paragraph>항)){_THEN_ANY}"
    rf"|전\s?(?P<one>[조호]){_THEN}|전\s?각\s?(?P<each>[항호])(?=의|에|\s?이?외|\s?및)"
    rf"|다음\s?(?P<ahead>\d{{0,2}})\s?(?P<next>조){_THEN}))"
)
_SAME_HEAD = r"(?:같은|(?<![가-힣])동)"


def same_pattern(after: str) -> str:
    """Return the pattern of 같은 조, 동조동항, 같은 호 where `after` is a lookahead."""
    return (
        rf"(?P<same>(?:{_SAME_HEAD}\s?조\s?(?=같은|동))?"
        rf"(?:(?:{_SAME_HEAD}|(?<=조)동)\s?항\s?(?=같은|동))?"
        rf"(?:{_SAME_HEAD}|(?<=[조항])동)\s?(?P<of>[조항호목표]){after})"
    )


_UNITS = ("counted", "paragraph", "one", "each", "next")
_AFTER_SAME = (
    r"(?=의\s|에(?:서|도)?\s|[와과을를은는]\s|부터|까지|,|\)|ㆍ|·"
    r"|\s?(?:제\s?\d|각\s?[호목]|본문|단서|[전후]단|[가-하]\s?목|\d{1,2}\)|이?외의|및\s|또는\s))"
)
_ANSWER = re.compile(rf"(?=[전다같동])(?:{BEFORE}|{same_pattern(_AFTER_SAME)})")


_MAY_POINT = re.compile(r"(?:전|다음|같은|동)\s?[\d조항호각목표]")  # a fast check


def read_before(text: str, anchor: re.Match[str]) -> Citation:
    """Read 전조, 전2조제1항, 전 각 호, 다음 조 from an anchor that :data:`BEFORE` matched.

    The mention's name is the number of steps and the unit: ``1조``, ``2항``, ``*호`` for all
    before, ``+1조`` for the next. The particle after it is not part of the citation.
    """
    group = next(name for name in _UNITS if anchor[name])
    steps = {"each": "*", "next": "+" + (anchor["ahead"] or "1")}.get(group, anchor["steps"] or "1")
    end = anchor.end(group)
    mention = Mention(NameKind.RELATIVE, text[anchor.start() : end], steps + anchor[group])
    pinpoints, end = read_pinpoints(text, end)
    return _citation(text, anchor.start(), end, mention, pinpoints)


def find_pointing(text: str, citations: list[Citation]) -> list[Citation]:
    """Return an answer's citations relative to a place cited before.

    `citations` are those found already, in order: nothing is read inside them.
    """
    found: list[Citation] = []
    if not _MAY_POINT.search(text):
        return found
    ends = [one.end for one in citations]
    for anchor in _ANSWER.finditer(text):
        at = bisect_left(ends, anchor.start() + 1)
        covered = at < len(citations) and citations[at].start < anchor.end()
        if covered or (found and found[-1].end > anchor.start()):
            continue
        found.append(read_before(text, anchor) if anchor["before"] else _same(text, anchor))
    return found


def _same(text: str, anchor: re.Match[str]) -> Citation:
    """Return a citation of "the same item"."""
    mention = Mention(NameKind.SAME_PLACE, anchor["same"], anchor["of"])
    pinpoints, end = read_pinpoints(text, anchor.end("same"), annex=anchor["of"] == "표")
    return _citation(text, anchor.start(), end, mention, pinpoints)


def _citation(
    text: str, start: int, end: int, mention: Mention, pinpoints: Iterable[str]
) -> Citation:
    """Return a citation of parts of the reference place."""
    places = tuple(CitedPlace(Level.ARTICLE, "", pinpoint) for pinpoint in pinpoints)
    return Citation(text[start:end], start, end, mention, places)


def pinpoint_to(pinpoint: str, unit: str) -> str | None:
    """Cut a part path to its 항, 호 or 목; "" for 조, 표 or no 항, None without 호 or 목."""
    if unit in "조표":
        return ""
    steps = pinpoint.split("/")
    ends = ("항", ")") if unit == "항" else (unit,)
    for at, step in enumerate(steps):
        if step.endswith(ends) or (unit == "호" and "호의" in step):
            return "/".join(steps[: at + 1])
    return "" if unit == "항" else None  # an article of one paragraph has no number for it


def places_beside(
    citation: Citation, before: CitedPlace, instrument: Instrument | None
) -> tuple[CitedPlace, ...]:
    """Return the places that 전조, 전2항, 다음 조 mean right after `before`; () if uncertain."""
    steps, unit = citation.mention.name[:-1], citation.mention.name[-1]
    if before.last or before.level is not Level.ARTICLE:
        return ()
    below = [one.pinpoint for one in citation.places]
    if unit == "조":
        count = int(steps) if steps.startswith("+") else -int(steps)
        numbers = instrument.beside(before.number, count) if instrument else []
        return tuple(CitedPlace(Level.ARTICLE, n, pinpoint) for n in numbers for pinpoint in below)
    paths = _parts_before(before.pinpoint, steps, unit)
    return tuple(
        CitedPlace(Level.ARTICLE, before.number, "/".join(filter(None, (path, pinpoint))))
        for path in paths
        for pinpoint in below
    )


def _parts_before(pinpoint: str, steps: str, unit: str) -> list[str]:
    """Return the paths of preceding parts: 2 steps before 제4항 are 2항, 3항; [] if fewer."""
    path = pinpoint_to(pinpoint, unit) or ""
    prefix, _, last = path.rpartition("/")
    number = re.fullmatch(rf"(\d{{1,3}}){unit}", last)
    if number is None:
        return []
    high = int(number[1])
    low = 1 if steps == "*" else high - int(steps)
    found = [f"{n}{unit}" for n in range(low, high)] if low >= 1 else []
    return [f"{prefix}/{step}" if prefix else step for step in found]
