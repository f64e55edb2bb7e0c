"""A small invented corpus for the tests of citations: families, a rule of its own, a standard."""

from __future__ import annotations

import re

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Resolution, Target
from corpus.citations.resolve import resolve
from corpus.model import Tier, slug

ACT = "수로의 보전 및 이용관리에 관한 법률"
DECREE = f"{ACT} 시행령"
RULE = f"{ACT} 시행규칙"
OTHER = "등대기본법"
STANDALONE = "부두의 조명ㆍ계류시설 등의 기준에 관한 규칙"
STANDARD = "등명기의 기술기준(LBTC 102)"
SUCCESSOR = "소방시설 설치 및 관리에 관한 법률"
ENGLISH = "Harbour Light Act"
ENGLISH_DECREE = f"Enforcement Decree of the {ENGLISH}"

_PLACES: dict[str, dict[str, str]] = {
    ACT: {f"{n}조": f"제목 {n}" for n in range(1, 31)} | {"9조의2": "", "9조의3": "", "9조의4": ""},
    DECREE: {f"{n}조": f"영 제목 {n}" for n in range(1, 21)}
    | {"31조": "등화의 종류", "별표1": "등화의 기준(제3조 관련)", "별표2": "", "별표4의2": ""}
    | {"부칙-대통령령-제100호": "", "부칙-대통령령-제200호": ""},
    RULE: {f"{n}조": f"규칙 제목 {n}" for n in range(1, 11)} | {"별표1": "수수료", "별지3서식": ""},
    OTHER: {f"{n}조": f"등대 제목 {n}" for n in range(1, 41)},
    f"{OTHER} 시행령": {"2조": "", "별표": ""},
    STANDALONE: {"5조": "", "6조": "", "14조": "", "23조": ""},
    STANDARD: {"1.7": "", "2.1": "", "2.2": "", "2.4": "", "2.5": ""},
    SUCCESSOR: {"2조": "", "23조": ""},
    ENGLISH: {f"article-{n}": f"Heading {n}" for n in range(1, 31)}
    | {"article-9-2": "", "article-9-3": "", "article-9-4": ""},
    ENGLISH_DECREE: {"article-5": "", "article-7": "", "annex-4": ""},
}


def entries() -> list[CatalogueEntry]:
    """Return the catalogue entries of every unit."""
    return [
        CatalogueEntry(slug(title), title, "", Tier.ACT, f"{slug(title)}_{place}", heading)
        for title, places in _PLACES.items()
        for place, heading in places.items()
    ]


CATALOGUE = Catalogue(entries())


def unit(title: str, place: str) -> str:
    """Return the id of a unit."""
    return f"{slug(title)}_{place}"


def resolved(text: str, before: str = "") -> list[Resolution]:
    """Find and resolve the citations of a text; `before` is the question."""
    asked = resolve(find(before), before, CATALOGUE)
    return resolve(find(text), text, CATALOGUE, asked)


def targets(text: str, before: str = "") -> list[tuple[str, str]]:
    """Return (unit id, pinpoint) of everything that a text resolves to, in order."""
    found = resolved(text, before)
    return [(t.unit_id, t.pinpoint) for one in found for t in one.targets]


def marked(table: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each line's text, and its citations with what they mean.

    In the line the citations stand in ⟦ ⟧, and behind → what each means, divided by |.
    """
    found = []
    for line in table.strip().splitlines():
        text, _, meanings = line.partition(" → ")
        spans = re.findall("⟦(.*?)⟧", text)
        pairs = zip(spans, meanings.split(" | ") if spans else (), strict=True)
        found.append((re.sub("[⟦⟧]", "", text), list(pairs)))
    return found


_NAMED = {
    "STANDALONE": STANDALONE,
    "STANDARD": STANDARD,
    "DECREE": DECREE,
    "OTHER": OTHER,
    "RULE": RULE,
    "ACT": ACT,
    "BY": ENGLISH_DECREE,
    "LIGHT": ENGLISH,
}


def meanings(text: str, last: bool = False) -> str:
    """Return what each citation of a text means, or the reason; or only the `last` of several.

    The names of titles stand for them, and a question before the text ends in >.
    """
    for name, title in _NAMED.items():
        text = text.replace(name, title)
    question, _, answer = text.rpartition(" > ")
    found = [
        " + ".join(map(_shown, one.targets)) or str(one.reason)
        for one in resolved(answer, question)
    ]
    return f"… {found[-1]}" if last else "; ".join(found)


def _shown(target: Target) -> str:
    statute, _, place = target.unit_id.rpartition("_")
    name = next((name for name, title in _NAMED.items() if slug(title) == statute), statute)
    return f"{name} {place} {target.pinpoint}".rstrip()
