"""Tell articles of one number apart: a law may hold an article as it is and as it will be."""

from __future__ import annotations

from datetime import date

from corpus.importers.statutes.blocks import Block


def tell_places_apart(blocks: list[Block], effective: date | None) -> list[Block]:
    """Return the blocks in their order, `tail` set where a number repeats.

    An exact copy is dropped. Of the others the one in force on `effective` (the statute's own day)
    keeps the plain place, or the first if no day tells; a version with a day of its own gets
    ``-시행YYYYMMDD``, any other ``-2``, ``-3`` ….
    """
    groups: dict[tuple[str, str], list[Block]] = {}
    kept: list[Block] = []
    seen: set[tuple[object, ...]] = set()
    for block in blocks:
        copy = (block.level, block.number, block.heading, block.effective, tuple(block.lines))
        if copy not in seen:
            seen.add(copy)
            kept.append(block)
            groups.setdefault((block.level, block.number), []).append(block)
    for group in groups.values():
        if len(group) > 1:
            _name(group, effective)
    return kept


def _name(group: list[Block], effective: date | None) -> None:
    main, taken, count = _in_force(group, effective), {""}, 1
    for block in group:
        if block is main:
            continue
        tail = f"-시행{block.effective:%Y%m%d}" if block.effective else ""
        if tail in taken:
            count += 1
            tail = f"-{count}"
        taken.add(tail)
        block.tail = tail


def _in_force(group: list[Block], effective: date | None) -> Block:
    """Return the version with the latest day that has come; a block without one has that day."""
    came = [b for b in group if effective and (b.effective or effective) <= effective]
    return max(came, key=lambda b: b.effective or effective or date.min) if came else group[0]
