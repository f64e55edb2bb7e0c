"""Delegation: matters that an act leaves to its decree, rule, notice or manual, and their uptake.

An article with 대통령령으로 정하는 and one of a decree with 법 제N조에 따라 are a pair:
DELEGATES_TO down, SPECIFIES up. :func:`delegating` finds the words in the higher one. A decree and
a rule that take up one paragraph: CO_SPECIFIES.

Delegating phrases are 대통령령으로 정하는, prescribed by Presidential Decree; for a notice 정하여
고시하는, 훈령으로 정하는, 소방청장이 정하는, prescribed by public notice. They are searched for in
the exact part that the lower provision names (제2조제1항제2호), or its proviso if that is named. If
the part has none, they can be above it: in the sentence that introduces its items. Of several,
those count whose continuation matches the lower provision.

A notice or manual has a title of its own: it belongs to the families of the provisions that its
first article rests on. That article is paired with the lowest of them that delegates the matter,
not with the act, the decree and the rule above one another.

Phrases by which a provision delegates a matter to a lower instrument, by its tier.

Earlier patterns are more specific. A matter is delegated to a notice by 정하여 고시한다, 고시로
정한다, 훈령으로 정하는, determine and publicly notify; less clearly by 고시하여야 한다; and to a
notice or a manual by 소방청장이 정하는, prescribed by the Minister.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from corpus.citations.model import Status, Target
from corpus.graph.application import list_end
from corpus.graph.model import Edge, EdgeType, Form, Origin, Reference
from corpus.graph.namer import part_at
from corpus.model import Part, Statute, Tier, Unit

_AGENCY = (
    r"[가-힣]{0,12}(?:장관|청장|처장|원장|위원장|위원회|본부장|총장|이사장|기관의\s?장)(?:이|가|은)\s?"
    r"(?:[가-힣ㆍ,·\s]{0,30}?(?:협의하여|거쳐|받아|따라|각각)\s)?"
)
_DECIDES = r"(?:따로\s?|별도로\s?)?정(?:하는|한다|할|하며|하고|하되|한(?=\s))"
_SORT = r"(?:고시|훈령|예규|지침|공고|요령|세칙)"
_GUIDE = r"(?:지침|매뉴얼|편람|안내서|해설서|요령)"
_PRESCRIBED = (
    r"\b(?:prescrib|determin|specif|provid|designat|establish|stipulat|fix|set|la(?:id|y)|publish"
    r"|issu)\w*\b[^.;]{0,60}?\b(?:by|in|through)\s(?:(?:an?|the|its|public|official|separate"
    r"|administrative|ministerial|detailed|operational|relevant)\s)*"
)
_HEAD = (
    r"(?:(?:Prime )?Minister|Administrator|Commissioner|Secretary|Director|Chair\w*|Commission"
    r"|Agency|Authority|President of the)"
)
_BY_AGENCY = (
    re.compile(
        _AGENCY
        + _DECIDES
        + r"|\b(?:prescribed|determined|specified|set|designated)(?: separately)?"
        rf" by the (?:[A-Z]\w+ ){{0,3}}?{_HEAD}\b"
        rf"|\b{_HEAD}\b[^.;]{{0,60}}? (?:shall|may)(?: separately)? "
        r"(?:prescribe|determine|specify)\b"
    ),
)
LEFT_TO = {
    Tier.DECREE: (
        re.compile(
            r"대통령령(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?Presidential Decree"
        ),
    ),
    Tier.RULE: (
        re.compile(
            r"(?:[가-힣]{1,12}부령|총리령|(?:대법원|국회|헌법재판소|중앙선거관리위원회)규칙)"
            r"(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?(?:Ordinance|Decree) of the"
            r"|by (?:the )?Ministerial (?:Rule|Ordinance|Decree)"
        ),
    ),
    Tier.NOTICE: (
        re.compile(
            r"(?<![가-힣])제?정(?:하여|하고|해)\s?(?:이를\s|그\s내용을\s)?(?:[가-힣\s]{1,14}에\s)?(?:고시|공고)"
            rf"|{_SORT}(?:으로|로)\s?(?:따로\s)?(?:정[하한할]|규정[하한할])"
            r"|\b(?:determin|prescrib|specif|establish|set|fix)\w*,? and (?:shall )?"
            r"(?:(?:publicly |officially )(?:notif|announc)|(?:publish|notif|announc)\w* publicly)"
            + rf"|{_PRESCRIBED}"
            r"(?:notices?|notifications?|directives?|circulars?|established rules?|guidelines?)\b"
            r"(?! to\b)",
        ),
        re.compile(
            # Not the publication of something done: 지정한 사실을 고시하여야 한다.
            r"(?<![를을]\s)(?<!없이\s)고시(?:하는|한다|하여야|해야|할\s수)"
            r"|(?:기준|방법|절차|사항|요건|범위|세부[가-힣]{0,4})을\s고시(?:하는|한다|하여야|해야|할\s수)"
            r"|\b(?:shall|may) (?:publicly notify|give public notice|announce publicly)\b"
            r"|\bpublicly (?:notified|announced) by\b"
        ),
        *_BY_AGENCY,
    ),
    Tier.MANUAL: (
        re.compile(
            rf"{_GUIDE}(?:으로|로)\s?(?:따로\s)?(?:정[하한할]|규정[하한할])"
            rf"|{_GUIDE}(?:을|를)\s(?:따로\s)?(?:정|마련|작성|제정|수립)"
            rf"|{_PRESCRIBED}(?:guidelines?|guides?|manuals?|handbooks?)\b"
            r"|\b(?:shall|may) (?:prepare|issue|establish|publish)[^.;]{0,40}? "
            r"(?:guidelines?|guides?|manuals?|handbooks?)\b"
        ),
        *_BY_AGENCY,
    ),
}


Span = tuple[int, int]
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
_SAID = 80  # letters after a citation in which the lower provision may repeat the words
_ALIKE = 4  # the fewest equal letters that count: 하는 자


@dataclass(frozen=True, slots=True)
class Citing:
    """A citation of a higher provision: the lower provision's text, and its span there."""

    text: str
    start: int
    end: int

    def quoted(self) -> str:
        """Return the words quoted of the higher provision (…에서 "자"란), "" for none."""
        found = _QUOTED.search(self.text, self.end, self.end + 160)
        found = found or _ENGLISH_QUOTED.search(self.text, max(0, self.start - 240), self.start)
        return found[1] if found else ""

    def begins(self) -> re.Pattern[str] | None:
        """Return the pattern at which the half named begins (단서, the proviso); else None."""
        if _PROVISO.search(self.text, max(0, self.start - 30), self.start):
            return _ENGLISH_FROM
        half = _HALF.match(self.text, self.end)
        return _FROM[half[1]] if half else None

    def main(self) -> bool:
        """Return whether the part before the proviso is named: 본문."""
        return _MAIN.match(self.text, self.end) is not None


