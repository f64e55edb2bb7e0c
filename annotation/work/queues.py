"""A person's queue, without anybody else's labels; and which items a batch takes first.

The rules are pure, so that the same data always give the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, bindparam, exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from annotation.people.roles import ProjectMember
from annotation.work.belonging import Belonging, belonging
from annotation.work.draft import ACTS, Status
from storage.tables.core import DraftEvent
from storage.tasks import Task

_FIRST = 10  # of the results of text search, those that an annotator surely looks at
Kept = TypeVar("Kept")


class QueueRow(NamedTuple):
    """An item in a person's queue; `last_act` is the id of the last act that stands, 0 if none.

    `batch_id` is None for an item in no batch; `practice` says that its batch is a practice round,
    `belongs` that the item is in the queue and not only asked for. `discuss` says that it was sent
    back and waits for the person's answer.
    """

    item_id: int
    status: Status
    last_act: int
    batch_id: int | None = None
    practice: bool = False
    belongs: bool = True
    discuss: bool = False

    @property
    def waits(self) -> bool:
        """Whether it waits for the person: not submitted, or sent back to discuss."""
        return self.discuss or self.status != "submitted"


def lines(
    session: Session,
    who: ProjectMember,
    now: datetime,
    beside: int = 0,
    task: str = Task.CITATION_MAPPING,
    hidden: Collection[int] = (),
) -> list[QueueRow]:
    """Return the person's queue of a task: to discuss, practice, batches, all in no batch.

    In a batch items come as its `sequence` says. In the queue is what the person has submitted,
    and what they may submit: items in no batch and in their open batches, on which a slot is free
    for them (`annotation.work.slots`). The item `beside` is in it whether or not it belongs there;
    items that are `hidden` are not in it.
    """
    found = belonging(session, who, now, beside, task, hidden)
    rows = session.execute(_last_acts(), {"person_id": who.person_id})
    acts = {item: (last, kind) for item, last, kind in rows}
    return [_line(item, found, acts.get(item)) for item in found.items]


def worked_on_now(line_up: list[QueueRow]) -> list[QueueRow]:
    """Return the part of a queue that is worked on now: the practice round until it is done.

    What is to be discussed always belongs to it.
    """
    practice = {line.item_id for line in line_up if line.practice and line.belongs}
    undone = any(line.item_id in practice and line.status != "submitted" for line in line_up)
    return [e for e in line_up if e.discuss or e.item_id in practice] if undone else line_up


def _line(item_id: int, found: Belonging, act: tuple[int, str] | None) -> QueueRow:
    last, kind = act or (0, None)
    status: Status = "submitted" if item_id in found.mine else _status(kind)
    at = found.batched.get(item_id)
    batch_id, practice = (None, False) if at is None else (at.batch_id, at.practice)
    belongs, discuss = item_id not in found.outside, item_id in found.discuss
    return QueueRow(item_id, status, last, batch_id, practice, belongs, discuss)


def _status(last_kind: str | None) -> Status:
    if last_kind is None:
        return "todo"
    return "skipped" if last_kind == "skip" else "draft"


@cache  # building the statement takes as long as running it on a small project
def _last_acts() -> Any:
    """Return the last act of the person that stands on each item, and its kind."""
    last = (
        select(func.max(col(DraftEvent.id)))
        .where(col(DraftEvent.person_id) == bindparam("person_id"))
        .where(col(DraftEvent.kind).in_(ACTS), ~_undone())
        .group_by(col(DraftEvent.item_id))
    )
    shown = col(DraftEvent.item_id), col(DraftEvent.id), col(DraftEvent.kind)
    return select(*shown).where(col(DraftEvent.id).in_(last))


@cache
def _undone() -> ColumnElement[bool]:
    undo = aliased(DraftEvent)
    return exists().where(col(undo.undoes_id) == col(DraftEvent.id))


@dataclass(frozen=True, slots=True)
class Offered:
    """What was suggested for an item: how each citation ended, and which units came from where.

    `statuses` are resolved, ambiguous or unresolved. `cited` are the units that the resolver names,
    `found` those among the first ten of text search.
    """

    statuses: tuple[str, ...]
    cited: frozenset[int]
    found: frozenset[int]


def offered(
    citations: Iterable[dict[str, Any]], candidates: Iterable[tuple[int, Sequence[dict[str, Any]]]]
) -> Offered:
    """Return what a candidate set offers, from its stored citations and (unit id, why) rows."""
    cited, found = set(), set()
    for unit_id, why in candidates:
        if any(each["source"] == "citation" for each in why):
            cited.add(unit_id)
        if any(each["source"] == "text" and (each["rank"] or 0) <= _FIRST for each in why):
            found.add(unit_id)
    statuses = tuple(citation["status"] for citation in citations)
    return Offered(statuses, frozenset(cited), frozenset(found))


def informativeness(what: Offered | None) -> float:
    """Return how much a person's answer to the item should teach, from 0 (little) to 2.

    The sum of two shares: of its citations, those that the resolver could not resolve to one
    place; and of the units that the resolver names, those that are not among the first ten that
    text search finds. Where there is nothing to take a share of, it counts as 1: nobody knows yet.
    """
    if what is None:
        return 2.0
    doubtful = sum(status != "resolved" for status in what.statuses)
    doubt = doubtful / len(what.statuses) if what.statuses else 1.0
    apart = len(what.cited - what.found) / len(what.cited) if what.cited else 1.0
    return doubt + apart


def sample(things: Sequence[Kept], size: int, seed: int) -> list[Kept]:
    """Return `size` of the things, drawn without replacement by `seed`, in their old order."""
    drawn = Random(seed).sample(range(len(things)), min(size, len(things)))
    return [things[index] for index in sorted(drawn)]


def spread(things: Sequence[Kept], among: Sequence[Kept], seed: int) -> list[Kept]:
    """Return both: `among` in its order, the other things at places drawn by `seed`."""
    total = len(things) + len(among)
    places = set(Random(seed).sample(range(total), len(things)))
    mixed, rest = iter(Random(seed).sample(list(things), len(things))), iter(among)
    return [next(mixed if place in places else rest) for place in range(total)]
