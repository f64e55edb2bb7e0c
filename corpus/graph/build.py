"""Building the citation graph of a corpus from its statutes, and the edges of one reference.

The edges that one reference makes, and those that a unit's own wording makes. Application: which of
the references in a sentence it applies to its own matter (준용). A law applies another provision as
the object of its verb (제5조를 준용한다), as its topic (제5조의 규정은 나루에 준용한다), by reading
its words otherwise (제5조 중 "갑"은 "을"로 본다), or by deeming something done under it (제5조에
따른 허가를 받은 것으로 본다). Another reference in the same sentence says only where: 제3조에 따른
나루에 관하여는. A list counts by what stands behind its last place, and what is in brackets counts
by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from corpus.citations.catalogue import Catalogue
from corpus.citations.model import Status
from corpus.gc_pause import in_bulk
from corpus.graph.delegation import Delegations, co_specifying
from corpus.graph.location import UnitLocation
from corpus.graph.model import Edge, EdgeType, Graph, Origin, Reference
from corpus.graph.resolve import READ, Reading, read_statute
from corpus.model import Statute, Tier, Unit, split_id
from corpus.progress import Progress
from corpus.stopping import check_stop

_WORDS = re.compile(r"준용|적용|로\s?[본보]|mutatis|deemed")
_TAIL = (
    r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?|각\s?목(?:\s?외의\s?부분)?"
    r"|까지|의\s?(?:각\s?)?규정))*"
)
_LIST = re.compile(
    _TAIL + r"\s*(?:,\s?및|,|ㆍ|·|및|또는|이나|나|와|과|,?\s(?:and|or))\s*"
    r"(?:법률\s제\d+호\s)?(?:the\s)?"
)
_PHRASE = (
    r"(?:(?:의|에\s?(?:따른|의한|의하는|관한|규정된)|에서\s?(?:정한|정하는|규정한))"
    r"\s?[가-힣ㆍ ]{1,30}?)?"
)
_BETWEEN = r"(?:(?![을를]\s|[은는면]\s|경우[가를에]\s|때|에서)[^.\n\"“]){0,40}?"
_OBJECT = re.compile(
    _TAIL
    + _PHRASE
    + rf"(?:(?<!\s이)[을를]\s?{_BETWEEN}(?:준용|적용(?:한다|하며|하고|하되|하여야))"
    + r"|[이가]\s?준용[된되])"
)
_TOPIC = re.compile(_TAIL + r"\s?[은는도]\s(?P<gap>[^.\n]*?)준용(?:한다|하며|하고|하되|된다)")
_HOLDS_AS = r"(?<!거짓으)로\s?(?:각각\s?)?(?:본다|보[며고](?=[,\s]))"
_READ_AS = re.compile(_TAIL + r"\s?(?:중|의)\s?[\"“][^.\n]*?" + _HOLDS_AS)
_CLAUSE = r"(?:(?!경우|때|[은면는도]\s(?!것)|[에더라]도\s|관하여|준용|,\s)[^.\n\"“])"
_DEEMED = re.compile(_TAIL + r"\s?(?:에\s?(?:따|의|해당)|의\s)" + _CLAUSE + r"{1,80}?" + _HOLDS_AS)
_ENGLISH = re.compile(
    r"\s(?:shall\s|also\s)*(?:appl(?:y|ies)|be\sapplied)\s(?:\w+\s)?mutatis\smutandis"
)
_DEEMING = re.compile(r"\bdeemed\s(?:to|as)\b[^.;:,]{0,120}\sunder\s$")
_OF_OBJECT = re.compile(r"(?<!이)[을를]\s?(?:각각\s?)?$")
_END = re.compile(r"다\.(?=\s|$)|\n|[.;](?=\s[A-Z])")
_ASIDE = re.compile(r"\([^()]*\)")
_BACK = 150  # letters before a citation in which it can be deemed
_REACH = 600  # letters after a list in which its sentence's verb may stand


def applied(text: str, references: Sequence[Reference]) -> set[int]:
    """Return the starts of those references of `text` that their sentence applies.

    `references` are all of the text's, resolved or not, in its order: lists need each of them.
    """
    if not _WORDS.search(text):
        return set()
    found = set[int]()
    for index, one in enumerate(references):
        end = _list_end(text, references, index)
        low = max(0, one.start - _BACK)
        if _is_applied(_sentence(text, end)) or _DEEMING.search(text, low, one.start):
            found.add(one.start)
    return found


def _is_applied(rest: str) -> bool:
    """Tell whether a list is applied, from the rest of its sentence."""
    if not _WORDS.search(rest):
        return False
    if any(shape.match(rest) for shape in (_OBJECT, _READ_AS, _DEEMED, _ENGLISH)):
        return True
    topic = _TOPIC.match(rest)
    return topic is not None and not _OF_OBJECT.search(topic["gap"])


def _list_end(text: str, references: Sequence[Reference], index: int) -> int:
    """Return where the list ends that the reference at `index` stands in."""
    end = references[index].end
    for later in references[index + 1 :]:
        gap = _without_asides(text[end : later.start])
        if ")" in gap:
            break
        if "(" in gap:
            continue  # stands in brackets behind a place of the list
        if not _LIST.fullmatch(gap):
            break
        end = later.end
    return end


def _sentence(text: str, start: int) -> str:
    """Return the rest of a sentence from `start`, without asides, up to a closing bracket."""
    rest = _without_asides(text[start : start + _REACH]).split(")")[0]
    end = _END.search(rest)
    return rest[: end.end()] if end else rest


def _without_asides(text: str) -> str:
    while (shorter := _ASIDE.sub("", text)) != text:
        text = shorter
    return text


_TERM = re.compile(
    r"[\"“]([^\"“”\n]{1,60})[\"”]\s?(?:\([^()\n]{0,60}\)\s?)?(?:이?란|이?라\s?함은)\s"
    r"|\(이하\s?(?:[^()\"“”\n]{0,20}\s)?[\"“]([^\"“”\n]{1,40})[\"”]\s?(?:이?라고?|으?로)\s?"
    r"(?:한다|함|칭한다|약칭한다)"
    r"|[\"“]([A-Za-z][^\"“”\n]{1,60})[\"”]\s(?:means|refers to)\b"
)
_FORM = re.compile(r"별지(?:\d+(?:의\d+)?)?서식|form(?:-\d+)*")
# What a decree quotes of its act: "대통령령으로 정하는 자"란 …
_TAKEN_UP = re.compile(r"(?:령|규칙)(?:으로|이)\s?정하")
_INSTRUMENTS = {"법", "영", "규칙", "령", "Act", "Decree", "Rule"}


def part_of(statute: Statute) -> list[Edge]:
    """Return the edges from a statute's units to the statute."""
    whole = statute.semantic_id
    return [
        Edge(unit.semantic_id, whole, EdgeType.PART_OF, Origin.STRUCTURE) for unit in statute.units
    ]


