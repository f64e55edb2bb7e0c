"""What became of each unit between two snapshots, and which provisions have another id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from corpus.compare.model import Status, UnitChange
from storage.db.workspace import ByDatabase, Workspace
from storage.law.counterparts import compared


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a unit. `place` names it as it was, or as it is where it is new."""

    unit: UnitChange
    place: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Every unit that is not unchanged: by its id in the older law, and in the newer one."""

    old: Mapping[str, Change]
    new: Mapping[str, Change]


def changed_units(ws: Workspace, old_id: int, new_id: int) -> Changes:
    """Return what became of the units of the older snapshot in the newer one."""
    return _changes(ByDatabase.of(ws), old_id, new_id)


@lru_cache(maxsize=8)  # snapshots never change
def _changes(source: ByDatabase, old_id: int, new_id: int) -> Changes:
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
    return _moved(ByDatabase.of(ws), old_id, new_id)


@lru_cache(maxsize=16)  # small beside the comparison, and asked for while others wait to write
def _moved(source: ByDatabase, old_id: int, new_id: int) -> Mapping[str, str]:
    return {
        unit.old.semantic_id: unit.new.semantic_id
        for statute in compared(source.ws, old_id, new_id).comparison.statutes
        for unit in statute.units
        if unit.status is Status.RENUMBERED and unit.old and unit.new
    }
