"""Delegation: what an act leaves to its decree or rule, and where that takes it up.

An article that says 대통령령으로 정하는 and one of a decree that says 법 제N조에 따라 are a pair:
DELEGATES_TO down, SPECIFIES up. :mod:`corpus.graph.delegating` finds the words in the higher one.
Two provisions of different rank that take up one paragraph are PARALLEL.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from corpus.citations.model import Status, Target
from corpus.graph.delegating import Citing, delegating
from corpus.graph.location import UnitLocation
from corpus.graph.model import Edge, EdgeType, Form, Origin, Reference
from corpus.model import Tier, Unit

_TAIL = r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?))*(?:\s?의\s?규정)?"
_QUOTES = re.compile(_TAIL + r"\s?에서")
_TAKES_UP = re.compile(_TAIL + r"\s?에\s?(?:따라|의하여|의거)")
_MENTIONS = re.compile(
    _TAIL + r"\s?에\s?(?:따라|의하여|의거)\s(?!다음)[가-힣ㆍ ]{1,9}?(?:된|받은|받아)\s"
)
# "법 제5조에 따른 신고" takes the matter up where a paragraph begins with it, and only there.
_IS_ABOUT = re.compile(_TAIL + r"\s?에\s?(?:따른|의한|규정된|따르면)")
_SAYS_AGAIN = re.compile(r"(?:령|규칙)(?:으로|이)\s?정")
_LEAD = 6  # letters that may stand before it: the paragraph's number
_ENGLISH_TAKES_UP = re.compile(
    r"(?:[\"”]\s+in|\b(?:[Pp]ursuant to|[Ii]n accordance with|[Dd]elegated by"
    r"|[Pp]rescribed (?:by|in)|[Uu]nder))"
    r"\s+(?:the\s+(?:proviso|main sentence|former part|latter part)\s+(?:to|of)\s+)?$"
)
_CLAUSE_END = re.compile(r"[.:;]\s|\bArticle\b")
_SUBJECT = 200  # letters of a paragraph's first clause, whose subject an English article may name
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
        if self._tiers[higher.statute_id] >= tier or not _takes_up(lower, one):
            return
        span = delegating(higher, target.pinpoint, tier, Citing(lower.text, one.start, one.end))
        if span is None:
            return
        part, above = (
            UnitLocation(lower, ()).part_at(one.start),
            UnitLocation(higher, ()).part_at(span[0]),
        )
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
    """Tell whether a reference takes a matter up, rather than to mention what is done under it."""
    text = lower.text
    if english := _ENGLISH_TAKES_UP.search(text, max(0, one.start - 80), one.start):
        return not english[0].startswith("under") or _in_subject(lower, one)
    if _QUOTES.match(text, one.end):
        return True
    if _TAKES_UP.match(text, one.end) and not _MENTIONS.match(text, one.end):
        return not _in_aside(text, one.start) and (
            not _is_item(_part(lower, one))
            or _SAYS_AGAIN.search(text, one.end, one.end + 80) is not None
        )
    if _IS_ABOUT.match(text, one.end) or _MENTIONS.match(text, one.end):
        part = _part(lower, one)
        return not _is_item(part) and one.start - _start(lower, part) <= _LEAD
    return False


def _in_aside(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line.count("(") > line.count(")")


def _is_item(part: str) -> bool:
    return "/" in part or part.endswith("호") or (part[:1].isdigit() and "항" not in part)


def _in_subject(lower: Unit, one: Reference) -> bool:
    """Tell whether a reference stands in the first clause of a paragraph, not of an item."""
    part = _part(lower, one)
    start = _start(lower, part)
    clause = lower.text[start : one.start]
    return not _is_item(part) and len(clause) <= _SUBJECT and not _CLAUSE_END.search(clause)


def _part(lower: Unit, one: Reference) -> str:
    return UnitLocation(lower, ()).part_at(one.start)


def _start(lower: Unit, path: str) -> int:
    return next((part.start for part in lower.parts if part.path == path), 0)
