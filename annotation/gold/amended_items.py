"""Items of form tasks that rest on amended provisions.

The queue of `annotation.gold.rechecks` for every task but citation mapping: derived, except for
people's checks of an entry (`annotation.gold.law_checks`), which apply to the wording they were
shown. Each task defines what its items rest on (`annotation.gold.resting`). Items without known
provisions are counted separately: whether their law was amended is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from annotation.gold.amended_states import entry_states
from annotation.gold.cited_units import Cite, Read, cites
from annotation.gold.rechecks import Reason, Recheck, State
from annotation.gold.resting import WATCHED, CitingText, Rests, Scope, Via, resting_of
from annotation.law.unit_mapping import Change, changed_units
from annotation.people.roles import Act, reading_as
from corpus.citations.model import Status as CiteStatus
from corpus.compare.model import Status
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, project_snapshot, units_called
from storage.law.counterparts import Counterpart, counterparts
from storage.law.units import snapshots_of_units, unit_words
from storage.tables.core import Item
from storage.tasks import Task

_PROGRESS: Mapping[State, int] = {
    "waiting": 0,
    "sent_back": 1,
    "set_aside": 2,
    "redone": 3,
    "confirmed": 4,
}


@dataclass(frozen=True, slots=True)
class Watched:
    """The items of a task that rest on amended provisions, with the total for comparison.

    `items` counts all that the reader may know of, `unknown` those without known provisions; None
    if not requested.
    """

    task: Task
    entries: tuple[Recheck, ...]
    items: int
    unknown: int | None = None

    @property
    def states(self) -> Counter[State]:
        """Number of items per state; an item has the least finished state of its entries."""
        least: dict[int, State] = {}
        for entry in self.entries:
            before = least.get(entry.item_id, entry.state)
            least[entry.item_id] = min(before, entry.state, key=_PROGRESS.__getitem__)
        return Counter(least.values())


@dataclass(slots=True)
class _Ground:
    """How an item rests on a unit, and the fate of its citations of that unit."""

    via: set[Via] = field(default_factory=set)
    reason: Reason | None = None
    others: tuple[str, ...] = ()


_Grounds = dict[int, dict[int, _Ground]]


def watched(
    ws: Workspace,
    scope: Scope,
    law: int,
    task: Task,
    *,
    item_id: int | None = None,
    count: bool = False,
) -> Watched:
    """Return the items resting on provisions that differ in the snapshot `law`, in queue order.

    With `item_id`, only that item; with `count`, also the number of items without known provisions,
    for which every text is read.
    """
    items = scope.items(task, item_id)
    if not items:
        return Watched(task, (), 0, 0 if count else None)
    rests = resting_of(task).rests(scope, items)
    grounds = _grounds(ws, scope.session, task, rests, law, count)
    unknown = sum(not grounds.get(each.item_id) for each in rests) if count else None
    doubts = _unit_changes(ws, scope.session, grounds, law)
    entries = entry_states(scope, task, _entries(scope, task, items, grounds, doubts, law))
    return Watched(task, tuple(entries), len(items), unknown)


def amended(
    ws: Workspace,
    project_slug: str,
    tasks: Iterable[Task],
    *,
    by: int | None = None,
    snapshot_id: int | None = None,
    count: bool = False,
) -> list[Watched]:
    """Return :func:`watched` for each of the tasks that is watched.

    Items are compared with the snapshot in use unless another is given. Annotators get only the
    items that they have submitted. Raises UserError for an unknown project, person or snapshot.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, who):
        law = id_in_use(session, project.id)
        if snapshot_id is not None:
            law = project_snapshot(session, project, snapshot_id).id
        if law is None:
            return []
        scope = Scope(session, project, who)
        chosen = [task for task in tasks if task in WATCHED]
        return [watched(ws, scope, law, task, count=count) for task in chosen]


def _grounds(
    ws: Workspace, session: Session, task: Task, rests: Sequence[Rests], law: int, count: bool
) -> _Grounds:
    """Return the units that each item rests on, by database id."""
    texts = [text for each in rests for text in each.texts if text.snapshot_id]
    texts = [text for text in texts if count or text.snapshot_id != law]
    wanted: set[Read] = {(each.key, each.snapshot_id) for each in texts}
    wanted |= {(each.key, law) for each in texts}
    read = cites(ws, session, task, wanted) if texts else {}
    numbers = _unit_ids(session, rests, texts, read)
    found: _Grounds = {}
    for each in rests:
        mine = found.setdefault(each.item_id, {})
        for unit, via in each.units:
            mine.setdefault(unit, _Ground()).via.add(via)
        for name, snapshot, via in each.places:
            if (snapshot, name) in numbers:
                mine.setdefault(numbers[snapshot, name], _Ground()).via.add(via)
        for text in each.texts:
            _add_cited_units(mine, text, read, numbers, law)
    return found


