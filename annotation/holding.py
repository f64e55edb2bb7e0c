"""Whether gold holds for a snapshot of the law, perhaps another than that it was decided on.

Gold that names units holds where each of them stands under the same semantic id with the label,
heading and text that were judged. Gold that says "no provision" holds on the snapshot that it was
decided on, and on another one where all that is suggested for the question stood in the law
decided on in the same words: then nothing that came or was amended speaks to the question. Where
nothing has been suggested from the other snapshot yet, nobody has looked, and it does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from storage.counterparts import counterparts, newest_set_on, units_suggested


@dataclass(frozen=True, slots=True)
class Ground:
    """What the gold of an item rests on.

    `units` are the database ids of all units that its decisions accept; empty for "no provision".
    `snapshots` are those that the decisions were made on.
    """

    item_id: int
    units: tuple[int, ...]
    snapshots: tuple[int, ...]


def amended_gold(
    session: Session, grounds: Sequence[Ground], snapshot_id: int
) -> dict[int, tuple[str, ...]]:
    """Return the items whose gold does not hold for the snapshot.

    With each come the semantic ids, ascending, of the units that are not what was judged, or for
    "no provision" of what is suggested and was not in the law decided on; the latter is empty
    where nothing has been suggested yet.
    """
    units = {number for ground in grounds for number in ground.units}
    found = counterparts(session, units, snapshot_id)
    broken: dict[int, tuple[str, ...]] = {}
    for ground in grounds:
        if not ground.units:
            new = arrived(session, ground.item_id, ground.snapshots, snapshot_id)
            if new is None or new:
                broken[ground.item_id] = _names(new or ())
        elif lost := {found[each].semantic_id for each in ground.units if not found[each].same}:
            broken[ground.item_id] = _names(lost)
    return broken


def arrived(
    session: Session, item_id: int, snapshots: Iterable[int], snapshot_id: int
) -> set[str] | None:
    """Return what is suggested from a snapshot and does not stand in all of the others so.

    They are semantic ids; None when nothing has been suggested from the snapshot yet.
    """
    others = sorted({*snapshots} - {snapshot_id})
    if not others:
        return set()
    set_id = newest_set_on(session, item_id, snapshot_id)
    if set_id is None:
        return None
    shown = units_suggested(session, set_id)
    return {
        each.semantic_id
        for other in others
        for each in counterparts(session, shown, other).values()
        if not each.same
    }


def _names(found: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(found))
