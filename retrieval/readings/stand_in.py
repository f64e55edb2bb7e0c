"""The rule-based reader that replaces a language model: deterministic, no model.

It extracts what the law marks itself:

entities   the unit by its name, its heading, terms that it defines, terms that it uses as its
           statutes define them, and the provisions that it cites (`corpus.graph`)
relations  between the heading and each of the others; citations by their kind
triples    the same as subject, predicate and object, with a predicate in the language of the text
atoms      the heading, and each paragraph and list item under it: topics rather than questions

A reading depends on its unit and on the citation graph of its corpus alone, never on
other units read with it. A unit is named by its semantic id, so that citations of it and its own
text give the same name. For units unknown to the graph, as in law whose citations are not resolved,
definitions and citations are found by the wording (Korean, German, English).

Extraction from the wording of a unit, in Korean, German and English.

Definitions and citations by their wording, sentences, list items, and the predicates
that the rule-based reader puts between two names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from corpus.graph.definitions import terms_of
from corpus.graph.model import Direction, Edge, EdgeType, Graph
from corpus.long_work import Progress
from corpus.model import split_id
from normalization import composed
from normalization.grouping import grouped
from retrieval.core.method import with_progress
from retrieval.core.model import Document
from retrieval.readings.model import Entity, Kind, Reading, ReadingCost, Relation, State, Triple

LONGEST = 300  # characters of a sentence or an item
_END = re.compile(r"(?<=다)\.(?=\s|$)|\n|(?<=[^\W\d]{3}[.;])\s(?=[A-ZÄÖÜ(])")
_MARK = re.compile(
    r"\s{0,40}(?:[①-⑳㉑-㉟]|\(?[0-9]{1,3}(?:의[0-9]+|[a-z])?[.)]|\([A-Za-z]{1,4}\)|[가-하][.)]|[a-z]{1,2}\))\s{0,9}(?=\S)"
)
_WRAP = re.compile(r"(?<=[^\s.;:—!?])([ \t]*)\n(?![ \t]*\n)(?!" + _MARK.pattern + ")")
_DEFINITION = re.compile(
    r"[\"“]([^\"“”\n]{1,60})[\"”]\s?(?:\([^()\n]{0,60}\)\s?)?(?:이?란|이?라\s?함은)\s"
    r"|\(이하\s?[\"“]([^\"“”\n]{1,40})[\"”]\s?(?:이?라고?|으?로)\s?(?:한다|함|칭한다)"
    r"|[\"“]([A-Za-z][^\"“”\n]{1,60}?),?[\"”],?\s(?:means|includes|refers to|has the meaning)\b"
    r"|(?:^|\n)[ \t]*(?:\([A-Za-z0-9]{1,4}\)\s*)?([A-Z][A-Za-z,\- ]{1,60}?)\s(?:means|includes)\s"
    r"|[„“]([^„“”\n]{2,60})[“”]\s(?:ist|sind|bezeichne[tn]|bedeute[tn])\s"
    r"|(?:^|\n)[ \t]*[0-9]{1,3}[a-z]?\.\s+„([^„“”\n]{2,60})“\s"
    r"|\b([A-ZÄÖÜ][\w\-]{2,40}(?:\s[A-ZÄÖÜ][\w\-]{2,40})?)\sim\sSinne\s(?:dieses|dieser|dieser|des)\s"
    r"|(?:^|\n|\)\s)([A-ZÄÖÜ][\w\-]{2,40})\s(?:ist|sind)\s(?:jede[rsn]?|wer|alle)\s"
    r"|\w\s\(([A-ZÄÖÜ][a-zäöüß\-]{3,}(?:\s[A-ZÄÖÜ][a-zäöüß\-]{3,}){0,2})\)"
)
_CITATION = re.compile(
    r"§{1,2}\s?([0-9]+[a-z]?(?:\.[0-9]+)*(?:-[0-9]+)?)"
    r"((?:\s(?:Absatz|Abs\.|Satz|Nummer|Nr\.|Buchstabe)\s[0-9a-z]+)*)"
    r"(?:\s(?:des|der)\s([A-ZÄÖÜ]\w+(?:gesetz|gesetzbuch|ordnung|verordnung)\w*|Grundgesetz)s?|"
    r"\s([A-ZÄÖÜ][A-Za-zÄÖÜäöüß]{0,8}[A-ZÄÖÜ]))?"
    r"|\b[Ss]ection\s([0-9]+[A-Za-z]?(?:[.\-][0-9]+)*)"
    r"(?:\([A-Za-z0-9]+\))*(?:\sof\s(?:the\s)?((?:[Tt]itle\s[0-9]+(?:,\sUnited\sStates\sCode)?)"
    r"|(?:[A-Z]\w+\s){1,6}Act(?:\sof\s[0-9]{4})?))?"
)
_AMENDED = re.compile(
    r"[<\[〈](?:개정|신설|전문개정|본조신설|시행일|제목개정)[^<>\[\]〈〉]{0,300}[>\]〉]"
)
_TAKEN_UP = re.compile(r"(?:령|규칙)(?:으로|이)\s?정하")  # a decree's quotation of its act
_GERMAN = re.compile(r"\b(?:der|die|das|und|oder|ist|nicht|nach|des|eine[rs]?|zu)\b")
_ENGLISH = re.compile(r"\b(?:the|of|and|or|is|shall|not|any|to|in)\b")
_HANGUL = re.compile("[가-힣]")


_LANGUAGES = ("ko", "de", "en")
_PREDICATES = {  # of a kind of relation, in each of the languages
    "concerns": ("규정 사항", "regelt", "is about"),
    "defines": ("정의", "definiert", "defines"),
    "mentions": ("관련 용어", "verwendet", "uses"),
    "references": ("인용", "verweist auf", "refers to"),
    "delegates_to": ("위임", "überlässt Näheres", "leaves details to"),
    "specifies": ("위임에 따른 구체화", "bestimmt Näheres zu", "gives the details of"),
    "applies": ("준용", "erklärt für anwendbar", "applies"),
    "requires_form": ("서식", "verlangt das Formular", "requires the form"),
}


def predicates_of(document: Document) -> dict[str, str]:
    """Return the predicates in the language of a unit, told by its letters and function words."""
    text = f"{document.heading} {document.body[:2000]} {document.statute_title}"
    german, english = len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))
    language = "ko" if _HANGUL.search(text) else "de" if german > english else "en"
    at = _LANGUAGES.index(language)
    return {does: said[at] for does, said in _PREDICATES.items()}


def sentence_at(body: str, start: int) -> str:
    """Return the sentence or line that contains the character at `start`, without its list mark."""
    body = unwrapped(body)
    ends = _ends_of(body)
    at = bisect_right(ends, start)
    begin = ends[at - 1] if at else 0
    end = ends[at] if at < len(ends) else len(body)
    return _plain(body[begin:end])


@lru_cache(64)  # several sentences of a unit are requested
def unwrapped(body: str) -> str:
    """Join lines that were only wrapped; no character offset changes."""
    return _WRAP.sub(r"\1 ", body)


@lru_cache(64)
def _ends_of(body: str) -> tuple[int, ...]:
    """Return the offsets of sentence ends."""
    return tuple(match.end() for match in _END.finditer(body))


def _plain(line: str) -> str:
    """Return a line without list marks and notes of amendment."""
    text = composed(" ".join(_AMENDED.sub(" ", line).split()))
    at = 0
    while mark := _MARK.match(text, at):
        at = mark.end()
    return text[at : at + LONGEST].strip()


def heading_of(document: Document) -> str:
    """Return the heading of a unit as a name: without list marks and final full stop."""
    return _plain(document.heading).rstrip(". ")


def items_of(document: Document) -> Iterator[str]:
    """Yield the heading, then each distinct paragraph and list item under it.

    A unit without any list marks has its first sentence instead.
    """
    heading = heading_of(document)
    lines = [line for line in unwrapped(document.body).splitlines() if _MARK.match(line)]
    items = list(dict.fromkeys(filter(None, map(_plain, lines))))
    first = sentence_at(document.body, 0)
    above = heading or _plain(document.label)
    if heading:
        yield heading
    for item in items or ([first] if first else []):
        yield f"{above}: {item}" if above else item


def definitions_in(body: str) -> list[tuple[int, str]]:
    """Return the defined terms with their offsets."""
    found, body = [], unwrapped(body)
    for match in _DEFINITION.finditer(body):
        group = match.lastindex or 1
        term = composed(" ".join(match[group].split()))
        if not _TAKEN_UP.search(term):
            found.append((match.start(group), term))
    return found


def citations_in(body: str, own: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each cited section, and its name with that of its statute.

    A citation without a statute refers to the unit's own statute `own`.
    """
    for match in _CITATION.finditer(body):
        if match[1]:
            named, place = match[3] or match[4], f"§ {match[1]}"
        else:
            named, place = match[6], f"section {match[5]}"
        yield match.start(), " ".join(f"{named or own} {place}".split())


