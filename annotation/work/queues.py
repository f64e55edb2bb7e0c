"""A person's queue, without anybody else's labels; and which items a batch takes first.

The rules are pure: the same data always give the same order.
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

_FIRST = 10  # top results of text search that an annotator surely looks at
Kept = TypeVar("Kept")


class QueueRow(NamedTuple):
    """An item in a person's queue; `last_act` is the id of the last act not undone, 0 if none.

    `batch_id` is None for an item in no batch; `practice`: its batch is a practice round;
    `belongs`: the item is in the queue, not only requested; `discuss`: it was sent back and the
    person has yet to answer.
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
        """True if it is open for the person: not submitted, or sent back to discuss."""
        return self.discuss or self.status != "submitted"


def lines(
    session: Session,
    who: ProjectMember,
    now: datetime,
    beside: int = 0,
    task: str = Task.CITATION_MAPPING,
    hidden: Collection[int] = (),
) -> list[QueueRow]:
    """Return the person's queue of a task: discussions, practice, batches, then items in no batch.

    Within a batch items are in the order of its `sequence`. The queue holds what the person has
    submitted and what they may submit: items in no batch and in their open batches with a free slot
    (`annotation.work.slots`). The item `beside` is always included; `hidden` items never are.
    """
    found = belonging(session, who, now, beside, task, hidden)
    rows = session.execute(_last_acts(), {"person_id": who.person_id})
    acts = {item: (last, kind) for item, last, kind in rows}
    return [_line(item, found, acts.get(item)) for item in found.items]


def worked_on_now(line_up: list[QueueRow]) -> list[QueueRow]:
    """Return the part of a queue to work on now: a practice round until it is done, else all.

    Items to be discussed are always included.
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
    """Select the person's last act on each item that is not undone, and its kind."""
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
    """Suggestions for an item: the status of each citation, and the units by source.

    `statuses` are resolved, ambiguous or unresolved. `cited` are the units named by the citation
    resolver, `found` those in the top ten of text search.
    """

    statuses: tuple[str, ...]
    cited: frozenset[int]
    found: frozenset[int]


def offered(
    citations: Iterable[dict[str, Any]], candidates: Iterable[tuple[int, Sequence[dict[str, Any]]]]
) -> Offered:
    """Return a candidate set's suggestions from its stored citations and (unit id, why) rows."""
    cited, found = set(), set()
    for unit_id, why in candidates:
        if any(each["source"] == "citation" for each in why):
            cited.add(unit_id)
        if any(each["source"] == "text" and (each["rank"] or 0) <= _FIRST for each in why):
            found.add(unit_id)
    statuses = tuple(citation["status"] for citation in citations)
    return Offered(statuses, frozenset(cited), frozenset(found))


def informativeness(what: Offered | None) -> float:
    """Return the expected informativeness of an answer to the item, from 0 (low) to 2 (high).

    The sum of two shares: citations that the resolver could not resolve to one place; and units
    named by the resolver that are not in the top ten of text search. A share of nothing counts as
    1, since it is unknown.
    """
    if what is None:
        return 2.0
    doubtful = sum(status != "resolved" for status in what.statuses)
    doubt = doubtful / len(what.statuses) if what.statuses else 1.0
    apart = len(what.cited - what.found) / len(what.cited) if what.cited else 1.0
    return doubt + apart


def sample(things: Sequence[Kept], size: int, seed: int) -> list[Kept]:
    """Draw `size` things without replacement by `seed`, in their original order."""
    drawn = Random(seed).sample(range(len(things)), min(size, len(things)))
    return [things[index] for index in sorted(drawn)]


def spread(things: Sequence[Kept], among: Sequence[Kept], seed: int) -> list[Kept]:
    """Mix `things`, shuffled, into `among` at places drawn by `seed`; `among` keeps its order."""
    total = len(things) + len(among)
    places = set(Random(seed).sample(range(total), len(things)))
    mixed, rest = iter(Random(seed).sample(list(things), len(things))), iter(among)
    return [next(mixed if place in places else rest) for place in range(total)]
