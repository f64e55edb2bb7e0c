"""Where a higher provision leaves a matter: 대통령령으로 정하는, prescribed by Presidential Decree.

The words are looked for in the very part that the lower provision names (제2조제1항제2호), in its
proviso where that is named. Where the part has none, they can stand over it: in the sentence that
leads to the items among which it is. Of several, those count that go on as the lower one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from corpus.model import Part, Tier, Unit

Span = tuple[int, int]
_LEFT_TO = {
    Tier.DECREE: re.compile(
        r"대통령령(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?Presidential Decree"
    ),
    Tier.RULE: re.compile(
        r"(?:[가-힣]{1,12}부령|총리령|(?:대법원|국회|헌법재판소|중앙선거관리위원회)규칙)"
        r"(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?(?:Ordinance|Decree) of the"
        r"|by (?:the )?Ministerial (?:Rule|Ordinance|Decree)"
    ),
}
_QUOTED = re.compile(r"에서\s?(?:말하는\s?)?[\"“]([^\"“”\n]{4,120})[\"”]")
_ENGLISH_QUOTED = re.compile(
    r"[\"“]([^\"“”\n]{4,160})[\"”]\s+in\s+(?:the [a-z ]{4,20}(?:to|of)\s+)?$"
)
_FROM = {"단서": re.compile("다만"), "후단": re.compile("이 경우")}
_HALF = re.compile(r"(?:\s?각\s?[호목]\s?외의\s?부분)?\s?(단서|후단)")
_MAIN = re.compile(r"(?:\s?각\s?[호목]\s?외의\s?부분)?\s?본문")
_ENGLISH_FROM = re.compile(r"However,")
_PROVISO = re.compile(r"\bproviso\s+(?:to|of)\s+$")
_ITEMS = re.compile(r"(?:다음|각)\s?(?:각\s?)?[호목]|following")
_SENTENCE = re.compile(r"다\.\s|(?<=[a-z])\.\s")
_SAID = 80  # letters after a citation in which the lower provision may say the words again
_ALIKE = 4  # letters that go on alike: 하는 자


@dataclass(frozen=True, slots=True)
class Citing:
    """A citation of a higher provision: the lower provision's text, and its span there."""

    text: str
    start: int
    end: int

    def quoted(self) -> str:
        """Return the higher provision's words that are quoted: …에서 "대통령령으로 정하는 자"란."""
        found = _QUOTED.search(self.text, self.end, self.end + 160)
        found = found or _ENGLISH_QUOTED.search(self.text, max(0, self.start - 240), self.start)
        return found[1] if found else ""

    def begins(self) -> re.Pattern[str] | None:
        """Return what begins the half of the part that is named: 단서, the proviso."""
        if _PROVISO.search(self.text, max(0, self.start - 30), self.start):
            return _ENGLISH_FROM
        half = _HALF.match(self.text, self.end)
        return _FROM[half[1]] if half else None

    def main(self) -> bool:
        """Tell whether what stands before the proviso is named: 본문."""
        return _MAIN.match(self.text, self.end) is not None


def delegating(higher: Unit, pinpoint: str, tier: Tier, citing: Citing) -> Span | None:
    """Return the span of the words that leave a matter to `tier` in the part named, if any do.

    `pinpoint` is the path of the part, "" for the whole. `citing` is where it is named.
    """
    words = _LEFT_TO.get(tier)
    if words is None:
        return None
    part = _named(higher, pinpoint)
    whole = (part.start, part.end) if part else (0, len(higher.text))
    spans = [_half(higher.text, *whole, citing), *(_leads(higher, part) if part else ())]
    quoted = citing.quoted()
    quoted = quoted if words.search(quoted) else ""
    for low, high in spans:
        if found := _in_span(higher.text, low, high, words, quoted, citing):
            return found
    return None


def _half(text: str, start: int, end: int, citing: Citing) -> Span:
    """Cut a part down to its proviso or to what stands before it, where that is named."""
    shape = citing.begins()
    half = shape.search(text, start, end) if shape else None
    proviso = _FROM["단서"].search(text, start, end) if citing.main() else None
    return half.start() if half else start, proviso.start() if proviso else end


def _named(unit: Unit, pinpoint: str) -> Part | None:
    """Return the part of a path; where a paragraph is left out, the only one that ends so.

    A part that the unit lacks (단서 as 항) is looked for one level up.
    """
    path = pinpoint
    while path:
        ending = [p for p in unit.parts if p.path == path or p.path.endswith("/" + path)]
        exact = [p for p in ending if p.path == path]
        if exact or len(ending) == 1:
            return (exact or ending)[0]
        path = path.rpartition("/")[0]
    return None


def _leads(unit: Unit, part: Part) -> Iterator[Span]:
    """Yield the sentences that lead to the items that a part is among, innermost first."""
    above = part.path
    while "/" in above:
        above = above.rpartition("/")[0]
        if whole := next((p for p in unit.parts if p.path == above), None):
            yield from _lead(unit, whole.start, whole.path + "/")
    if "항" not in above and not above.startswith("("):
        yield from _lead(unit, 0, "")


def _lead(unit: Unit, start: int, prefix: str) -> Iterator[Span]:
    """Yield the sentence before the first part under `prefix` that speaks of items, if any."""
    end = next(
        (p.start for p in unit.parts if p.path.startswith(prefix) and p.start > start), start
    )
    at = start
    for stop in [*(m.end() for m in _SENTENCE.finditer(unit.text, start, end)), end]:
        if _ITEMS.search(unit.text, at, stop):
            yield at, stop
        at = stop


def _in_span(
    text: str, low: int, high: int, words: re.Pattern[str], quoted: str, citing: Citing
) -> Span | None:
    """Return the words in a span: as quoted, else those that go on most alike, else the first."""
    at = text[low:high].lower().find(quoted.lower()) if quoted else -1
    if at >= 0:
        return low + at, low + at + len(quoted)
    found = [one.span() for one in words.finditer(text, low, high)]
    if len(found) < 2:
        return found[0] if found else None
    said = quoted or citing.text[citing.end : citing.end + _SAID]
    again = words.search(said)
    goes_on = said[again.end() : again.end() + _SAID] if again else ""
    alike = [_alike(text[end : end + _SAID], goes_on) for _, end in found]
    best = max(alike)
    return found[alike.index(best)] if best > _ALIKE else found[0]


def _alike(one: str, other: str) -> int:
    """Return how many letters two texts begin with alike."""
    pairs = takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False))
    return sum(1 for _ in pairs)
