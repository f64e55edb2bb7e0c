"""Counts of readings of the law in use, by kind and reader, with failures.

No model is called, as in `services.readings.kept`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.people.roles import Act, reading_as
from corpus.progress import Progress
from retrieval.core.model import Document
from retrieval.readings.model import Kind, Reading, ReadingCost, State, UnitReader
from retrieval.readings.model_reader import ModelReader
from retrieval.readings.stand_in import StandIn
from services.models.kept_replies import KeptReplies
from services.readings.kept import ReaderName, kinds_asked, never_asked, readers
from services.runs.methods.preparation import resources, searched_corpus
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.runs.search_levels import levels_searched

_AT_ONCE = 1_000  # units whose readings are in memory at once
MOST_FAILURES = 1_000
ITEMS = ("entities", "relations", "triples", "atoms")


@dataclass(frozen=True, slots=True)
class KindCount:
    """One reader's results for one kind.

    `states` counts units by result, `asked` of `units` in all; `items` counts what was extracted.
    `second` are units whose second pass failed, though the first succeeded.
    """

    by: ReaderName
    kind: Kind
    units: int
    states: Mapping[State, int]
    items: Mapping[str, int]
    second: int
    cost: ReadingCost

    @property
    def asked(self) -> int:
        """Number of units it was asked about."""
        return sum(self.states.values())

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return {
            "reader": "stand_in" if self.by.stands_in else self.by.name,
            "kind": self.kind.value,
            "units": self.units,
            "asked": self.asked,
            **{state.value: self.states.get(state, 0) for state in State},
            **self.items,
            "second": self.second,
            "cost": self.cost.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Unread:
    """A unit that a reader failed on for a kind; `title` is its display name."""

    by: ReaderName
    reading: Reading
    title: str

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return {
            "reader": self.by.name,
            "kind": self.reading.kind.value,
            "unit": self.reading.unit_id,
            "state": self.reading.state.value,
            "problem": self.reading.problem,
        }


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """Readings of the law in use: `units` are those that retrieval searches.

    `unread` holds at most MOST_FAILURES; the counts include all.
    """

    units: int
    counts: tuple[KindCount, ...]
    unread: tuple[Unread, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return {
            "units": self.units,
            "counts": [each.as_dict() for each in self.counts],
            "unread": [each.as_dict() for each in self.unread],
        }


def reading_report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    *,
    stand_in: bool = False,
    progress: Progress | None = None,
) -> ReadingReport:
    """Return the readings of the law in use, with the project's current prompts.

    `stand_in` also reads every unit by the rules that stand in for a model. `progress` gets (units
    done, units) over all readers and kinds. Raises UserError for an unknown project and for one
    without law to search.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project).id
        levels = levels_searched(session, project.id)
    corpus = searched_corpus(ws, snapshot, levels)
    wanted: list[tuple[ReaderName, Kind, UnitReader]] = []
    if stand_in:
        using = resources(ws, snapshot, project_slug)
        rules = StandIn(using.graph, using.settings.get("graph", ""))
        wanted += [(ReaderName(), kind, rules) for kind in Kind]
    for name, past in readers(ws):
        kept = KeptReplies(ws, project_slug, past.endpoint)
        wanted += [(name, kind, ModelReader(kept)) for kind in kinds_asked(past)]
    found = _ReadingCounter(corpus.documents if wanted else (), len(corpus), len(wanted), progress)
    counts = tuple(found.count(*each) for each in wanted)
    return ReadingReport(len(corpus), counts, tuple(found.unread[:MOST_FAILURES]))


class _ReadingCounter:
    """Counter of readings that collects the failures."""

    def __init__(
        self, documents: Sequence[Document], units: int, rounds: int, progress: Progress | None
    ) -> None:
        self.unread: list[Unread] = []
        self._documents, self._units = documents, units
        self._total, self._done, self._progress = units * rounds, 0, progress

    def count(self, by: ReaderName, kind: Kind, read: UnitReader) -> KindCount:
        states: Counter[State] = Counter()
        items: Counter[str] = Counter()
        second = 0
        for start in range(0, len(self._documents), _AT_ONCE):
            documents = self._documents[start : start + _AT_ONCE]
            for document, reading in zip(documents, read(kind, documents), strict=True):
                if never_asked(reading):
                    continue
                states[reading.state] += 1
                items.update({name: len(getattr(reading, name)) for name in ITEMS})
                second += reading.state is State.READ and bool(reading.problem)
                self._keep(by, document, reading)
            self._tell(len(documents))
        some = {name: items[name] for name in ITEMS}
        return KindCount(by, kind, self._units, dict(states), some, second, read.cost)

    def _keep(self, by: ReaderName, document: Document, reading: Reading) -> None:
        bad = reading.state not in (State.READ, State.EMPTY)
        if bad and len(self.unread) < MOST_FAILURES:
            self.unread.append(Unread(by, reading, document.title))

    def _tell(self, done: int) -> None:
        self._done += done
        if self._progress:
            self._progress(self._done, self._total)