VERSION = 2
MOST = 60  # of each: a unit that lists very many would be near everything
_CITING = (
    EdgeType.DELEGATES_TO,
    EdgeType.SPECIFIES,
    EdgeType.APPLIES,
    EdgeType.REQUIRES_FORM,
    EdgeType.REFERENCES,
)
"""Kinds of citation, the most specific first: REFERENCES may be any of the others too."""

_ARTICLE = re.compile(r"([0-9]+)조(의[0-9]+)?")
_ANNEX = re.compile(r"(별표|별지)([0-9].*)")


@dataclass(frozen=True, slots=True)
class _Found:
    """An item named in a unit, and its relation to the unit."""

    name: str
    type: str
    does: str  # a key of `_PREDICATES`
    sentence: str
    times: int = 1


class StandIn:
    """Reads units by rule; see the module."""

    def __init__(self, graph: Callable[[], Graph] | None, version: str = "") -> None:
        """Take the citation graph, if there is one, and the version of its parser."""
        self._read_graph, self._version = graph, version

    @property
    def cost(self) -> ReadingCost:
        """Zero: no model is asked."""
        return ReadingCost()

    def identity(self, kind: Kind) -> str:
        """Return the version of the rules, with that of the citation graph."""
        graph = "" if self._read_graph is None else f"/{self._version}"
        return f"stand_in{VERSION}{graph}"

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in order."""
        return [
            self._reading(kind, document)
            for document in with_progress(documents, len(documents), progress)
        ]

    def _reading(self, kind: Kind, document: Document) -> Reading:
        """Return a reading made by rules."""
        if not (document.heading.strip() or document.body.strip()):
            return Reading(document.id, kind, State.EMPTY)
        if kind is Kind.ATOMS:
            atoms = tuple(items_of(document))[:MOST]
            return Reading(document.id, kind, _state(atoms), atoms=atoms)
        own, found = unit_name(document.id), self._named_items(document)
        if kind is Kind.PHRASES:
            names = tuple(Entity(name) for name in dict.fromkeys([own, *(f.name for f in found)]))
            return Reading(document.id, kind, State.READ, entities=names)
        if kind is Kind.TRIPLES:
            triples = tuple(_triples(own, found, predicates_of(document)))
            return Reading(document.id, kind, _state(triples), triples=triples)
        entities = Entity(own, "provision", sentence_at(document.body, 0)), *map(_entity, found)
        relations = tuple(_relations(own, found, predicates_of(document)))
        return Reading(document.id, kind, State.READ, entities, relations)

    def _named_items(self, document: Document) -> list[_Found]:
        """Return the items named in the unit, without itself, each name once, MOST at most."""
        found: dict[str, _Found] = {}
        for each in self._all_items(document):
            if each.name and each.name != unit_name(document.id):
                found.setdefault(each.name, each)
        return list(found.values())[:MOST]

    def _all_items(self, document: Document) -> Iterator[_Found]:
        """Yield everything found in a unit: subject, terms, citations, graph neighbours."""
        body = document.body
        yield _Found(heading_of(document), "subject", "concerns", sentence_at(body, 0))
        yield from self._defined_terms(document)
        yield from self._cited_provisions(document)
        for edge in self._edges(document, (EdgeType.DEFINES,), "in"):
            term = _normalised(edge.term)
            yield _Found(term, "term", "mentions", sentence_at(body, max(body.find(edge.term), 0)))

    def _defined_terms(self, document: Document) -> Iterator[_Found]:
        """Yield the terms that a unit defines."""
        terms = terms_of(document.body) if document.id in self._graph else ()
        spans = [(one.start, _normalised(one.text)) for one in terms]
        for start, term in spans or definitions_in(document.body):
            yield _Found(term, "term", "defines", sentence_at(document.body, start))

    def _cited_provisions(self, document: Document) -> Iterator[_Found]:
        """Yield the provisions that a unit cites, by the graph, or else by its words; in order."""
        kinds = grouped(
            (edge.target, (_CITING.index(edge.type), edge.start))
            for edge in self._edges(document, _CITING)
        )
        for target in sorted(kinds, key=lambda each: (min(at for _, at in kinds[each]), each)):
            kind, start = min(kinds[target])
            does, sentence = _CITING[kind].value, sentence_at(document.body, start)
            times = len({at for _, at in kinds[target]})
            yield _Found(unit_name(target), "provision", does, sentence, times)
        if not kinds:
            for start, name in citations_in(document.body, _statute_name(document.id)):
                said = sentence_at(document.body, start)
                yield _Found(name, "provision", EdgeType.REFERENCES.value, said)

    def _edges(
        self, document: Document, types: Collection[EdgeType], direction: Direction = "out"
    ) -> Sequence[Edge]:
        """Return the edges at a unit, [] if the graph lacks it."""
        graph = self._graph
        return graph.edges_of(document.id, types, direction) if document.id in graph else ()

    @cached_property
    def _graph(self) -> Graph:
        """The citation graph, empty without one."""
        return Graph({}, ()) if self._read_graph is None else self._read_graph()


@lru_cache(65_536)  # units cited often are named again and again
def unit_name(unit_id: str) -> str:
    """Return a unit's name in readings, from its semantic id: ``소방기본법 제2조의2``."""
    _, place = split_id(unit_id)
    if article := _ARTICLE.fullmatch(place):
        place = f"제{article[1]}조{article[2] or ''}"
    elif annex := _ANNEX.fullmatch(place):
        place = f"{annex[1]} {annex[2]}"
    else:
        place = place.replace("-", " ")
    return _normalised(f"{_statute_name(unit_id)} {place}")


