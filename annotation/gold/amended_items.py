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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.forms.submissions import complete_items, submissions_so_far
from annotation.gold.cited_units import Cite, Read, cites
from annotation.gold.rechecks import (
    Basis,
    Checked,
    Reason,
    Recheck,
    State,
    changed_to,
    law_to_compare,
    unit_changes,
)
from annotation.gold.resting import WATCHED, Rests, Scope, Via, resting_of
from annotation.law import Change
from annotation.people.roles import Act, reading_as
from annotation.work.discussions import open_discussions
from annotation.work.submissions import is_current
from corpus.citations.model import Status as CiteStatus
from corpus.compare.model import Status
from normalization.grouping import grouped, nested
from normalization.hashing import text_hash
from storage.db.workspace import Workspace
from storage.law.corpus import units_called
from storage.law.counterparts import Counterpart
from storage.law.units import UnitWords, unit_words
from storage.overlap import for_gold
from storage.tables.core import Annotation, Item, Person
from storage.tables.law import LawCheck
from storage.tasks import Task, of_task

ANSWERED = "answered"  # value for a decision on a form; the task shows its answers


@dataclass(frozen=True, slots=True)
class Standing:
    """Current state of a task's items: complete ones, submissions, decisions, discussions."""

    full: frozenset[int]
    begun: Mapping[int, int]
    submissions: Mapping[int, Mapping[int, Basis]]
    settlements: Mapping[int, tuple[int, Basis]]
    discussed: frozenset[int]

    def basis(self, item_id: int) -> tuple[Basis, ...]:
        """Return the decisions on the item that the reader may see."""
        if item_id in self.settlements:
            return (self.settlements[item_id][1],)
        if item_id not in self.full:
            return ()
        return tuple(self.submissions.get(item_id, {}).values())


def standing_on(session: Session, project_id: int, task: Task) -> Standing:
    """Return the current state of a task's items, for a reader of others' labels."""
    query = (
        select(Annotation.item_id, Annotation.id, Person.name, Annotation.at)
        .join(Person)
        .join(Item)
        .where(of_task(project_id, task), is_current(), for_gold())
        .order_by(col(Person.name), col(Annotation.id))
    )
    made = nested(
        (item, number or 0, Basis("submission", ANSWERED, name, at))
        for item, number, name, at in session.exec(query)
    )
    decided = {
        item: (each.settlement_id, Basis("adjudication", ANSWERED, each.person, each.at))
        for item, each in current_decisions(session, project_id, task).items()
    }
    return Standing(
        full=complete_items(session, project_id, task),
        begun=submissions_so_far(session, project_id, task),
        submissions=made,
        settlements=decided,
        discussed=frozenset(open_discussions(session, project_id)),
    )


def entry_states(scope: Scope, task: Task, entries: Sequence[Recheck]) -> list[Recheck]:
    """Return the entries with their latest check and the state of their items."""
    if not entries:
        return []
    session = scope.session
    words = unit_words(session, {now for each in entries for now in each.now_ids})
    query = select(LawCheck, Person.name).outerjoin(Person)
    newest = {
        (row.item_id, row.unit_id, row.wording): (row, name)
        for row, name in session.exec(query.order_by(col(LawCheck.id)))
    }
    now = standing_on(session, scope.project_id, task)
    found = []
    for each in entries:
        digest = _digest(each, words)
        row, name = newest.get((each.item_id, each.unit_id, digest), (None, None))
        if row is None or row.kind == "reopen":
            told = replace(each, wording=digest)
        else:
            check = Checked(row.id or 0, row.kind, name, row.at, row.reason)
            told = replace(each, wording=digest, state=_state(row, now), check=check)
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
    """Return a digest of an entry's reason, kind of change and current wording."""
    there = [words[number] for number in entry.now_ids if number in words]
    said = [[each.place, each.heading, each.text, each.deleted] for each in there]
    return text_hash(json.dumps([entry.reason, str(entry.became), said], ensure_ascii=False))


def _state(check: LawCheck, now: Standing) -> State:
    """Return the state of an entry after this check of it."""
    item = check.item_id
    if check.kind != "send_back":
        return "confirmed" if check.kind == "confirm" else "set_aside"
    if check.settlement_id is not None:
        made = now.settlements.get(item)
        again = made is not None and made[0] != check.settlement_id
        return "redone" if again else "sent_back"
    if item in now.full and not now.submissions.get(item, {}).keys() & set(check.annotation_ids):
        return "redone"
    waits = item in now.discussed or item not in now.full
    return "sent_back" if waits else "waiting"  # recalled, with the old answers current


