"""State of items that rest on amended law, and people's checks of them.

A check of an entry applies while the provision's wording is the one that was shown: after another
amendment the entry waits again; if the wording returns, so does the check.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from annotation.forms.adjudication import settled
from annotation.forms.submissions import complete, submissions_so_far
from annotation.gold.rechecks import Basis, Checked, Recheck, State
from annotation.gold.resting import Scope
from annotation.work.discussions import open_discussions
from annotation.work.submissions import stands
from normalization.hashing import text_hash
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
        .where(of_task(project_id, task), stands(), for_gold())
        .order_by(col(Person.name), col(Annotation.id))
    )
    made: dict[int, list[tuple[int, Basis]]] = {}
    for item, number, name, at in session.exec(query):
        made.setdefault(item, []).append((number or 0, Basis("submission", ANSWERED, name, at)))
    decided = {
        item: (each.settlement_id, Basis("adjudication", ANSWERED, each.person, each.at))
        for item, each in settled(session, project_id, task).items()
    }
    return Standing(
        full=complete(session, project_id, task),
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
        found.append(_seen(told, now, scope.blind))
    return found


def _seen(entry: Recheck, now: Standing, blind: bool) -> Recheck:
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
    query = select(LawCheck, Person.name).outerjoin(Person, col(Person.id) == LawCheck.person_id)
    found: dict[tuple[int, int], list[_Row]] = {}
    for row, name in session.exec(query.order_by(col(LawCheck.id))):
        if row.item_id in wanted:
            found.setdefault((row.item_id, row.unit_id), []).append((row, name))
    return found


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
    if check is None:
        return None
    row, name = check
    return Checked(row.id or 0, row.kind, name, row.at, row.reason)


def newest_check(session: Session, item_id: int, unit_id: int) -> int | None:
    """Return the id of the newest check of an item on a unit, None if there is none."""
    query = select(LawCheck.id).where(LawCheck.item_id == item_id, LawCheck.unit_id == unit_id)
    return session.exec(query.order_by(col(LawCheck.id).desc()).limit(1)).first()