def _unit_ids(
    session: Session,
    rests: Iterable[Rests],
    texts: Iterable[CitingText],
    read: Mapping[Read, Sequence[Cite]],
) -> dict[tuple[int, str], int]:
    """Return the database ids of all places and cited units, by snapshot and semantic id."""
    names: dict[int, set[str]] = {}
    for each in rests:
        for name, snapshot, _ in each.places:
            names.setdefault(snapshot, set()).add(name)
    for text in texts:
        for cite in read[text.key, text.snapshot_id]:
            if cite.status is CiteStatus.RESOLVED:
                names.setdefault(text.snapshot_id, set()).update(cite.units)
    return {
        (snapshot, name): number
        for snapshot, wanted in names.items()
        for name, number in units_called(session, snapshot, wanted).items()
    }


def _add_cited_units(
    mine: dict[int, _Ground],
    text: CitingText,
    read: Mapping[Read, Sequence[Cite]],
    numbers: Mapping[tuple[int, str], int],
    law: int,
) -> None:
    """Add the units that a text cites, with the fate of each citation."""
    then, now = read.get((text.key, text.snapshot_id), ()), read.get((text.key, law), ())
    for before, after in zip(then, now, strict=True):
        if before.status is not CiteStatus.RESOLVED:
            continue
        for name in before.units:
            number = numbers.get((text.snapshot_id, name))
            if number is None:
                continue
            ground = mine.setdefault(number, _Ground())
            ground.via.add(text.via)
            if after.status is CiteStatus.AMBIGUOUS:
                ground.reason, ground.others = "ambiguous", after.units
            elif name not in after.units and ground.reason is None:
                ground.reason, ground.others = "lost", after.units


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A unit's counterpart and change in the law that items are compared with."""

    place: Counterpart
    change: Change | None


def _unit_changes(
    ws: Workspace, session: Session, grounds: _Grounds, law: int
) -> dict[int, _Doubt]:
    """Return the counterpart and change of each unit that an item rests on, by database id."""
    units = {unit for mine in grounds.values() for unit in mine}
    places = counterparts(session, units, law)
    worlds = snapshots_of_units(session, [unit for unit, each in places.items() if not each.same])
    return {
        unit: _Doubt(
            place,
            None if place.same else changed_units(ws, worlds[unit], law).old.get(place.semantic_id),
        )
        for unit, place in places.items()
    }


def _entries(
    scope: Scope,
    task: Task,
    items: Iterable[Item],
    grounds: _Grounds,
    doubts: Mapping[int, _Doubt],
    law: int,
) -> list[Recheck]:
    """Return the doubtful decisions of the items, an entry per unit."""
    found = [
        (item, unit, ground, doubts[unit])
        for item in items
        for unit, ground in sorted(
            grounds.get(item.id or 0, {}).items(),
            key=lambda each: doubts[each[0]].place.semantic_id,
        )
        if not doubts[unit].place.same or ground.reason is not None
    ]
    names = {name for _, _, ground, _ in found for name in ground.others}
    names |= {name for *_, doubt in found if (name := _moved_to(doubt))}
    here = units_called(scope.session, law, names)
    words = unit_words(scope.session, {unit for _, unit, *_ in found})
    return [
        Recheck(
            item_id=item.id or 0,
            external_id=item.external_id or "",
            question=item.title or "",
            gold=False,
            decisions=(),
            task=task,
            unit_id=unit,
            place=words[unit].place,
            via=tuple(sorted(ground.via)),
            **_became(ground, doubt, here),
        )
        for item, unit, ground, doubt in found
    ]


def _moved_to(doubt: _Doubt) -> str | None:
    new = None if doubt.change is None else doubt.change.unit.new
    return None if new is None else new.semantic_id


def _became(ground: _Ground, doubt: _Doubt, here: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a `Recheck` about the change of the unit or of its citation."""
    place, change = doubt.place, doubt.change
    told: dict[str, Any] = {"unit": place.semantic_id}
    if place.same:
        now = tuple(here[name] for name in ground.others if name in here)
        told |= {"reason": ground.reason, "became": None, "now": None}
        return told | {"now_ids": now}
    status = Status.CHANGED if place.now else Status.REMOVED
    name = place.semantic_id if place.now else None
    now_id = place.now
    if change is not None:
        status, name = change.unit.status, _moved_to(doubt)
        now_id = here.get(name or "")
    if status is Status.REMOVED:
        name, now_id = None, None
    told |= {"reason": "amended", "became": status, "now": name}
    return told | {"now_ids": () if now_id is None else (now_id,)}
