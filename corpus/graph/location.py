"""The place of a reference, its unit's earlier citations, and the meaning of 전조 or 전항 there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from corpus.citations.catalogue import Instrument
from corpus.citations.instruments import Meaning
from corpus.citations.model import Citation, CitedPlace, Role, Target
from corpus.model import Level, Statute, Tier, Unit

_START = attrgetter("start")
_ROLES = {Tier.ACT: Role.ACT, Tier.DECREE: Role.DECREE, Tier.RULE: Role.RULE}


def part_at(unit: Unit, offset: int) -> str:
    """Return the innermost part of a unit at an offset, "" outside every part."""
    parts = unit.parts
    for index in range(bisect_right(parts, offset, key=_START) - 1, -1, -1):
        if offset < parts[index].end:
            return parts[index].path
    return ""


@dataclass(slots=True)
class UnitLocation:
    """One unit as the reference point of relative references.

    `articles` are the ids of the statute's articles in document order.
    """

    unit: Unit
    articles: Sequence[str]

    def has_part(self, path: str) -> bool:
        """Return whether the unit has a part of this path."""
        return any(part.path == path for part in self.unit.parts)

    def parts_before(self, path: str) -> list[str]:
        """Return the paths of the parts before `path` under the same parent, in order."""
        parent = path.rpartition("/")[0]
        siblings = [p.path for p in self.unit.parts if p.path.rpartition("/")[0] == parent]
        return siblings[: siblings.index(path)] if path in siblings else []

    def articles_beside(self, steps: int) -> list[str]:
        """Return the ids of `steps` articles right before (negative) or after this one, in order.

        Empty if there are not as many.
        """
        try:
            at = self.articles.index(self.unit.semantic_id)
        except ValueError:
            return []
        low, high = (at + steps, at) if steps < 0 else (at + 1, at + 1 + steps)
        found = list(self.articles[low:high]) if low >= 0 else []
        return found if len(found) == abs(steps) else []


def article_ids(statute: Statute) -> list[str]:
    """Return the ids of a statute's articles and sections in document order."""
    levels = (Level.ARTICLE, Level.SECTION)
    return [unit.semantic_id for unit in statute.units if unit.level in levels]


def own_role(one: Instrument) -> Role:
    """Return the role of an instrument in its own words: 이 법, 이 영, 이 규칙."""
    return _ROLES.get(one.tier, Role.ANY)


_OUTLINE = re.compile(r"(?<=\s)(?:\d{1,2}|[가-힣])\)")  # 제3호나목의 신고기준란 4)
_ASIDE = re.compile(r"\([^()]*\)")
_TAIL = (
    r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?|각\s?목(?:\s?외의\s?부분)?"
    r"|까지의\s?규정|까지))*"
)
_LIST = re.compile(_TAIL + r"\s*(?:,|ㆍ|·|및|또는|이나|나|와|과)\s*(?:제외한\s?)?")
_OPEN = re.compile(_TAIL + r"\s?\(")
_REACH = 6  # how many citations back a list can continue from, over asides


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier citation: its end, its last place, and its instruments."""

    end: int
    place: CitedPlace
    meaning: Meaning


@dataclass(slots=True)
class Before:
    """The last few citations of a unit that named a place."""

    text: str
    _earlier: deque[Earlier] = field(default_factory=lambda: deque(maxlen=_REACH))

    def note(self, citation: Citation, place: CitedPlace, meaning: Meaning) -> None:
        """Record a citation; they come in text order."""
        self._earlier.append(Earlier(citation.end, place, meaning))

    def in_list(self, citation: Citation) -> Earlier | None:
        """Return the citation that this one continues: 제1항 후단이나 제5항, over asides."""
        for one in reversed(self._earlier):
            gap = self._gap(one, citation)
            if gap is not None:
                return one if _LIST.fullmatch(gap) else None
        return None

    def holding(self, citation: Citation) -> Earlier | None:
        """Return the citation whose aside begins with this one: 제72조제1항(제2호는 제외한다)."""
        if not self._earlier:
            return None
        one = self._earlier[-1]
        return one if _OPEN.fullmatch(self.text, one.end, citation.start) else None

    def nearest(self, citation: Citation, level: Level | None = None) -> Earlier | None:
        """Return the last citation outside closed asides, of `level` if given."""
        for one in reversed(self._earlier):
            if level in (None, one.place.level) and self._gap(one, citation) is not None:
                return one
        return self._earlier[-1] if self._earlier and level is None else None

    def _gap(self, one: Earlier, citation: Citation) -> str | None:
        """Return the text between without asides, None if `one` is in a closed aside."""
        gap = self.text[one.end : citation.start]
        if "(" in gap or ")" in gap:
            gap = _OUTLINE.sub("", gap)
            while (shorter := _ASIDE.sub("", gap)) != gap:
                gap = shorter
        return None if ")" in gap else gap


_DEPTH = {"조": 0, "표": 0, "항": 1, "호": 2, "목": 3}


def relative_targets(citation: Citation, standing: UnitLocation) -> list[Target]:
    """Return the targets of a citation of kind ``RELATIVE``; [] if there are none.

    Its mention's name is the number of steps back ("*" for all, "본" for none, "+1" for one ahead)
    and the unit.
    """
    own = standing.unit.semantic_id
    steps, unit = citation.mention.name[:-1], citation.mention.name[-1]
    below = [place.pinpoint for place in citation.places] or [""]
    here = cut(part_at(standing.unit, citation.start), unit)
    if steps == "본":
        return [Target(own, joined(here, pinpoint)) for pinpoint in below]
    if unit == "조":
        articles = standing.articles_beside(int(steps) if "+" in steps else -int(steps))
        return [Target(article, pinpoint) for article in articles for pinpoint in below]
    before = standing.parts_before(here)
    count = len(before) if steps == "*" else int(steps)
    if not before or len(before) < count:
        return []
    paths = before[len(before) - count :]
    return [Target(own, joined(path, pinpoint)) for path in paths for pinpoint in below]


def cut(path: str, unit: str) -> str:
    """Cut a part path to the level of 항, 호 or 목; "" for 조 and 표."""
    steps = path.split("/") if path else []
    return "/".join(step for step in steps if _depth(step) <= _DEPTH[unit])


def joined(*paths: str) -> str:
    """Join part paths, one below the other, without the empty ones."""
    return "/".join(path for path in paths if path)


def _depth(step: str) -> int:
    return next((depth for mark, depth in _DEPTH.items() if mark in step), 4)
