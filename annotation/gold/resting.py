"""Provisions that the items of each task rest on: a registry, and one reader per task.

A task's reader is in the task's own room as `RESTS`. It returns for each item what it was made of
(units of its law, and places named there) and which of its texts cite law. Resolving the citations
and comparing with amendments is the same for every task (`annotation.gold.amended_items`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, TypeVar

from sqlmodel import Session, col, func, select

from annotation.people.roles import ProjectMember
from annotation.work.registry import ENTRIES, object_of, tasks_with
from annotation.work.submissions import full_items, is_current
from annotation.work.visibility import is_blind, submitted_by
from errors import UserError, Where
from storage.overlap import for_gold, newest_not_withdrawn
from storage.projects import ProjectView
from storage.tables.core import Annotation, CandidateSet, Item, Settlement, SnapshotUse
from storage.tasks import Task, of_task

Found = TypeVar("Found")
WATCHED = tasks_with("rests")
"""The form tasks whose items are watched, in the order of the screens. Citation mapping is handled
separately, since its decisions are on units (`annotation.gold.rechecks`)."""

Via = Literal["source", "cited", "gold", "codebook"]
"""How an item rests on a provision: made of it, citing it, gold of its question, or codebook.

``codebook``: the codebook cites it where it asks what was answered.
"""
TextKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class CitingText:
    """A text of an item in which law may be cited; equal keys of a task have the same text.

    `snapshot_id` is the law in which its citations were resolved.
    """

    key: TextKey
    snapshot_id: int
    via: Via = "cited"


@dataclass(frozen=True, slots=True)
class Rests:
    """The provisions that one item rests on.

    `units` are database ids in the law it was made on, `places` semantic ids with their snapshot,
    `texts` those that may cite more.
    """

    item_id: int
    units: tuple[tuple[int, Via], ...] = ()
    places: tuple[tuple[str, int, Via], ...] = ()
    texts: tuple[CitingText, ...] = ()


class Resting:
    """A task's reader of the provisions that its items rest on."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> Iterable[Rests]:
        """Return the provisions each item rests on, as far as the viewer of `scope` may know."""
        raise NotImplementedError

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return the texts of the keys, each as parts to be resolved in order; none cite law."""
        return {}


@dataclass
class Scope:
    """Project and reader; `who` is None for the operator.

    What holds for all items of the project is read once, for as many tasks as are asked for.
    """

    session: Session
    project: ProjectView
    who: ProjectMember | None
    _found: dict[Callable[[Scope], Any], Any] = field(default_factory=dict, repr=False)

    def once(self, read: Callable[[Scope], Found]) -> Found:
        """Return the result of `read` in this scope, cached."""
        if read not in self._found:
            self._found[read] = read(self)
        found: Found = self._found[read]
        return found

    @property
    def project_id(self) -> int:
        """The project's id."""
        return self.project.id

    @property
    def blind(self) -> bool:
        """True if others' labels are hidden from the reader."""
        return is_blind(self.who)

    def law_at(self, at: datetime) -> int:
        """Return the snapshot in use at that time; before any, the first one, else 0."""
        place = bisect_right(self._uses, at, key=itemgetter(0))
        return self._uses[max(place - 1, 0)][1] if self._uses else 0

    @cached_property
    def _uses(self) -> list[tuple[datetime, int]]:
        """When each snapshot came into use in the project, in order."""
        query = select(SnapshotUse.at, SnapshotUse.snapshot_id)
        query = query.where(SnapshotUse.project_id == self.project_id)
        return list(self.session.exec(query.order_by(col(SnapshotUse.id))).all())

    def items(self, task: Task, item_id: int | None = None) -> list[Item]:
        """Return the items of the task that the reader may know of, in queue order.

        Annotators get only those that they have submitted, since an item may reveal its provisions
        step by step.
        """
        query = select(Item).where(of_task(self.project_id, task)).order_by(col(Item.order))
        if item_id is not None:
            query = query.where(Item.id == item_id)
        found = list(self.session.exec(query))
        if self.who is None or not self.blind:
            return found
        mine = submitted_by(self.session, self.who)
        return [each for each in found if each.id in mine]

    def made_on(self, items: Iterable[Item]) -> dict[int, int]:
        """Return the id of the snapshot of each item's first candidate set, by item."""
        made, numbers = self._made_on, (each.id or 0 for each in items)
        return {number: made[number] for number in numbers if number in made}

    @cached_property
    def _made_on(self) -> dict[int, int]:
        """Snapshot of each item's first candidate set, by item."""
        first = select(func.min(CandidateSet.id)).group_by(col(CandidateSet.item_id))
        query = (
            select(CandidateSet.item_id, CandidateSet.snapshot_id)
            .join(Item)
            .where(Item.project_id == self.project_id, col(CandidateSet.id).in_(first))
        )
        return dict(self.session.exec(query).all())

    def decided_on(self, items: Iterable[Item]) -> dict[int, int]:
        """Return the id of the snapshot in use when each item was decided, by item.

        That is at the adjudicator's decision, else at the earliest current submission (for
        annotators: their own), else when the item was made.
        """
        decided = self._decided_on
        return {item: decided.get(item, law) for item, law in self.made_on(items).items()}

    @cached_property
    def _decided_on(self) -> dict[int, int]:
        """Snapshot in use when each item was first submitted or decided, by item.

        As far as the reader may know: a blind one of their own submissions.
        """
        here = Item.project_id == self.project_id
        query = (
            select(Annotation.item_id, func.min(Annotation.at))
            .join(Item)
            .where(here, is_current(), for_gold())
            .group_by(col(Annotation.item_id))
        )
        if self.who is not None and self.blind:
            query = query.where(Annotation.person_id == self.who.person_id)
        times = dict(self.session.exec(query).all())
        if not self.blind:
            decided = select(Settlement.item_id, Settlement.at)
            decided = decided.join(Item)
            decided = decided.where(here, newest_not_withdrawn(Settlement))
            times |= dict(self.session.exec(decided).all())
        return {item: self.law_at(at) for item, at in times.items()}

    def current_submissions(self, task: Task) -> dict[int, tuple[int, int]]:
        """Return (item, snapshot) of the current submissions that the reader may see, by id.

        Those on complete items; for annotators, their own.
        """
        query = select(Annotation.id, Annotation.item_id, Annotation.snapshot_id)
        query = query.join(Item)
        query = query.where(of_task(self.project_id, task), is_current())
        if self.who is not None and self.blind:
            query = query.where(Annotation.person_id == self.who.person_id)
        else:
            full = full_items(of_task(self.project_id, task))
            query = query.where(col(Annotation.item_id).in_(full))
        return {number or 0: (item, law) for number, item, law in self.session.exec(query)}


def resting_of(task: Task) -> Resting:
    """Return the reader of a task that lists the provisions its items rest on."""
    found: Resting = object_of(task, "rests")
    return found


def tasks_called(name: str) -> tuple[Task, ...]:
    """Return the tasks watched for amendments that have this name, short or full; all for "".

    Raises UserError for another name.
    """
    every = (Task.CITATION_MAPPING, *WATCHED)
    if not name:
        return every
    found = tuple(each for each in every if name in (each, ENTRIES[each].short))
    if not found:
        known = ", ".join(dict.fromkeys(ENTRIES[each].short for each in every))
        raise UserError("task_unwatched", Where(field="task"), task=name, known=known)
    return found
