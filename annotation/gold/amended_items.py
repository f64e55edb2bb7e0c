"""Items of form tasks that rest on amended provisions.

The queue of `annotation.gold.rechecks` for every task but citation mapping: derived, except for
people's checks of an entry (`annotation.gold.law_checks`), which apply to the wording they were
shown. Each task defines what its items rest on (`annotation.gold.resting`). Items without known
provisions are counted separately: whether their law was amended is unknown.

State of items that rest on amended law, and people's checks of them.

A check of an entry applies while the provision's wording is the one that was shown: after another
amendment the entry waits again; if the wording returns, so does the check.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.forms.submissions import complete_items, submissions_so_far
from annotation.gold.cited_units import Cite, Read, cites
from annotation.gold.rechecks import Basis, Checked, Reason, Recheck, State
from annotation.gold.resting import WATCHED, CitingText, Rests, Scope, Via, resting_of
from annotation.law import Change, changed_units
from annotation.people.roles import Act, reading_as
from annotation.work.discussions import open_discussions
from annotation.work.submissions import is_current
from corpus.citations.model import Status as CiteStatus
from corpus.compare.model import Status
from normalization.hashing import text_hash
from storage.db.rows import grouped
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, project_snapshot, units_called
from storage.law.counterparts import Counterpart, counterparts
from storage.law.units import UnitWords, snapshots_of_units, unit_words
from storage.overlap import for_gold
from storage.projects import authored
from storage.tables.core import Annotation, Item, Person
from storage.tables.law import LawCheck
from storage.tasks import Task, of_task

ANSWERED = "answered"  # value for a decision on a form; the task shows its answers


@dataclass(frozen=True, slots=True)
class Standing:
    """Current state of a task's items: complete ones, submissions, decisions, discussions."""

    full: frozenset[int]
    begun: Mapping[int, int]
    submissions: Mapping[int, tuple[tuple[int, Basis], ...]]
    settlements: Mapping[int, tuple[int, Basis]]
    discussed: frozenset[int]

    def basis(self, item_id: int) -> tuple[Basis, ...]:
        """Return the decisions on the item that the reader may see."""
        if item_id in self.settlements:
            return (self.settlements[item_id][1],)
        if item_id not in self.full:
            return ()
        return tuple(made for _, made in self.submissions.get(item_id, ()))

    def numbers(self, item_id: int) -> tuple[int, ...]:
        """Return the ids of the item's current submissions."""
        return tuple(number for number, _ in self.submissions.get(item_id, ()))


def standing_on(session: Session, project_id: int, task: Task) -> Standing:
    """Return the current state of a task's items, for a reader of others' labels."""
    query = (
        select(Annotation.item_id, Annotation.id, Person.name, Annotation.at)
        .join(Person, col(Person.id) == Annotation.person_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(of_task(project_id, task), is_current(), for_gold())
        .order_by(col(Person.name), col(Annotation.id))
    )
    made = grouped(
        (item, (number or 0, Basis("submission", ANSWERED, name, at)))
        for item, number, name, at in session.exec(query)
    )
    decided = {
        item: (each.settlement_id, Basis("adjudication", ANSWERED, each.person, each.at))
        for item, each in current_decisions(session, project_id, task).items()
    }
    return Standing(
        full=complete_items(session, project_id, task),
        begun=submissions_so_far(session, project_id, task),
        submissions={item: tuple(each) for item, each in made.items()},
        settlements=decided,
        discussed=frozenset(open_discussions(session, project_id)),
    )


def entry_states(scope: Scope, task: Task, entries: Sequence[Recheck]) -> list[Recheck]:
    """Return the entries with their latest check and the state of their items."""
    if not entries:
        return []
    session = scope.session
    words = unit_words(session, {now for each in entries for now in each.now_ids})
    said = _checks(session, {each.item_id for each in entries})
    now = standing_on(session, scope.project_id, task)
    found = []
    for each in entries:
        digest = _digest(each, words)
        check = _check_in_force(said.get((each.item_id, each.unit_id), ()), digest)
        state = _state(check, each.item_id, now)
        told = replace(each, wording=digest, state=state, check=_checked(check))
        found.append(_entry_for_viewer(told, now, scope.blind))
    return found


def _entry_for_viewer(entry: Recheck, now: Standing, blind: bool) -> Recheck:
    """Return the entry as the viewer may see it: with decisions, or own progress alone."""
    if blind:  # of their own item they see that they answered it, and nothing of others'
        return replace(entry, decisions=(Basis("submission", ANSWERED, None, None),))
    item = entry.item_id
    if item in now.settlements or item in now.full:
        return replace(entry, progress="done", decisions=now.basis(item))
    return replace(entry, progress="begun" if now.begun.get(item) else "not_begun")


def _digest(entry: Recheck, words: Mapping[int, UnitWords]) -> str:
    """Return a digest of the current wording."""
    there = [words[number] for number in entry.now_ids if number in words]
    said = [[each.place, each.heading, each.text, each.deleted] for each in there]
    text = json.dumps([entry.reason, str(entry.became), said], ensure_ascii=False)
    return text_hash(text)


_Row = tuple[LawCheck, str | None]


def _checks(session: Session, items: Iterable[int]) -> dict[tuple[int, int], list[_Row]]:
    """Return all checks of the items by item and unit, oldest first."""
    wanted = set(items)
    return grouped(
        ((row.item_id, row.unit_id), (row, name))
        for row, name in authored(session, LawCheck)
        if row.item_id in wanted
    )


def _check_in_force(rows: Sequence[_Row], digest: str) -> _Row | None:
    """Return the last check made on this wording, unless it was reopened since."""
    last = next((each for each in reversed(rows) if each[0].wording == digest), None)
    return None if last is None or last[0].kind == "reopen" else last


def _state(check: _Row | None, item_id: int, now: Standing) -> State:
    """Return the state of an entry after this decision on it, None for none."""
    if check is None:
        return "waiting"
    row = check[0]
    if row.kind != "send_back":
        return "confirmed" if row.kind == "confirm" else "set_aside"
    if row.settlement_id is not None:
        made = now.settlements.get(item_id)
        again = made is not None and made[0] != row.settlement_id
        return "redone" if again else "sent_back"
    if item_id in now.full and not set(row.annotation_ids) & set(now.numbers(item_id)):
        return "redone"
    waits = item_id in now.discussed or item_id not in now.full
    return "sent_back" if waits else "waiting"  # recalled, with the old answers current


def _checked(check: _Row | None) -> Checked | None:
    """Return the newest check with its author, None if there is none."""
    if check is None:
        return None
    row, name = check
    return Checked(row.id or 0, row.kind, name, row.at, row.reason)


def newest_check(session: Session, item_id: int, unit_id: int) -> int | None:
    """Return the id of the newest check of an item on a unit, None if there is none."""
    query = select(LawCheck.id).where(LawCheck.item_id == item_id, LawCheck.unit_id == unit_id)
    return session.exec(query.order_by(col(LawCheck.id).desc()).limit(1)).first()


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
    rests = list(resting_of(task).rests(scope, items))
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
    """Return the semantic id that an amended unit has now, None if it has none."""
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
