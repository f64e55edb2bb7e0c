"""Amendment watch over all tasks: one queue, its counts, both wordings, and people's responses.

The entries are derived (`annotation.gold.rechecks`, `annotation.gold.amended_items`). The
Amendments page and the command line both use these functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotation.gold.amended_items import amended
from annotation.gold.law_checks import KINDS, Kind, add_check
from annotation.gold.rechecks import Recheck, State, decided_items
from annotation.gold.resting import tasks_called
from annotation.people.roles import Act, reading_as
from messages import say
from services.law.activation import mapping_entries
from storage.db.workspace import Workspace
from storage.law.corpus import project_snapshots
from storage.law.units import UnitWords, unit_words
from storage.tasks import Task

__all__ = ["KINDS", "Kind", "add_check"]

_STATES: tuple[State, ...] = ("waiting", "sent_back", "set_aside", "redone", "confirmed")


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Numbers of items of a task, in all and by state with respect to amended law.

    Each item is counted once: as ``waiting`` for review, ``sent_back`` to be redone, ``set_aside``,
    ``redone`` or ``confirmed`` since; as resting on ``unchanged`` provisions; or as ``unknown``,
    where no provision is recorded. They add up to `items`.
    """

    task: str
    items: int
    waiting: int
    sent_back: int
    set_aside: int
    redone: int
    confirmed: int
    unchanged: int
    unknown: int

    @property
    def unconfirmed(self) -> int:
        """Number of items on amended law that nobody has confirmed or redone."""
        return self.waiting + self.sent_back + self.set_aside


@dataclass(frozen=True, slots=True)
class LawWatch:
    """The queue of the requested tasks, by task and item, with counts."""

    entries: tuple[Recheck, ...]
    counts: tuple[TaskCounts, ...]

    @property
    def open(self) -> tuple[Recheck, ...]:
        """Entries that are waiting, or sent back and not redone."""
        return tuple(each for each in self.entries if each.state in ("waiting", "sent_back"))

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return {
            "tasks": [asdict(each) for each in self.counts],
            "entries": [each.as_dict() for each in self.entries],
        }


@dataclass(frozen=True, slots=True)
class Wordings:
    """An entry's provision as the item rests on it, and its current wording.

    `old` is None for a provision added later, `new` empty for one removed.
    """

    old: UnitWords | None
    new: tuple[UnitWords, ...]


def law_watch(
    ws: Workspace,
    project_slug: str,
    *,
    by: int | None = None,
    task: str = "",
    snapshot_id: int | None = None,
) -> LawWatch:
    """Return the queue of a task, or of all, and the number of items in each state.

    Items are compared with the snapshot in use unless another is named. Annotators get their own.
    Raises UserError for an unknown project, person, task or snapshot.
    """
    chosen = tasks_called(task)
    found = amended(ws, project_slug, chosen, by=by, snapshot_id=snapshot_id, count=True)
    entries = [entry for each in found for entry in each.entries]
    counts = [_counts(each.task, each.items, each.states, each.unknown or 0) for each in found]
    if Task.CITATION_MAPPING in chosen:
        mapped = mapping_entries(ws, project_slug, by, snapshot_id)
        entries = [*mapped, *entries]
        items, decided = decided_items(ws, project_slug, by)
        states = Counter[State]({"waiting": len({each.item_id for each in mapped})})
        unknown = items - decided  # without a readable decision
        counts.insert(0, _counts(Task.CITATION_MAPPING, items, states, unknown))
    return LawWatch(tuple(entries), tuple(counts))


def wordings(ws: Workspace, project_slug: str, entry: Recheck, by: int | None = None) -> Wordings:
    """Return both wordings of an entry, from the project's own law only.

    Raises UserError for an unknown project, and for `by` who may not read the law.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        ours = {each.id for each in project_snapshots(session, project)}
        words = unit_words(session, {entry.unit_id, *entry.now_ids})
        found = {number: each for number, each in words.items() if each.snapshot_id in ours}
    now = tuple(found[number] for number in entry.now_ids if number in found)
    return Wordings(found.get(entry.unit_id), now)


def change_in_words(entry: Recheck, language: str = "en") -> str:
    """Describe the change to an entry's provision, or to what cites it."""
    if entry.became is not None:
        return say(f"compare.status.{entry.became}", language)
    return say(f"compare.recheck.{entry.reason}", language)


def unconfirmed(ws: Workspace, project_slug: str, tasks: Sequence[Task]) -> dict[str, int]:
    """Count, for a datasheet, items of the tasks on amended law by confirmation."""
    watched = amended(ws, project_slug, tasks, count=True)
    found = sum((each.states for each in watched), Counter[State]())
    done = found["confirmed"] + found["redone"]
    return {
        "items resting on provisions amended since, not confirmed": found.total() - done,
        "of them set aside with a reason": found["set_aside"],
        "items resting on provisions amended since, confirmed or done again": done,
        "items resting on no provision known": sum(each.unknown or 0 for each in watched),
    }


def unconfirmed_lines(counts: Mapping[str, int]) -> list[str]:
    """Format the nonzero counts of `unconfirmed`, one line each."""
    return [f"{count:,} {what}." for what, count in counts.items() if count]


def _counts(task: str, items: int, states: Mapping[State, int], unknown: int) -> TaskCounts:
    """Return the counts of a task's items, those in no state and not unknown as unchanged."""
    by_state = {name: states.get(name, 0) for name in _STATES}
    unchanged = items - sum(by_state.values()) - unknown
    return TaskCounts(task=task, items=items, **by_state, unchanged=unchanged, unknown=unknown)
