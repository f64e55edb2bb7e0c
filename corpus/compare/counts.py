"""How many statutes differ between two laws at hand; those that do not are not compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corpus.compare.compare import compare
from corpus.compare.model import LawChange, StatuteStatus
from corpus.model import Statute

_Said = tuple[str, frozenset[tuple[str, str, str, bool, bool]]]


def law_change(old: Sequence[Statute], new: Sequence[Statute]) -> LawChange:
    """Return how many statutes differ, as `compare` tells it."""
    before = {each.semantic_id: _said(each) for each in old}
    after = {each.semantic_id: _said(each) for each in new}
    same = {name for name, said in after.items() if before.get(name) == said}
    left = [[each for each in law if each.semantic_id not in same] for law in (old, new)]
    counts = Counter(each.status for each in compare(*left).statutes)
    return LawChange(
        differ=counts[StatuteStatus.CHANGED] + counts[StatuteStatus.RENAMED],
        equal=counts[StatuteStatus.UNCHANGED] + len(same),
        new=counts[StatuteStatus.ADDED],
        gone=counts[StatuteStatus.REMOVED],
    )


def _said(statute: Statute) -> _Said:
    return statute.title, frozenset(
        (unit.semantic_id, unit.heading, unit.text, unit.deleted, unit.text_missing)
        for unit in statute.units
    )
