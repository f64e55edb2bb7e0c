"""Comparison of two snapshots of a project, computed and cached in memory, not stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from corpus.compare.compare import DateOrder, date_order
from corpus.compare.model import (
    Comparison,
    LawChange,
    Status,
    StatuteChange,
    StatuteStatus,
    UnitChange,
)
from errors import UserError
from messages import say
from services.law.overview import SnapshotLine, overview
from storage.db.workspace import ByDatabase, Workspace
from storage.law.counterparts import compared, deleted_units, statute_dates

_NAMED = 5  # statutes in a sentence
_IN_BOTH = (Status.RENUMBERED, Status.CHANGED, Status.UNCHANGED)


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Two snapshots and the changes between them.

    `comparison` holds the statutes that differ; the others are counted in `same_statutes` with
    `same_units`. `deleted` counts the units of the older and of the newer law that are marked as
    deleted; they are in no other count. `dates` compares the dates of the two laws.
    """

    old: SnapshotLine
    new: SnapshotLine
    comparison: Comparison
    same_statutes: int
    same_units: int
    deleted: tuple[int, int]
    dates: DateOrder

    @property
    def units(self) -> Counter[Status]:
        """Number of provisions per status, over all statutes."""
        return self.comparison.counts + Counter({Status.UNCHANGED: self.same_units})

    @property
    def statutes(self) -> Counter[StatuteStatus]:
        """Number of statutes per status."""
        found = Counter(statute.status for statute in self.comparison.statutes)
        return found + Counter({StatuteStatus.UNCHANGED: self.same_statutes})

    @property
    def law(self) -> LawChange:
        """Numbers of differing, equal, new and removed statutes."""
        return LawChange.of(self.statutes)

    @property
    def provisions(self) -> tuple[int, int]:
        """Numbers of provisions of the older and the newer law, deleted ones excluded."""
        both = sum(self.units[each] for each in _IN_BOTH)
        return both + self.units[Status.REMOVED], both + self.units[Status.ADDED]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json`` output: counts, and every changed unit."""
        return {
            "old": _snapshot(self.old),
            "new": _snapshot(self.new),
            "backwards": self.dates.backwards,
            "dates": asdict(self.dates),
            "provisions": dict(zip(("old", "new"), self.provisions, strict=True)),
            "deleted": dict(zip(("old", "new"), self.deleted, strict=True)),
            "units": {str(status): self.units[status] for status in Status},
            "statutes": {str(status): self.statutes[status] for status in StatuteStatus},
            "law": asdict(self.law),
            "changes": [
                {
                    "statute": each.statute.semantic_id,
                    "title": each.statute.title,
                    "status": str(each.status),
                    "old_title": each.old.title if each.old else None,
                    "units": [_unit(unit) for unit in each.touched],
                }
                for each in self.comparison.touched
            ],
        }


def change_in_words(report: ComparisonReport, language: str) -> str:
    """Return the sentence on which statutes changed, from which law to which; "" for no change."""
    touched = report.comparison.touched
    if not touched:
        return ""
    counted = ", ".join(
        f"{each.statute.title} ({len(each.touched):,})" for each in touched[:_NAMED]
    )
    more = len(touched) - _NAMED
    told: dict[str, Any] = {"statutes": counted if more <= 0 else f"{counted}, +{more:,}"}
    told |= {"units": sum(len(each.touched) for each in touched), "count": len(touched)}
    for name, line in (("old", report.old), ("new", report.new)):
        dates = {"effective": line.effective or "–", "imported": f"{line.imported:%Y-%m-%d}"}
        told[name] = say("compare.law", language, id=line.id, **dates)
    return say("compare.change", language, **told)


def dates_in_words(change: StatuteChange) -> str:
    """Return the date of a statute in the older law and in the newer, once where they are equal.

    It is the effective date, else that of promulgation; a dash where there is none.
    """
    dates = (each and (each.effective or each.promulgated) for each in (change.old, change.new))
    told = [date.isoformat() if date else "–" for date in dates]
    return " → ".join(dict.fromkeys(told))


def compare(
    ws: Workspace,
    project_slug: str,
    old_id: int | None = None,
    new_id: int | None = None,
    by: int | None = None,
) -> ComparisonReport:
    """Compare two snapshots of a project, by default the one in use and the one used before.

    Without `new_id` the newer one is the snapshot in use, without `old_id` the older one is the
    last imported before it that was ever in use. Raises UserError for an unknown project or
    snapshot, for a project with fewer than two, when both are the same, and for `by` (None: the
    operator) of another project.
    """
    there = overview(ws, project_slug, by).snapshots
    if len(there) < 2:
        raise UserError("compare_needs_two", slug=project_slug, count=len(there))
    used = next(line for line in there if line.in_use)
    new = _snapshot_with_id(there, new_id) if new_id is not None else used
    old = _snapshot_with_id(there, old_id) if old_id is not None else before(there, new)
    if old.id == new.id:
        raise UserError("compare_same", id=new.id)
    return _cached_comparison(ByDatabase.of(ws), old, new)


# Snapshots never change, so a comparison can be cached for the life of the process.
@lru_cache(maxsize=4)
def _cached_comparison(
    source: ByDatabase, old: SnapshotLine, new: SnapshotLine
) -> ComparisonReport:
    """Compare two snapshots, cached for the life of the process."""
    found = compared(source.ws, old.id, new.id)
    same = found.same_statutes, found.same_units
    with source.ws.reading() as session:
        deleted = deleted_units(session, old.id), deleted_units(session, new.id)
        dates = date_order(statute_dates(session, old.id), statute_dates(session, new.id))
    return ComparisonReport(old, new, found.comparison, *same, deleted, dates)


def _snapshot_with_id(there: Sequence[SnapshotLine], snapshot_id: int) -> SnapshotLine:
    """Return the snapshot of that id. Raises UserError, naming the known ones."""
    found = next((line for line in there if line.id == snapshot_id), None)
    if found is None:
        known = ", ".join(f"{line.id} ({line.name}, {line.effective or '–'})" for line in there)
        raise UserError("snapshot_unknown", id=snapshot_id, known=known)
    return found


def before(there: Sequence[SnapshotLine], new: SnapshotLine) -> SnapshotLine:
    """Return the snapshot to compare `new` with: the last one used before it, else another."""
    others = [line for line in there if line.id != new.id]
    earlier = [line for line in others if line.id < new.id]
    return next((line for line in earlier if line.used), (earlier or others)[0])


def _snapshot(line: SnapshotLine) -> dict[str, Any]:
    """Return a snapshot as JSON values."""
    effective = line.effective.isoformat() if line.effective else None
    return {"id": line.id, "name": line.name, "effective": effective, "in_use": line.in_use}


def _unit(change: UnitChange) -> dict[str, Any]:
    """Return the change of a unit as JSON values."""
    return {
        "status": str(change.status),
        "old": change.old.semantic_id if change.old else None,
        "new": change.new.semantic_id if change.new else None,
        "label": change.unit.label,
        "heading": change.unit.heading,
        "aspects": [str(aspect) for aspect in change.aspects],
        "similarity": round(change.similarity, 4),
    }
