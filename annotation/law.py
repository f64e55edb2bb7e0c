"""Changes of units between two snapshots, and renumbered provisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from corpus.compare.model import Status, UnitChange
from storage.db.workspace import ByDatabase, Workspace
from storage.law.counterparts import compared


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a unit. `place` is its old name, or the new one of an added unit."""

    unit: UnitChange
    place: str


@dataclass(frozen=True, slots=True)
class Changes:
    """All changed units, by id in the older and in the newer law."""

    old: Mapping[str, Change]
    new: Mapping[str, Change]


def changed_units(ws: Workspace, old_id: int, new_id: int) -> Changes:
    """Return the changes of units from the older to the newer snapshot."""
    return _changes_by_unit(ByDatabase.of(ws), old_id, new_id)


@lru_cache(maxsize=8)  # snapshots never change
def _changes_by_unit(source: ByDatabase, old_id: int, new_id: int) -> Changes:
    """Return the changes between two snapshots, by old and by new unit."""
    old: dict[str, Change] = {}
    new: dict[str, Change] = {}
    for statute in compared(source.ws, old_id, new_id).comparison.touched:
        for each in statute.touched:
            named, unit = (statute.old, each.old) if each.old else (statute.new, each.unit)
            change = Change(each, f"{named.title} {unit.label}" if named else unit.label)
            if each.old is not None:
                old[each.old.semantic_id] = change
            if each.new is not None:
                new[each.new.semantic_id] = change
    return Changes(old, new)


def mapped_units(ws: Workspace, old_id: int, new_id: int) -> Mapping[str, str]:
    """Return the semantic id in the newer snapshot of each renumbered unit of the older one."""
    return _renumbered_units(ByDatabase.of(ws), old_id, new_id)


@lru_cache(maxsize=16)  # small beside the comparison, and needed while others wait to write
def _renumbered_units(source: ByDatabase, old_id: int, new_id: int) -> Mapping[str, str]:
    """Return old → new semantic id of the units that changed their place between snapshots."""
    return {
        unit.old.semantic_id: unit.new.semantic_id
        for statute in compared(source.ws, old_id, new_id).comparison.statutes
        for unit in statute.units
        if unit.status is Status.RENUMBERED and unit.old and unit.new
    }