def newest_check(session: Session, item_id: int, unit_id: int) -> int | None:
    """Return the id of the newest check of an item on a unit, None if there is none."""
    query = select(LawCheck.id).where(LawCheck.item_id == item_id, LawCheck.unit_id == unit_id)
    return session.exec(query.order_by(col(LawCheck.id).desc()).limit(1)).first()


_PROGRESS: tuple[State, ...] = ("waiting", "sent_back", "set_aside", "redone", "confirmed")


@dataclass(frozen=True, slots=True)
class Watched:
    """The items of a task that rest on amended provisions, with the total for comparison.

    `items` counts all that the reader may know of, `unknown` those without known provisions; None
    if not requested.
    """

    task: Task
    entries: tuple[Recheck, ...]
    items: int
    unknown: int | None

    @property
    def states(self) -> Counter[State]:
        """Number of items per state; an item has the least finished state of its entries."""
        least: dict[int, State] = {}
        for entry in self.entries:
            before = least.get(entry.item_id, entry.state)
            least[entry.item_id] = min(before, entry.state, key=_PROGRESS.index)
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
    units = {unit for mine in grounds.values() for unit in mine}
    changes = unit_changes(ws, scope.session, units, law)
    entries = entry_states(scope, task, _entries(scope, task, items, grounds, changes, law))
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
        law = law_to_compare(session, project, snapshot_id)
        if not law:
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
    named = list(_named_units(rests, read, law))
    names = grouped((snapshot, name) for _, snapshot, name, *_ in named)
    numbers = {law: units_called(session, law, {*some}) for law, some in names.items()}
    found: _Grounds = {each.item_id: {} for each in rests}
    for each in rests:
        for unit, via in each.units:
            found[each.item_id].setdefault(unit, _Ground()).via.add(via)
    for item, snapshot, name, via, now in named:
        if (number := numbers[snapshot].get(name)) is not None:
            ground = found[item].setdefault(number, _Ground())
            ground.via.add(via)
            if now is not None and now.status is CiteStatus.AMBIGUOUS:
                ground.reason, ground.others = "ambiguous", now.units
            elif now is not None and name not in now.units and ground.reason is None:
                ground.reason, ground.others = "lost", now.units
    return found


def _named_units(
    rests: Iterable[Rests], read: Mapping[Read, Sequence[Cite]], law: int
) -> Iterator[tuple[int, int, str, Via, Cite | None]]:
    """Yield (item, snapshot, semantic id, how, the citation now) of places and of cited units."""
    for each in rests:
        for name, snapshot, via in each.places:
            yield each.item_id, snapshot, name, via, None
        for text in each.texts:
            then, now = read.get((text.key, text.snapshot_id), ()), read.get((text.key, law), ())
            for before, after in zip(then, now, strict=True):
                for name in before.units if before.status is CiteStatus.RESOLVED else ():
                    yield each.item_id, text.snapshot_id, name, text.via, after


def _entries(
    scope: Scope,
    task: Task,
    items: Iterable[Item],
    grounds: _Grounds,
    changes: Mapping[int, tuple[Counterpart, Change | None]],
    law: int,
) -> list[Recheck]:
    """Return the doubtful decisions of the items, an entry per unit."""
    found = [
        (item, unit, ground, place, _became(ground, place, change))
        for item in items
        for unit, ground in grounds.get(item.id or 0, {}).items()
        for place, change in (changes[unit],)
        if not place.same or ground.reason is not None
    ]
    here = units_called(scope.session, law, {name for *_, (*_, names) in found for name in names})
    words = unit_words(scope.session, {unit for _, unit, *_ in found})
    entries = [
        Recheck(
            item_id=item.id or 0,
            external_id=item.external_id or "",
            question=item.title or "",
            reason=(place.same and ground.reason) or "amended",
            unit=place.semantic_id,
            place=words[unit].place,
            became=status,
            now=now,
            gold=False,
            decisions=(),
            task=task,
            unit_id=unit,
            now_ids=tuple(here[name] for name in names if name in here),
            via=tuple(sorted(ground.via)),
        )
        for item, unit, ground, place, (status, now, names) in found
    ]
    order = {item.id or 0: at for at, item in enumerate(items)}
    return sorted(entries, key=lambda each: (order[each.item_id], each.unit))


def _became(
    ground: _Ground, counterpart: Counterpart, change: Change | None
) -> tuple[Status | None, str | None, tuple[str, ...]]:
    """Return the unit's kind of change, its id now, and the ids that stand in its place."""
    if counterpart.same:
        return None, None, ground.others
    status, now = changed_to(counterpart, change)
    gone = status is Status.REMOVED or now is None
    return (status, None, ()) if gone else (status, now, (now or "",))
