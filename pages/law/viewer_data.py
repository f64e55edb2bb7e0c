"""Data of the corpus browser: the statute tree and one provision.

Character offsets stay on the server: texts are sent already cut into pieces, because browsers count
UTF-16 units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from corpus.citations.model import Status
from corpus.graph.model import Edge, EdgeType, Reference
from corpus.model import Unit
from messages import say
from pages.law.graph_panel import words_under
from pages.shell.plain_text import fold_words, text_pieces
from retrieval.text.highlight import matched_spans
from services.law.citations import reason_words
from services.law.graph.citation_graph import SHOWN, LinkedUnit, UnitPage
from services.law.overview import Chapter
from services.runs.methods.unit_search import UnitHit
from storage.law.units import StatuteLine
from storage.ocr import PageOfUnit

LISTED = 400  # statutes in the tree; the others are found by search
_BLANK = re.compile(r"\s+")
_SNIPPET = 130
_LEAD = 30  # characters shown before the first match
_PLACES = 4  # pinpoints listed per neighbour


def tree_part(
    statutes: Sequence[StatuteLine],
    opened: dict[str, list[Chapter]],
    current: str,
    filter_text: str,
    language: str,
) -> dict[str, Any]:
    """Return the statutes with `filter_text` in the title as a tree, those in `opened` unfolded.

    Of a long list the first `LISTED` are shown, and all in `opened`.
    """
    named = [line for line in statutes if filter_text.lower() in line.title.lower()]
    shown = [line for at, line in enumerate(named) if at < LISTED or line.statute_id in opened]
    words = words_under("corpus.tree.", language)
    note = say("corpus.tree.partial", language, shown=f"{len(shown):,}", total=f"{len(named):,}")
    tiers = [
        {
            "tier": tier,
            "name": say(f"mapping.tier.{tier}", language),
            "statutes": [
                {"id": each.statute_id, "title": each.title, "units": each.units} for each in lines
            ],
        }
        for tier, lines in groupby(shown, lambda each: each.tier)
    ]
    return {
        "tiers": tiers,
        "open": {name: [_chapter(each) for each in found] for name, found in opened.items()},
        "current": current,
        "wanted": filter_text,
        "asks": len(statutes) > LISTED,
        "note": note if len(shown) < len(named) else "",
        "hits": None,
        "query": "",
        "words": words,
    }


def hits_part(query: str, hits: Iterable[UnitHit], current: str, language: str) -> dict[str, Any]:
    """Return search hits, in place of the tree."""
    words = words_under("corpus.tree.", language)
    shown = ("statute", "label", "heading")
    rows = [
        {"id": unit.unit_id, "cited": hit.cited, "snippet": snippet(unit.text, query)}
        | {name: getattr(unit, name) for name in shown}
        | _tier(unit.tier, language)
        for hit in hits
        for unit in (hit.passage,)
    ]
    told = {"tiers": [], "open": {}, "current": current, "note": "", "words": words}
    return told | {"hits": rows, "query": query}


def _chapter(chapter: Chapter) -> dict[str, Any]:
    """Return a chapter for the tree."""
    units = [
        {"id": one.unit_id, "label": one.label, "heading": one.heading, "deleted": one.deleted}
        for one in chapter.units
    ]
    return {"path": list(chapter.path), "units": units}


def _tier(tier: int, language: str) -> dict[str, Any]:
    """Return a tier and its name for the viewer."""
    return {"tier": int(tier), "tierName": say(f"mapping.tier.{int(tier)}", language)}


def snippet(text: str, query: str) -> list[list[Any]]:
    """Return ``[piece, matches]`` of a stretch of `text` around the first match with `query`."""
    spans = matched_spans(query, text)
    start = max(0, spans[0][0] - _LEAD) if spans else 0
    cut = text[start : start + _SNIPPET]
    moved = [(low - start, high - start) for low, high in spans]
    pieces = [["…", False]] if start else []
    pieces += [
        [" ".join(f"|{piece}|".split())[1:-1], bool(bits)]
        for piece, bits in text_pieces(cut, moved)
    ]
    return pieces


def unit_part(page: UnitPage, language: str, sources: Sequence[PageOfUnit] = ()) -> dict[str, Any]:
    """Return a unit's text with its citations, and the units on either side of it.

    `sources` are the page images that the text was transcribed from, if any.
    """
    unit, references = page.unit, outermost_references(page.references)
    return {
        "unit": unit.semantic_id,
        "language": page.statute.language,
        "statute": page.statute.title,
        **_tier(page.statute.tier, language),
        "place": unit.label,
        "heading": unit.heading,
        "path": list(unit.path),
        "facts": [*_facts(unit, page.statute.jurisdiction, language), *_sources(sources, language)],
        "missing": "" if unit.text else say("corpus.text_missing", language),
        "lines": lines_of(unit.text, references),
        "references": [
            {
                "status": str(each.status),
                "reason": _resolution_text(each, page, language),
                "targets": _targets(each),
            }
            for each in references
        ],
        "sides": [_side("cites", page, language), _side("cited_by", page, language)],
        "words": words_under("corpus.unit.", language),
        "fold": fold_words(language),
    }


def outermost_references(references: Iterable[Reference]) -> list[Reference]:
    """Return the references in text order, without those nested in another."""
    shown: list[Reference] = []
    for each in sorted(references, key=lambda one: (one.start, -one.end)):
        if not shown or each.start >= shown[-1].end:
            shown.append(each)
    return shown


def lines_of(text: str, references: Sequence[Reference]) -> list[list[list[Any]]]:
    """Return the non-blank lines of `text`, each as ``[piece, reference index or None]``."""
    at = {each.start: index for index, each in enumerate(references)}
    lines: list[list[list[Any]]] = [[]]
    place = 0
    for piece, bits in text_pieces(text, [(each.start, each.end) for each in references]):
        index = at.get(place) if bits else None
        for number, part in enumerate(piece.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append([part, index])
        place += len(piece)
    return [line for line in lines if any(part.strip() for part, _ in line)]


def _facts(unit: Unit, jurisdiction: str, language: str) -> list[str]:
    """Return the facts about a unit: deleted, jurisdiction, effective date, characters."""
    facts = [say("corpus.deleted", language)] if unit.deleted else []
    if jurisdiction:
        facts.append(say("corpus.jurisdiction", language, name=jurisdiction))
    if unit.effective:
        facts.append(say("corpus.effective", language, date=unit.effective.isoformat()))
    if unit.text:
        facts.append(say("corpus.characters", language, count=f"{len(unit.text):,}"))
    return facts


def _sources(sources: Sequence[PageOfUnit], language: str) -> list[str]:
    """Return one line on a text's source pages and their people, [] without pages."""
    if not sources:
        return []
    ends = dict.fromkeys((sources[0].external_id, sources[-1].external_id))
    people = {
        "correctors": ", ".join(sorted({each.corrector for each in sources})),
        "verifiers": ", ".join(sorted({each.verifier for each in sources})),
    }
    return [say("corpus.from_pages", language, pages=" – ".join(ends), **people)]