def _statute_name(unit_id: str) -> str:
    return split_id(unit_id)[0].replace("-", " ")


def _normalised(text: str) -> str:
    """Return a text composed and on one line."""
    return composed(" ".join(text.split()))


def _state(items: Sequence[object]) -> State:
    """Return READ if anything was found, else EMPTY."""
    return State.READ if items else State.EMPTY


def _entity(mention: _Found) -> Entity:
    """Return a mention as an entity."""
    return Entity(mention.name, mention.type, mention.sentence)


def _ends(own: str, mentions: Sequence[_Found]) -> Iterator[tuple[str, _Found]]:
    """Yield (source, item): terms relate to the subject, provisions to the unit."""
    subject = next((each.name for each in mentions if each.does == "concerns"), own)
    for each in mentions:
        source = subject if each.does in ("defines", "mentions") else own
        if source != each.name:
            yield source, each


def _relations(
    own: str, mentions: Sequence[_Found], predicates: Mapping[str, str]
) -> Iterator[Relation]:
    """Yield the mentions as relations: of terms to the unit's subject, of others to the unit."""
    for source, each in _ends(own, mentions):
        yield Relation(source, each.name, predicates[each.does], each.sentence, float(each.times))


def _triples(
    own: str, mentions: Sequence[_Found], predicates: Mapping[str, str]
) -> Iterator[Triple]:
    """Yield the mentions as triples: terms of the unit's subject, others of the unit itself."""
    for source, each in _ends(own, mentions):
        yield Triple(source, predicates[each.does], each.name)
