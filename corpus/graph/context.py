"""What a unit has cited so far: where a list goes on, and what 같은 조 points at."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from corpus.citations.instruments import Meaning
from corpus.citations.model import Citation, CitedPlace
from corpus.model import Level

_OUTLINE = re.compile(r"(?<=\s)(?:\d{1,2}|[가-힣])\)")  # 제3호나목의 신고기준란 4)
_ASIDE = re.compile(r"\([^()]*\)")
_TAIL = (
    r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?|각\s?목(?:\s?외의\s?부분)?"
    r"|까지의\s?규정|까지))*"
)
_LIST = re.compile(_TAIL + r"\s*(?:,|ㆍ|·|및|또는|이나|나|와|과)\s*(?:제외한\s?)?")
_OPEN = re.compile(_TAIL + r"\s?\(")
_REACH = 6  # how many citations back a list can go on from, over asides


@dataclass(frozen=True, slots=True)
class Earlier:
    """A citation read before: where it ends, its last place, and its instruments."""

    end: int
    place: CitedPlace
    meaning: Meaning


@dataclass(slots=True)
class Before:
    """The last few citations of a unit that named a place."""

    text: str
    _earlier: deque[Earlier] = field(default_factory=lambda: deque(maxlen=_REACH))

    def note(self, citation: Citation, place: CitedPlace, meaning: Meaning) -> None:
        """Remember a citation; they come in the order of the text."""
        self._earlier.append(Earlier(citation.end, place, meaning))

    def in_list(self, citation: Citation) -> Earlier | None:
        """Return the citation that this one goes on from: 제1항 후단이나 제5항, over asides."""
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
        """Return the last citation that is not in a closed aside, of `level` where one is given."""
        for one in reversed(self._earlier):
            if level in (None, one.place.level) and self._gap(one, citation) is not None:
                return one
        return self._earlier[-1] if self._earlier and level is None else None

    def _gap(self, one: Earlier, citation: Citation) -> str | None:
        """Return the text between without asides, None where `one` stands in a closed aside."""
        gap = self.text[one.end : citation.start]
        if "(" in gap or ")" in gap:
            gap = _OUTLINE.sub("", gap)
            while (shorter := _ASIDE.sub("", gap)) != gap:
                gap = shorter
        return None if ")" in gap else gap