def _targets(reference: Reference) -> list[str]:
    """Return the ids of the units that a reference names, each once."""
    return list(dict.fromkeys(target.unit_id for target in reference.targets))


def _resolution_text(reference: Reference, page: UnitPage, language: str) -> str:
    """Return what a reference names in words, or why it is not resolved."""
    if reference.status is not Status.RESOLVED:
        count = len(reference.targets)
        return reason_words(reference.reason, reference.status, reference.text, count, language)
    own, targets = page.unit.semantic_id, _targets(reference)
    if targets == [own]:
        place = written_path(reference.targets[0].pinpoint) or page.unit.label
        return say("corpus.ref_own", language, place=place)
    others = [target for target in targets if target != own]
    if len(others) > 1:
        return say("corpus.ref_several", language, count=len(others))
    names = {each.node.unit_id: each.node for each in page.cites}
    node = names.get(others[0])
    name = others[0] if node is None else f"{node.statute} {node.label} {node.heading}".strip()
    return say("corpus.ref_resolved", language, name=name)


def _side(side: str, page: UnitPage, language: str) -> dict[str, Any]:
    """Return the units cited by, or citing, the unit."""
    links = page.cites if side == "cites" else page.cited_by
    groups = [
        {
            "type": str(kind),
            "name": say(f"corpus.{'edge' if side == 'cites' else 'edge_in'}.{kind}", language),
            "entries": _entries([each for each in links if each.edge.type is kind], page, language),
        }
        for kind in EdgeType
        if kind is not EdgeType.PART_OF and any(each.edge.type is kind for each in links)
    ]
    total = sum(len(group["entries"]) for group in groups)
    more = say("corpus.more", language, count=f"{SHOWN:,}") if len(links) == SHOWN else ""
    told = {"key": side, "name": say(f"corpus.{side}", language), "more": more}
    return told | {"total": total, "groups": groups}


def _entries(links: Iterable[LinkedUnit], page: UnitPage, language: str) -> list[dict[str, Any]]:
    """Return one entry per neighbour, one per term that the unit defines, in the order given."""
    merged: dict[tuple[str, str], list[LinkedUnit]] = {}
    for each in links:
        defines = each.edge.type is EdgeType.DEFINES and each.edge.source == page.unit.semantic_id
        merged.setdefault(("" if defines else each.node.unit_id, each.edge.term), []).append(each)
    return [
        _entry(same, page, language) if unit else _term(same, page, language)
        for (unit, _), same in merged.items()
    ]


def _term(links: Sequence[LinkedUnit], page: UnitPage, language: str) -> dict[str, Any]:
    """Return the entry of a term that the unit defines: number of provisions that use it."""
    edge = links[0].edge
    return {
        "id": edge.source,
        "open": False,
        "statute": "",
        "label": say("corpus.defines", language, term=edge.term),
        "heading": say("corpus.used_in", language, count=f"{len(links):,}"),
        **_tier(page.statute.tier, language),
        "places": _pinpoints([edge]),
    }


def _entry(links: Sequence[LinkedUnit], page: UnitPage, language: str) -> dict[str, Any]:
    """Return a neighbour of the unit for the viewer."""
    node, term = links[0].node, links[0].edge.term
    own = node.unit_id == page.unit.semantic_id
    same_statute = node.statute_id == page.statute.semantic_id
    label = say("corpus.itself", language) if own else node.label or say("corpus.whole", language)
    return {
        "id": node.unit_id,
        "open": bool(node.label) and not own,
        "statute": "" if same_statute else node.statute,
        "label": say("corpus.defines", language, term=term) if term else label,
        "heading": "" if own else node.heading,
        **_tier(node.tier, language),
        "places": _pinpoints([each.edge for each in links]),
    }


def _pinpoints(edges: Iterable[Edge]) -> str:
    """Return the pinpoints of edges, or where a term is defined, e.g. ``1항 · 2항 3호``."""
    meant = (written_path(each.part if each.term else each.pinpoint) for each in edges)
    places = list(dict.fromkeys(place for place in meant if place))
    more = f" +{len(places) - _PLACES}" if len(places) > _PLACES else ""
    return " · ".join(places[:_PLACES]) + more


def written_path(path: str) -> str:
    """Return a part's path in legal notation: ``2항 3호``, ``(a)(2)(C)``."""
    return path.replace(")/(", ")(").replace("/", " ")