def of_references(unit: Unit, references: Sequence[Reference]) -> Iterator[Edge]:
    """Yield the edges of a unit's references: REFERENCES, and what their words make of them.

    A reference that its sentence applies (준용) also APPLIES; one to a form also REQUIRES_FORM.
    `references` are all of the unit's, in the order of its text. A reference that is a link of the
    source keeps that as its origin.
    """
    standing = UnitLocation(unit, ())
    applying = applied(unit.text, references)
    for one in references:
        if one.status is not Status.RESOLVED:
            continue
        origin = Origin.HYPERLINK if _linked(unit, one) else Origin.TEXT
        part = standing.part_at(one.start)
        for target in one.targets:
            for kind in _types(target.unit_id, applies=one.start in applying):
                yield Edge(
                    unit.semantic_id,
                    target.unit_id,
                    kind,
                    origin,
                    one.start,
                    one.end,
                    target.pinpoint,
                    part,
                )


def of_links(statutes: Sequence[Statute]) -> Iterator[Edge]:
    """Yield a REFERENCES edge for each link whose destination is a unit of the corpus.

    Documents name what they relate to so; the link then stands for the whole unit and spans
    nothing. What a text cites under a link is an edge of :func:`of_references`.
    """
    linked = [unit for one in statutes for unit in one.units if unit.links]
    known = {unit.semantic_id for one in statutes for unit in one.units} if linked else set()
    for unit in linked:
        standing, own = UnitLocation(unit, ()), unit.semantic_id
        for link in unit.links:
            if link.href in known and link.href != own:
                part = standing.part_at(link.start) if link.start < link.end else ""
                span = (link.start, link.end)
                yield Edge(own, link.href, EdgeType.REFERENCES, Origin.HYPERLINK, *span, part=part)