def delegating(higher: Unit, pinpoint: str, tier: Tier, citing: Citing) -> Span | None:
    """Return the span of the words that delegate a matter to `tier` in the part named, if any.

    `pinpoint` is the path of the part, "" for the whole. `citing` is the citation.
    """
    part = _part_at(higher, pinpoint)
    whole = (part.start, part.end) if part else (0, len(higher.text))
    spans = [_half(higher.text, *whole, citing), *(_leads(higher, part) if part else ())]
    quoted = citing.quoted()
    for low, high in spans:
        for words in LEFT_TO.get(tier, ()):
            again = quoted if words.search(quoted) else ""
            if found := _in_span(higher.text, low, high, words, again, citing):
                return found
    return None


def _half(text: str, start: int, end: int, citing: Citing) -> Span:
    """Reduce a part to its proviso or to the text before it, if that is named."""
    shape = citing.begins()
    half = shape.search(text, start, end) if shape else None
    proviso = _FROM["단서"].search(text, start, end) if citing.main() else None
    return half.start() if half else start, proviso.start() if proviso else end


def _part_at(unit: Unit, pinpoint: str) -> Part | None:
    """Return the part of a path; if a paragraph is left out, the only one with that ending.

    A part that the unit lacks (단서 as 항) is searched for one level up.
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
    """Yield the sentences that introduce the items around a part, innermost first."""
    above = part.path
    while "/" in above:
        above = above.rpartition("/")[0]
        if whole := next((p for p in unit.parts if p.path == above), None):
            yield from _sentences_naming_items(unit, whole.start, whole.path + "/")
    if "항" not in above and not above.startswith("("):
        yield from _sentences_naming_items(unit, 0, "")


def _sentences_naming_items(unit: Unit, start: int, prefix: str) -> Iterator[Span]:
    """Yield the sentences before the first part under `prefix` that mention items."""
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
    """Return the words' span: as quoted, else of the likeliest match, else the first; or None."""
    at = text[low:high].lower().find(quoted.lower()) if quoted else -1
    if at >= 0:
        return low + at, low + at + len(quoted)
    found = [one.span() for one in words.finditer(text, low, high)]
    if len(found) < 2:
        return found[0] if found else None
    said = quoted or citing.text[citing.end : citing.end + _SAID]
    again = words.search(said)
    goes_on = said[again.end() : again.end() + _SAID] if again else ""
    alike = [_common_prefix(text[end : end + _SAID], goes_on) for _, end in found]
    best = max(alike)
    return found[alike.index(best)] if best > _ALIKE else found[0]


