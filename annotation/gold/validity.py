"""Whether gold holds for a snapshot of the law other than the one it was decided on.

Gold with units holds if each has the label, heading and text that were judged under the same
semantic id. Gold "no provision" holds on the snapshot that it was decided on, and on another one if
everything suggested for the question was in the law decided on with the same wording: then nothing
new or amended answers the question. Only suggestions by the method whose candidates were shown at
the decision count. If that method has no candidates from the other snapshot yet, the gold waits for
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from storage.law.counterparts import counterparts
from storage.mapping.candidates import Pin, pins, sets_by_method, units_of_sets


@dataclass(frozen=True, slots=True)
class GoldBasis:
    """The basis of an item's gold.

    `units` are the database ids of all units that its decisions accept; empty for "no provision".
    `sets` are the candidate sets that were shown when the decisions were made.
    """

    item_id: int
    units: tuple[int, ...]
    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LostGold:
    """Why the gold of an item does not hold for a snapshot.

    `units` are the semantic ids, ascending, of the units that differ from what was judged, or for
    "no provision" of new suggestions that the law decided on did not have. `waiting`: unknown, as
    no candidates have been built from the snapshot.
    """

    units: tuple[str, ...]
    waiting: bool = False


def lost_gold(
    session: Session, grounds: Sequence[GoldBasis], snapshot_id: int
) -> dict[int, LostGold]:
    """Return the items whose gold does not hold for the snapshot, and why."""
    units = {number for ground in grounds for number in ground.units}
    found = counterparts(session, units, snapshot_id)
    denied = {number for ground in grounds if not ground.units for number in ground.sets}
    come = arrived(session, denied, snapshot_id) if denied else {}
    broken: dict[int, LostGold] = {}
    for ground in grounds:
        if ground.units:
            changed = {found[unit].semantic_id for unit in ground.units if not found[unit].same}
            waiting = False
        else:
            told = [come[each] for each in ground.sets]
            waiting = None in told
            changed = {name for names in told for name in names or ()}
        if changed:
            broken[ground.item_id] = LostGold(tuple(sorted(changed)))
        elif waiting:
            broken[ground.item_id] = LostGold((), waiting=True)
    return broken


def arrived(
    session: Session, set_ids: Iterable[int], snapshot_id: int
) -> dict[int, frozenset[str] | None]:
    """Return the units newly suggested for questions that were answered "no provision".

    `set_ids` are the candidate sets of those answers. For each, the semantic ids that the same
    method suggests from the snapshot and that have no identical wording in the law of that set;
    None if the method has no candidates from the snapshot yet.
    """
    made = pins(session, set_ids)
    there = {number: pin for number, pin in made.items() if pin.snapshot_id != snapshot_id}
    by_method = sets_by_method(
        session, snapshot_id, {_item_and_method(pin) for pin in there.values()}
    )
    shown = units_of_sets(session, by_method.values())
    found: dict[int, frozenset[str] | None] = dict.fromkeys(made, frozenset())
    for law in sorted({pin.snapshot_id for pin in there.values()}):
        of_law = {number: pin for number, pin in there.items() if pin.snapshot_id == law}
        found |= _new_suggestions(session, of_law, by_method, shown)
    return found


def _new_suggestions(
    session: Session,
    of_law: Mapping[int, Pin],
    by_method: Mapping[tuple[int, str], int],
    candidates: Mapping[int, Collection[int]],
) -> dict[int, frozenset[str] | None]:
    """Return the current suggestions that lack identical wording in the sets' own snapshot."""
    now = {number: by_method.get(_item_and_method(pin)) for number, pin in of_law.items()}
    suggested = {unit for each in now.values() if each for unit in candidates.get(each, ())}
    law = next(pin.snapshot_id for pin in of_law.values())
    before = counterparts(session, suggested, law)
    return {
        number: None
        if set_id is None
        else frozenset(
            before[unit].semantic_id for unit in candidates.get(set_id, ()) if not before[unit].same
        )
        for number, set_id in now.items()
    }


def _item_and_method(pin: Pin) -> tuple[int, str]:
    """Return the key by which candidate sets of different snapshots correspond."""
    return pin.item_id, pin.method