def of_definitions(unit: Unit) -> Iterator[Edge]:
    """Yield a DEFINES edge of a unit on itself for each term that it defines.

    The span is the term. Short names of instruments (이하 "법"이라 한다) are no terms,
    nor is what a decree quotes of its act.
    """
    if '"' not in unit.text and "“" not in unit.text:
        return
    standing, own = UnitLocation(unit, ()), unit.semantic_id
    for found in _TERM.finditer(unit.text):
        group = found.lastindex or 1
        term, (start, end) = found[group], found.span(group)
        if term in _INSTRUMENTS or _TAKEN_UP.search(term):
            continue
        part = standing.part_at(start)
        yield Edge(own, own, EdgeType.DEFINES, Origin.TEXT, start, end, part, part, term)


def _types(target: str, *, applies: bool) -> list[EdgeType]:
    found = [EdgeType.REFERENCES]
    if _FORM.fullmatch(split_id(target)[1]):
        found.append(EdgeType.REQUIRES_FORM)
    if applies:
        found.append(EdgeType.APPLIES)
    return found


def _linked(unit: Unit, one: Reference) -> bool:
    return any(link.start < one.end and one.start < link.end for link in unit.links)


@dataclass(slots=True)
class GraphBuild:
    """The edges and the references of a corpus, by statute id, in document order."""

    edges: list[Edge] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def build_graph(statutes: Sequence[Statute], progress: Progress | None = None) -> GraphBuild:
    """Return every edge and every reference of the statutes.

    The order of `statutes` makes no difference. Both ends of an edge are units of the corpus,
    but for PART_OF, whose target is a statute. `progress` gets (statutes read, statutes in all).
    """
    ordered = sorted(statutes, key=lambda one: one.semantic_id)
    catalogue = Catalogue.from_statutes(ordered)
    readings: dict[str, Reading] = {}
    with in_bulk():
        for done, statute in enumerate(ordered, 1):
            check_stop()
            readings[statute.semantic_id] = read_statute(statute, catalogue)
            if progress:
                progress(done, len(ordered))
        return _joined(ordered, readings)


def nodes_of(statutes: Sequence[Statute]) -> dict[str, Tier]:
    """Return the nodes of the statutes' graph with their authority tiers."""
    nodes: dict[str, Tier] = {}
    for statute in sorted(statutes, key=lambda one: one.semantic_id):
        nodes[statute.semantic_id] = statute.tier
        nodes.update(dict.fromkeys((u.semantic_id for u in statute.units), statute.tier))
    return nodes


def graph_of(statutes: Sequence[Statute], built: GraphBuild) -> Graph:
    """Return the graph that was built from the statutes, indexed for walking."""
    return Graph(nodes_of(statutes), built.edges)


def _joined(statutes: Sequence[Statute], readings: Mapping[str, Reading]) -> GraphBuild:
    built = GraphBuild()
    tiers = {one.semantic_id: one.tier for one in statutes}
    families = {key: reading.family for key, reading in readings.items()}
    units = {u.semantic_id: u for one in statutes for u in one.units if u.level in READ and u.text}
    delegations = Delegations(units, tiers)
    pairs: list[Edge] = []
    for statute in statutes:
        references = readings[statute.semantic_id].references
        built.references += references
        built.edges += part_of(statute)
        by_unit = _by_unit(references)
        for unit in statute.units:
            if unit.level in READ:
                built.edges += _of_unit(unit, by_unit.get(unit.semantic_id, []))
                cited = by_unit.get(unit.semantic_id, [])
                pairs += delegations.pairs(unit, cited, families)
    unit_tiers = {key: tiers[unit.statute_id] for key, unit in units.items()}
    built.edges += [*pairs, *co_specifying(pairs, unit_tiers), *of_links(statutes)]
    return built


def _of_unit(unit: Unit, references: Sequence[Reference]) -> list[Edge]:
    return [*of_references(unit, references), *of_definitions(unit)]


def _by_unit(references: Sequence[Reference]) -> dict[str, list[Reference]]:
    grouped = groupby(references, key=lambda one: one.unit_id)
    return {unit: list(group) for unit, group in grouped}