def _common_prefix(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False))
    return sum(1 for _ in pairs)


_TAIL = r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?))*(?:\s?의\s?규정)?"
_QUOTES = re.compile(_TAIL + r"\s?에서")
_TAKES_UP = re.compile(_TAIL + r"\s?에\s?(?:따라|의하여|의거)")
_MENTIONS = re.compile(
    _TAIL + r"\s?에\s?(?:따라|의하여|의거)\s(?!다음)[가-힣ㆍ ]{1,9}?(?:된|받은|받아)\s"
)
# "법 제5조에 따른 신고" takes the matter up only at the beginning of a paragraph.
_IS_ABOUT = re.compile(_TAIL + r"\s?에\s?(?:따른|의한|규정된|따르면)")
_SAYS_AGAIN = re.compile(r"(?:령|규칙)(?:으로|이)\s?정")
_DECIDES_AGAIN = re.compile(r"(?:고시|훈령|예규)로\s?정|정하여\s?고시|[장회][이가]\s정하")
_SECTION = re.compile(r"\d+(?:\.\d+)+")  # 2.1.1 of a standard counts as a paragraph
_PURPOSE = re.compile(
    r"목적|위임|필요한\s사항|이\s(?:고시|훈령|예규|지침|기준|규정|요령|세칙|매뉴얼|편람)[은는]|정한다"
    r"|purpose|prescribe|delegated"
    r"|\bthis (?:notice|standard|directive|regulation|guideline|guide|manual|instruction)",
    re.IGNORECASE,
)
_LEAD = 6  # letters allowed before it: the paragraph's number
_ENGLISH_TAKES_UP = re.compile(
    r"(?:[\"”]\s+in|\b(?:[Pp]ursuant to|[Ii]n accordance with|[Dd]elegated by"
    r"|[Pp]rescribed (?:by|in)|[Uu]nder))"
    r"\s+(?:the\s+(?:proviso|main sentence|former part|latter part)\s+(?:to|of)\s+)?$"
)
_CLAUSE_END = re.compile(r"[.:;]\s|\bArticle\b")
_SUBJECT = 200  # length of a paragraph's first clause, whose subject an English article may name
_UPWARD = (Form.LEVEL, Form.SHORT, Form.TITLE, Form.SAME, Form.CONTINUED)


class Delegations:
    """Pairs lower provisions with the higher ones that delegate a matter to them.

    `units` are the articles of the corpus by id, `tiers` the statutes' tiers by id.
    """

    def __init__(self, units: Mapping[str, Unit], tiers: Mapping[str, Tier]) -> None:
        self._units = units
        self._tiers = tiers

    def pairs(
        self,
        statute: Statute,
        references: Mapping[str, Sequence[Reference]],
        families: Mapping[str, str],
    ) -> Iterator[Edge]:
        """Yield DELEGATES_TO and SPECIFIES edges of the delegations that a statute takes up.

        `references` are those of each unit in text order, `families` gives a statute's family by
        its id; only relatives delegate to each other.
        """
        own = {families[statute.semantic_id]}
        first = self._basis_article(statute, references) if statute.tier >= Tier.NOTICE else ""
        for unit_id, cited in references.items():
            lower = self._units[unit_id]
            pairs = list(self._pairs_of_unit(lower, cited, statute.tier))
            if unit_id == first:
                own |= {families[higher.statute_id] for *_, higher in self._taken_up(lower, cited)}
                pairs = self._nearest(pairs, families)
            for down, up in pairs:
                if families[self._units[down.source].statute_id] in own:
                    yield from (down, up)

    def _basis_article(
        self, statute: Statute, references: Mapping[str, Sequence[Reference]]
    ) -> str:
        """Return the id of a notice's first unit if it names the legal basis, else ""."""
        first = next((unit for unit in statute.units if unit.semantic_id in self._units), None)
        if first is None or not _PURPOSE.search(first.heading + first.text):
            return ""
        return first.semantic_id if first.semantic_id in references else ""

    def _taken_up(
        self, lower: Unit, references: Sequence[Reference]
    ) -> Iterator[tuple[Reference, Target, Unit]]:
        """Yield the references by which a provision takes a matter up, with the provision meant."""
        for index, one in enumerate(references):
            if one.status is not Status.RESOLVED or one.form not in _UPWARD:
                continue
            higher = [(t, self._units[t.unit_id]) for t in one.targets if t.unit_id in self._units]
            tier = self._tiers[lower.statute_id]
            higher = [(t, unit) for t, unit in higher if self._tiers[unit.statute_id] < tier]
            spans, again = [(one.start, one.end)], _SAYS_AGAIN
            if tier >= Tier.NOTICE:  # 법 제7조 및 영 제9조에 따라
                spans.append(_list_span(lower.text, references, index))
                again = _DECIDES_AGAIN
            if higher and any(_takes_up(lower, *span, again) for span in spans):
                yield from ((one, target, unit) for target, unit in higher)

    def _pairs_of_unit(
        self, lower: Unit, references: Sequence[Reference], tier: Tier
    ) -> Iterator[tuple[Edge, Edge]]:
        """Yield (DELEGATES_TO, SPECIFIES) of each delegation that a provision takes up."""
        for one, target, higher in self._taken_up(lower, references):
            span = delegating(higher, target.pinpoint, tier, Citing(lower.text, one.start, one.end))
            if span is None:
                continue
            part = part_at(lower, one.start)
            above = part_at(higher, span[0])
            down, up = higher.semantic_id, lower.semantic_id
            yield (
                Edge(down, up, EdgeType.DELEGATES_TO, Origin.TEXT, *span, part, above),
                Edge(
                    *(up, down, EdgeType.SPECIFIES, Origin.TEXT, one.start, one.end),
                    *(target.pinpoint or above, part),
                ),
            )

    def _nearest(
        self, pairs: Sequence[tuple[Edge, Edge]], families: Mapping[str, str]
    ) -> list[tuple[Edge, Edge]]:
        """Return the pairs with the lowest instrument of each family, one per provision."""
        above = {down.source: self._units[down.source].statute_id for down, _ in pairs}
        lowest: dict[str, Tier] = {}
        for statute in above.values():
            family, tier = families[statute], self._tiers[statute]
            lowest[family] = max(tier, lowest.get(family, tier))
        kept = dict[str, tuple[Edge, Edge]]()
        for pair in pairs:
            statute = above[pair[0].source]
            if self._tiers[statute] is lowest[families[statute]]:
                kept.setdefault(pair[0].source, pair)
        return list(kept.values())


