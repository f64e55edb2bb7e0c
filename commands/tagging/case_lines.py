"""A disputed court case as commands tell it: each sub-factor with what every side says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.tagging.disputes import DisputeView, Part, Side


def case_told(found: DisputeView) -> dict[str, Any]:
    """Return what a program reads of the case."""
    names = ("item_id", "external_id", "title", "court", "date", "language", "sections")
    return {name: getattr(found, name) for name in names}


def part_told(found: DisputeView, part: Part) -> dict[str, Any]:
    """Return what a program reads of one of its sub-factors."""
    reason = found.reason if part.decided else ""
    told = {"decided": part.decided, "reason": reason, "stale": part.stale, "left": found.left}
    return {"sides": [asdict(side) for side in part.sides], **told}


def part_lines(found: DisputeView, part: Part) -> Iterator[str]:
    """Yield what people read of one of its sub-factors."""
    yield f"{part.sub.label['en']}: {part.sub.help['en']}"
    yield from (f"  {option.key:<24} {option.label['en']}" for option in part.sub.options)
    yield from (line for side in part.sides for line in _said(side))
    if part.decided:
        yield f"Settled: {', '.join(part.decided)} ({found.reason})"


def _said(side: Side) -> Iterator[str]:
    options = "not asked" if side.options is None else ", ".join(side.options)
    yield f"{side.person}: {options}"
    yield from (f"    “{each.quote}” ({each.start}–{each.end})" for each in side.evidence)
    yield from (f"    {words}" for words in (side.flag, side.comment) if words)
