"""How the candidates were proposed that people decided on, and how much of the gold was among them.

What is never proposed is accepted only where somebody searches for it, so that gold favours methods
like those that proposed: a reader of a benchmark has to know them, their depth, and their share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from sqlmodel import Session

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import CURATED
from evaluation.figure import Figure, share_figure
from storage.mapping.candidates import pins, sources_of_sets

SOURCES = ("citation", "title", "text")


@dataclass(frozen=True, slots=True)
class Proposals:
    """What was proposed for the mapped questions of a gold set.

    `methods` counts questions by the names of the methods, `depths` has the number of candidates of
    each question. `pairs` is the number of gold pairs, `among` how many of them were candidates,
    `by_source` how many of them were named by a citation, found by title, or by text, in the order
    of SOURCES; a pair may have several.
    """

    methods: tuple[tuple[str, int], ...]
    depths: tuple[int, ...]
    pairs: int
    among: int
    by_source: tuple[int, ...]

    @property
    def depth(self) -> str:
        """The number of candidates of a question: median, least and most."""
        if not self.depths:
            return "none"
        return f"median {median(self.depths):g}, from {min(self.depths)} to {max(self.depths)}"

    def shares(self) -> Iterator[Figure]:
        """Yield what share of the gold pairs were candidates, by each source, and were added."""
        yield share_figure("among the candidates", self.among, self.pairs)
        for source, count in zip(SOURCES, self.by_source, strict=True):
            yield share_figure(f"proposed by {source}", count, self.pairs)
        yield share_figure("added by people who searched", self.pairs - self.among, self.pairs)


def proposals(session: Session, items: Iterable[GoldItem]) -> Proposals | None:
    """Return what was proposed to those who decided on the items; None where none was mapped."""
    mapped = [item for item in items if _is_mapped(item)]
    if not mapped:
        return None
    sets = [sorted({each.candidate_set_id for each in item.lineage}) for item in mapped]
    wanted = {number for numbers in sets for number in numbers}
    made, rows = pins(session, wanted), sources_of_sets(session, wanted)
    candidates = [_candidates(rows, numbers) for numbers in sets]
    found = [
        by_unit[unit]
        for item, by_unit in zip(mapped, candidates, strict=True)
        for unit in item.units
        if unit in by_unit
    ]
    names = (" + ".join(sorted({made[each].method for each in numbers})) for numbers in sets)
    return Proposals(
        methods=tuple(sorted(Counter(names).items())),
        depths=tuple(map(len, candidates)),
        pairs=sum(len(item.units) for item in mapped),
        among=len(found),
        by_source=tuple(sum(source in each for each in found) for source in SOURCES),
    )


def _is_mapped(item: GoldItem) -> bool:
    return item.inherited is None and all(each.kind != CURATED for each in item.lineage)


def _candidates(
    rows: Mapping[int, Sequence[tuple[str, frozenset[str]]]], sets: Iterable[int]
) -> dict[str, frozenset[str]]:
    """Return each candidate of any of the sets with all its sources."""
    found: dict[str, frozenset[str]] = {}
    for number in sets:
        for unit, sources in rows.get(number, ()):
            found[unit] = found.get(unit, frozenset()) | sources
    return found