def co_specifying(pairs: Iterable[Edge], tiers: Mapping[str, Tier]) -> Iterator[Edge]:
    """Yield CO_SPECIFIES edges, decree → rule, between provisions on one paragraph of one act.

    `tiers` gives the tier of each unit by its id. The span is the decree's citation of the act.
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
                    yield _co_specifies(one, other)


def _co_specifies(one: Edge, other: Edge) -> Edge:
    """Return the edge between two provisions that specify the same one."""
    kind = EdgeType.CO_SPECIFIES
    span = one.start, one.end
    return Edge(one.source, other.source, kind, Origin.TEXT, *span, other.part, one.part)


def _list_span(text: str, references: Sequence[Reference], index: int) -> Span:
    """Return the start and end of the list that contains the reference at `index`."""
    end = list_end(text, references, index)
    first = next(n for n in range(index + 1) if list_end(text, references, n) >= end)
    return references[first].start, end


def _takes_up(lower: Unit, start: int, end: int, again: re.Pattern[str]) -> bool:
    """Return True if a reference takes up a delegated matter, False if it mentions acts under it.

    An item only takes up matters whose words it says `again`.
    """
    text = lower.text
    if english := _ENGLISH_TAKES_UP.search(text, max(0, start - 80), start):
        return not english[0].startswith("under") or _in_subject(lower, start)
    if _QUOTES.match(text, end):
        return True
    part = part_at(lower, start)
    if _TAKES_UP.match(text, end) and not _MENTIONS.match(text, end):
        return not _in_aside(text, start) and (
            not _is_item(part) or again.search(text, end, end + 80) is not None
        )
    if _IS_ABOUT.match(text, end) or _MENTIONS.match(text, end):
        return not _is_item(part) and start - _part_start(lower, part) <= _LEAD
    return False


def _in_aside(text: str, at: int) -> bool:
    """Return True inside parentheses."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line.count("(") > line.count(")")


def _is_item(part: str) -> bool:
    """Return True for an item below a paragraph."""
    if _SECTION.fullmatch(part):
        return False
    return "/" in part or part.endswith("호") or (part[:1].isdigit() and "항" not in part)


def _in_subject(lower: Unit, start: int) -> bool:
    """Return whether a reference is in the first clause of a paragraph, not of an item."""
    part = part_at(lower, start)
    clause = lower.text[_part_start(lower, part) : start]
    return not _is_item(part) and len(clause) <= _SUBJECT and not _CLAUSE_END.search(clause)


def _part_start(lower: Unit, path: str) -> int:
    """Return the offset of a part, 0 for an unknown one."""
    return next((part.start for part in lower.parts if part.path == path), 0)
