"""The opening that takes an item up again on newer law: its units by id, or by name elsewhere.

All of them are units of the snapshot that its candidates were built on (see
`annotation.work.carry_over`), so in a file or a history their semantic ids are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.work.labels import Decision

_MAPS = ("carried", "former")  # by unit: the decision; the label it had then
_LISTS = ("amended", "added")
_SHAPE = dict.fromkeys(_MAPS, dict) | dict.fromkeys((*_LISTS, "dropped"), list)
_TEXTS = ("comment", "flag")


def takes_up(said: Mapping[str, Any]) -> bool:
    """Return whether the payload is that of such an opening, as the fold tells it."""
    return "carried" in said


def units_of(said: Mapping[str, Any]) -> set[int]:
    """Return the ids of all units that the payload of the database speaks of."""
    listed = {unit for name in _LISTS for unit in said[name]}
    return listed.union(*({int(unit) for unit in said[name]} for name in _MAPS))


def translated(said: Mapping[str, Any], find: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the payload with what `find` returns in place of each unit."""
    by_unit = {name: {str(find(unit)): v for unit, v in said[name].items()} for name in _MAPS}
    listed = {name: [find(unit) for unit in said[name]] for name in _LISTS}
    return {**said, **by_unit, **listed}


def fits_taken_up(said: Mapping[str, Any]) -> bool:
    """Return whether the payload of a file has the shape that the fold reads."""
    if any(not isinstance(said.get(name), shape) for name, shape in _SHAPE.items()):
        return False
    texts = [said.get(name) for name in _TEXTS] + said["dropped"] + [*said["former"].values()]
    decisions = [*said["carried"].values()]
    return all(isinstance(text, str) for text in texts) and all(
        decision in tuple(Decision) for decision in decisions
    )
