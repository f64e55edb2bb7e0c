"""What 전조, 전2조, 전항, 전 각 호, 본조 mean where they stand, and part paths cut to a level."""

from __future__ import annotations

from corpus.citations.model import Citation, Target
from corpus.graph.location import UnitLocation

_DEPTH = {"조": 0, "표": 0, "항": 1, "호": 2, "목": 3}


def relative_targets(citation: Citation, standing: UnitLocation) -> list[Target]:
    """Return the targets of a citation of kind ``RELATIVE``; none where nothing goes before.

    Its mention is named by the number of steps back ("*" for all, "본" for none) and the unit.
    """
    own = standing.unit.semantic_id
    steps, unit = citation.mention.name[:-1], citation.mention.name[-1]
    below = [place.pinpoint for place in citation.places] or [""]
    here = cut(standing.part_at(citation.start), unit)
    if steps == "본":
        return [Target(own, joined(here, pinpoint)) for pinpoint in below]
    if unit == "조":
        articles = standing.articles_before(int(steps) if steps.isdigit() else 1)
        return [Target(article, pinpoint) for article in articles for pinpoint in below]
    before = standing.parts_before(here)
    count = len(before) if steps == "*" else int(steps)
    if not before or len(before) < count:
        return []
    paths = before[len(before) - count :]
    return [Target(own, joined(path, pinpoint)) for path in paths for pinpoint in below]


def cut(path: str, unit: str) -> str:
    """Return a part path down to the level of 항, 호 or 목; empty for 조 and 표."""
    steps = path.split("/") if path else []
    return "/".join(step for step in steps if _depth(step) <= _DEPTH[unit])


def joined(*paths: str) -> str:
    """Return part paths one below the other, without the empty ones."""
    return "/".join(path for path in paths if path)


def _depth(step: str) -> int:
    return next((depth for mark, depth in _DEPTH.items() if mark in step), 4)
