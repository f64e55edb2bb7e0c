"""How the candidates behind the decisions were proposed, and how much of the gold they cover.

A unit that is never proposed is accepted only where somebody searches for it, so gold favours
methods like the proposing ones: readers of a benchmark need to know these, their depth and their
share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from sqlmodel import Session

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import CURATED
from evaluation.figure import Figure, share_figure
from storage.mapping.candidates import sources_of_sets

SOURCES = ("citation", "title", "text")


@dataclass(frozen=True, slots=True)
class Proposals:
    """Statistics of the candidates proposed for the mapped questions of a gold set.

    `methods` counts questions by the names of the methods, `depths` holds the number of candidates
    of each question. `pairs` is the number of gold pairs, `among` how many of them were candidates,
    `by_source` how many were named by a citation, found by title, or by text, in the order of
    SOURCES; a pair may have several.
    """

    methods: tuple[tuple[str, int], ...]
    depths: tuple[int, ...]
    pairs: int
    among: int
    by_source: tuple[int, ...]

    @property
    def depth(self) -> str:
        """Number of candidates per question: median, minimum and maximum."""
        if not self.depths:
            return "none"
        return f"median {median(self.depths):g}, from {min(self.depths)} to {max(self.depths)}"

    def shares(self) -> Iterator[Figure]:
        """Yield the shares of gold pairs among the candidates, per source, and added by search."""
        yield share_figure("among the candidates", self.among, self.pairs)
        for source, count in zip(SOURCES, self.by_source, strict=True):
            yield share_figure(f"proposed by {source}", count, self.pairs)
        yield share_figure("added by people who searched", self.pairs - self.among, self.pairs)


def proposals(session: Session, items: Iterable[GoldItem]) -> Proposals | None:
    """Return the statistics of candidates for the items; None where none was mapped."""
    mapped = [
        item
        for item in items
        if item.inherited is None and all(each.kind != CURATED for each in item.lineage)
    ]
    if not mapped:
        return None
    sets = [sorted({each.candidate_set_id for each in item.lineage}) for item in mapped]
    made = sources_of_sets(session, {number for numbers in sets for number in numbers})
    candidates = [dict[str, set[str]]() for _ in sets]
    for by_unit, numbers in zip(candidates, sets, strict=True):
        for unit, sources in (pair for each in numbers for pair in made[each][1]):
            by_unit.setdefault(unit, set()).update(sources)
    found = [
        by_unit[unit]
        for item, by_unit in zip(mapped, candidates, strict=True)
        for unit in item.units
        if unit in by_unit
    ]
    names = (" + ".join(sorted({made[each][0] for each in numbers})) for numbers in sets)
    return Proposals(
        methods=tuple(sorted(Counter(names).items())),
        depths=tuple(map(len, candidates)),
        pairs=sum(len(item.units) for item in mapped),
        among=len(found),
        by_source=tuple(sum(source in each for each in found) for source in SOURCES),
    )
