"""Self-supervised pairs from statutes: citing → cited, paragraph → identifier."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from construction.generative.facts import KeyTokens, Span
from construction.generative.pairs import Pair, PairKind
from corpus.graph.model import Edge, EdgeType
from corpus.model import Part, Unit
from normalization.hashing import seeded_hash

CITING = frozenset(
    {
        EdgeType.REFERENCES,
        EdgeType.APPLIES,
        EdgeType.DELEGATES_TO,
        EdgeType.SPECIFIES,
        EdgeType.REQUIRES_FORM,
    }
)
LONGEST = 600  # characters of a source; a trainer cuts by its own tokens besides
SHORTEST = 15
_END = re.compile(r"[.。](?=\s|$)|\n")
_AMENDED = re.compile(r"<[^<>]{0,200}>|\[[^\[\]]{0,200}\]")  # <개정 2020.1.1>, [본조신설 …]
_MARK = re.compile(r"^[\s①-⑳㉑-㉟]*(?:\(\d+\)|\d+\.|[가-하]\.)?\s*")
_TOO_LONG = 20_000  # characters of an annex's text that are searched for identifiers


def paragraphs(unit: Unit) -> list[Part]:
    """Return the outermost parts of a unit; all of it as one part if there are fewer than two."""
    outer = [each for each in unit.parts if not _within(each, unit.parts)]
    return outer if len(outer) > 1 else [Part("", 0, len(unit.text))]


def _within(part: Part, parts: Sequence[Part]) -> bool:
    """Return True if a part lies in one of the parts."""
    return "/" in part.path and any(part.path.startswith(f"{each.path}/") for each in parts)


def citing_sentence(text: str, start: int, end: int) -> str:
    """Return the sentence of `text` with a citation at [start, end), on one line."""
    before = [match.end() for match in _END.finditer(text, 0, start)]
    after = _END.search(text, end)
    said = text[before[-1] if before else 0 : after.end() if after else len(text)]
    return one_line_text(said)


def one_line_text(text: str) -> str:
    """Return `text` on one line, without its number and amendment notes, cut to LONGEST."""
    return " ".join(_MARK.sub("", _AMENDED.sub(" ", text), count=1).split())[:LONGEST]


@dataclass(frozen=True, slots=True)
class Identified:
    """A unit with the identifiers of its paragraphs, where any, and of its heading."""

    unit: Unit
    paragraphs: tuple[tuple[Part, str], ...]
    heading: str


def identified(unit: Unit, keys: KeyTokens) -> Identified:
    """Return a unit with its identifiers, each beginning with a key token."""
    found = []
    for each in paragraphs(unit):
        text = unit.text[each.start : min(each.end, each.start + _TOO_LONG)]
        spans = keys.identifiers(text, 1, [match.span() for match in _AMENDED.finditer(text)])
        if spans:
            found.append((each, _identifier(text, spans[0])))
    spans = keys.identifiers(unit.heading)
    heading = _identifier(unit.heading, spans[0]) if spans else ""
    return Identified(unit, tuple(found), heading)


def _identifier(text: str, span: Span) -> str:
    """Return the text of a span on one line."""
    return " ".join(text[slice(*span)].split())


def paragraph_pairs(each: Identified, seed: int) -> Iterator[Pair]:
    """Yield the pairs of a unit's paragraphs: → own identifier, → another's, → the heading."""
    unit, found = each.unit, each.paragraphs
    for at, (paragraph, own) in enumerate(found):
        source = one_line_text(unit.text[paragraph.start : paragraph.end])
        if len(source) < SHORTEST:
            continue
        ends = unit.semantic_id, unit.semantic_id, paragraph.path
        yield Pair(PairKind.PARAGRAPH_TO_OWN, source, own, *ends, paragraph.path)
        if each.heading:
            yield Pair(PairKind.PARAGRAPH_TO_HEADING, source, each.heading, *ends, "heading")
        if len(found) > 1:
            step = 1 + seeded_hash(seed, "other", unit.semantic_id, paragraph.path) % (
                len(found) - 1
            )
            other, said = found[(at + step) % len(found)]
            yield Pair(PairKind.PARAGRAPH_TO_OTHER, source, said, *ends, other.path)


def citation_pairs(
    edges: Iterable[Edge], units: Mapping[str, Identified], seed: int
) -> Iterator[Pair]:
    """Yield (citing sentence, identifier of the cited paragraph) per usable citation.

    In the order of the edges; short and repeated sentences and targets without identifier are out.

    The target is an identifier of the paragraph that the citation points to, else one of the
    unit's, drawn by the seed. Only `units` are used as sources and targets.
    """
    seen: set[tuple[str, str]] = set()
    for edge in edges:
        if edge.type not in CITING or edge.source == edge.target or edge.end <= edge.start:
            continue
        source, target = units.get(edge.source), units.get(edge.target)
        if source is None or target is None:
            continue
        sentence = citing_sentence(source.unit.text, edge.start, edge.end)
        chosen = _cited_identifier(target, edge, seed)
        if chosen is None or len(sentence) < SHORTEST or (sentence, chosen[1]) in seen:
            continue
        seen.add((sentence, chosen[1]))
        place = f"{edge.start}-{edge.end}"
        ends = edge.source, edge.target, place, chosen[0]
        yield Pair(PairKind.CITING_TO_CITED, sentence, chosen[1], *ends)


def _cited_identifier(target: Identified, edge: Edge, seed: int) -> tuple[str, str] | None:
    """Return path and identifier of the cited paragraph, else of one drawn; None if it has none."""
    first = edge.pinpoint.split("/")[0]
    for paragraph, said in target.paragraphs:
        if first and paragraph.path == first:
            return paragraph.path, said
    every = [(paragraph.path, said) for paragraph, said in target.paragraphs]
    if target.heading:
        every.append(("heading", target.heading))
    if not every:
        return None
    return every[seeded_hash(seed, "cited", edge.source, str(edge.start), edge.target) % len(every)]
