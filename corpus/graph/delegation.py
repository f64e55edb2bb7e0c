"""Delegation: what an act leaves to its decree or rule, and where that takes it up.

An article that says 대통령령으로 정하는 and one of a decree that says 법 제N조에 따라 are a pair:
DELEGATES_TO down, SPECIFIES up. The words must stand in the paragraph that the lower article
names, if it names one. Two provisions of different rank that take up one paragraph are PARALLEL.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from corpus.citations.model import Status, Target
from corpus.graph.model import Edge, EdgeType, Form, Origin, Reference
from corpus.graph.standing import Standing
from corpus.model import Tier, Unit

_LEFT_TO = {
    Tier.DECREE: re.compile(r"대통령령(?:으로|이|에서)?\s?(?:정|규정)|by Presidential Decree"),
    Tier.RULE: re.compile(
        r"(?:[가-힣]{1,12}부령|총리령|(?:대법원|국회|헌법재판소|중앙선거관리위원회)규칙)"
        r"(?:으로|이|에서)?\s?(?:정|규정)|by (?:the )?(?:Ordinance|Decree) of the"
    ),
}
_TAIL = r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?))*(?:\s?의\s?규정)?"
_TAKES_UP = re.compile(_TAIL + r"\s?(?:에서|에\s?(?:따라|의하여|의거))")
# "법 제5조에 따른 신고" takes the matter up where a paragraph begins with it, and only there.
_IS_ABOUT = re.compile(_TAIL + r"\s?에\s?(?:따른|의한|규정된|따르면)")
_LEAD = 6  # letters that may stand before it: the paragraph's number
_QUOTE = re.compile(r"에서\s?(?:말하는\s?)?[\"“]([^\"“”\n]{4,120})[\"”]")
_UPWARD = (Form.LEVEL, Form.SHORT, Form.TITLE, Form.SAME, Form.CONTINUED)


class Delegations:
    """Pairs lower provisions with the higher ones that leave a matter to them.

    `units` are the articles of the corpus by id, `tiers` the statutes' tiers by id.
    """

    def __init__(self, units: Mapping[str, Unit], tiers: Mapping[str, Tier]) -> None:
        self._units = units
        self._tiers = tiers

    def pairs(
        self, lower: Unit, references: Iterable[Reference], families: Mapping[str, str]
    ) -> Iterator[Edge]:
        """Yield both edges of every pair that the references of `lower` make.

        `families` gives a statute's family by its id; only relatives delegate to each other.
        """
        family = families[lower.statute_id]
        for one in references:
            if one.status is not Status.RESOLVED or one.form not in _UPWARD:
                continue
            for target in one.targets:
                higher = self._units.get(target.unit_id)
                if higher is None or families[higher.statute_id] != family:
                    continue
                yield from self._pair(lower, one, target, higher)

    def _pair(self, lower: Unit, one: Reference, target: Target, higher: Unit) -> Iterator[Edge]:
        tier = self._tiers[lower.statute_id]
        words = _LEFT_TO.get(tier)
        if words is None or self._tiers[higher.statute_id] >= tier:
            return
        if not _takes_up(lower, one):
            return
        span = _delegating(higher, target.pinpoint, words, _quoted(lower, one))
        if span is None:
            return
        part, above = Standing(lower, ()).part_at(one.start), Standing(higher, ()).part_at(span[0])
        ids = higher.semantic_id, lower.semantic_id
        yield Edge(*ids, EdgeType.DELEGATES_TO, Origin.TEXT, *span, part, above)
        up = ids[1], ids[0]
        kind = EdgeType.SPECIFIES
        yield Edge(*up, kind, Origin.TEXT, one.start, one.end, target.pinpoint or above, part)


def parallels(pairs: Iterable[Edge], tiers: Mapping[str, Tier]) -> Iterator[Edge]:
    """Yield PARALLEL edges, decree → rule, among what takes up one paragraph of one act.

    `tiers` gives the tier of each unit by its id. The span is where the decree cites the act.
    """
    takers: dict[tuple[str, str], dict[str, Edge]] = defaultdict(dict)
    for edge in pairs:
        if edge.type is EdgeType.SPECIFIES and tiers[edge.target] is Tier.ACT:
            takers[edge.target, edge.pinpoint.split("/")[0]].setdefault(edge.source, edge)
    seen = set[tuple[str, str]]()
    for group in takers.values():
        decrees = [e for unit, e in group.items() if tiers[unit] is Tier.DECREE]
        rules = [e for unit, e in group.items() if tiers[unit] is Tier.RULE]
        for one in decrees:
            for other in rules:
                if (one.source, other.source) not in seen:
                    seen.add((one.source, other.source))
                    yield _parallel(one, other)


def _parallel(one: Edge, other: Edge) -> Edge:
    kind = EdgeType.PARALLEL
    span = one.start, one.end
    return Edge(one.source, other.source, kind, Origin.TEXT, *span, other.part, one.part)


def _takes_up(lower: Unit, one: Reference) -> bool:
    if _TAKES_UP.match(lower.text, one.end):
        return True
    if not _IS_ABOUT.match(lower.text, one.end):
        return False
    part = Standing(lower, ()).part_at(one.start)
    starts = [p.start for p in lower.parts if p.path == part] or [0]
    return "/" not in part and not part.endswith("호") and one.start - starts[0] <= _LEAD


def _quoted(lower: Unit, one: Reference) -> str:
    """Return the act's words that the lower article quotes: …에서 "대통령령으로 정하는 자"란."""
    found = _QUOTE.search(lower.text, one.end, one.end + 160)
    return found[1] if found else ""


def _delegating(
    higher: Unit, pinpoint: str, words: re.Pattern[str], quoted: str
) -> tuple[int, int] | None:
    """Return the span of the words that leave a matter, in the paragraph named if one is."""
    start, end = _span(higher, pinpoint)
    at = higher.text.find(quoted, start, end) if quoted and words.search(quoted) else -1
    if at >= 0:
        return at, at + len(quoted)
    found = words.search(higher.text, start, end)
    return found.span() if found else None


def _span(unit: Unit, pinpoint: str) -> tuple[int, int]:
    top = pinpoint.split("/")[0]
    part = next((p for p in unit.parts if p.path == top), None) if "항" in top else None
    return (part.start, part.end) if part else (0, len(unit.text))
