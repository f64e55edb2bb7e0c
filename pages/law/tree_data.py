"""What the statute tree of the Corpus screen is told, as plain JSON values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from messages import say
from pages.law.graph_panel import words_under
from pages.shell.text import text_pieces
from retrieval.text.highlight import matched_spans
from services.law.outline import Chapter
from services.runs.methods.unit_search import UnitHit
from storage.law.units import StatuteLine

LISTED = 400  # statutes in the tree; the others are found by typing
_BLANK = re.compile(r"\s+")
_SNIPPET = 130
_LEAD = 30  # characters shown before the first match


def tree_part(
    statutes: Sequence[StatuteLine],
    opened: dict[str, list[Chapter]],
    current: str,
    wanted: str,
    language: str,
) -> dict[str, Any]:
    """Return the tree: the statutes whose title has `wanted`, those in `opened` unfolded.

    Of a long list the first `LISTED` are shown, and those in `opened` wherever they stand.
    """
    named = [line for line in statutes if wanted.lower() in line.title.lower()]
    shown = [line for at, line in enumerate(named) if at < LISTED or line.statute_id in opened]
    words = words_under("corpus.tree.", language)
    note = words["partial"].format(shown=f"{len(shown):,}", total=f"{len(named):,}")
    return {
        "tiers": [_tier(tier, list(lines), language) for tier, lines in groupby(shown, _tier_of)],
        "open": {name: [_chapter(each) for each in found] for name, found in opened.items()},
        "current": current,
        "wanted": wanted,
        "asks": len(statutes) > LISTED,
        "note": note if len(shown) < len(named) else "",
        "hits": None,
        "query": "",
        "words": words,
    }


def hits_part(query: str, hits: Iterable[UnitHit], current: str, language: str) -> dict[str, Any]:
    """Return what a search found, in place of the tree."""
    words = words_under("corpus.tree.", language)
    rows = [_hit(hit, query, language) for hit in hits]
    told = {"tiers": [], "open": {}, "current": current, "note": "", "words": words}
    return told | {"hits": rows, "query": query}


def _tier_of(line: StatuteLine) -> int:
    return line.tier


def _tier(tier: int, lines: list[StatuteLine], language: str) -> dict[str, Any]:
    rows = [{"id": one.statute_id, "title": one.title, "units": one.units} for one in lines]
    return {"tier": tier, "name": say(f"mapping.tier.{tier}", language), "statutes": rows}


def _chapter(chapter: Chapter) -> dict[str, Any]:
    units = [
        {"id": one.unit_id, "label": one.label, "heading": one.heading, "deleted": one.deleted}
        for one in chapter.units
    ]
    return {"path": list(chapter.path), "units": units}


def _hit(hit: UnitHit, query: str, language: str) -> dict[str, Any]:
    return {
        "id": hit.semantic_id,
        "statute": hit.statute,
        "tier": int(hit.tier),
        "tierName": say(f"mapping.tier.{int(hit.tier)}", language),
        "label": hit.label,
        "heading": hit.heading,
        "cited": hit.cited,
        "snippet": snippet(hit.text, query),
    }


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
