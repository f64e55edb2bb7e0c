"""Readings of the law in use: made by models, stored per unit, and counted.

Readings of one unit, by each model and by the rules that stand in for one, and their counts over
all units are parsed from cached calls; only `read_units` calls the workspace's model, ahead of the
methods that need it. Its replies are cached as they arrive, so stopped work resumes, and methods
that read the same units with the same model and prompts ask nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.people.roles import Act, reading_as
from corpus.graph.model import Graph
from corpus.long_work import Progress
from corpus.model import Tier
from errors import UserError, Where
from llm.roles import Endpoint
from retrieval.core.model import Document
from retrieval.readings.model import Kind, Reading, ReadingCost, State, UnitReader
from retrieval.readings.model_reader import PROMPTS, ModelReader
from retrieval.readings.stand_in import StandIn
from services.models.llm_adapter import NOT_ASKED, KeptReplies, PastModel, ProjectAsker, past_models
from services.models.workspace_models import model_names
from services.runs.methods.preparation import document_of, resources, searched_corpus
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.law.graph import METHOD as GRAPH_METHOD
from storage.law.neighbours import edges_of_text, unit_numbers
from storage.law.passages import passages_by_id
from storage.runs.search_levels import levels_searched

ALL_PROMPTS = tuple(dict.fromkeys(name for names in PROMPTS.values() for name in names))


@dataclass(frozen=True, slots=True)
class ReaderName:
    """A reader: a model with its settings; without a model, the stand-in.

    `name` is its display name among the readers beside it, "" for the stand-in.
    """

    name: str = ""
    model: str = ""
    server: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stands_in(self) -> bool:
        """Whether it is the stand-in."""
        return not self.model

    @property
    def settings(self) -> str:
        """Settings in one line: ``max_tokens=1024, temperature=0``."""
        return ", ".join(f"{key}={value}" for key, value in sorted(self.parameters.items()))


@dataclass(frozen=True, slots=True)
class KeptReading:
    """One reader's reading of a unit for one kind, with the cost of its calls."""

    by: ReaderName
    reading: Reading
    cost: ReadingCost = field(default_factory=ReadingCost)

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return {
            "reader": "stand_in" if self.by.stands_in else self.by.model,
            "server": self.by.server,
            "parameters": dict(self.by.parameters),
            **asdict(self.reading),
            "cost": self.cost.as_json(),
        }


@dataclass(frozen=True, slots=True)
class UnitReadings:
    """Readings of a unit by kind, the stand-in's first.

    `title` is the unit's display name. A model never asked for a kind has none of it.
    """

    unit_id: str
    title: str
    readings: Mapping[Kind, Sequence[KeptReading]]

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        every = [each.as_dict() for some in self.readings.values() for each in some]
        return {"unit": self.unit_id, "title": self.title, "readings": every}


def unit_readings(
    ws: Workspace, project_slug: str, unit_id: str, by: int | None = None
) -> UnitReadings:
    """Return a unit's stored readings by the project's current prompts, and the stand-in's.

    Raises UserError for an unknown project, one without law, and a unit that it lacks.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project).id
        passage = passages_by_id(session, snapshot, [unit_id]).get(unit_id)
        here = unit_numbers(session, snapshot, [unit_id])
    if passage is None or unit_id not in here:
        raise UserError("readings_unit_unknown", unit=unit_id)
    document = document_of(passage)
    stand_in = StandIn(lambda: graph_around(ws, unit_id, here[unit_id]), GRAPH_METHOD)
    found = {kind: [KeptReading(ReaderName(), stand_in(kind, [document])[0])] for kind in Kind}
    for name, past in readers(ws):
        for kind in kinds_asked(past):
            reader = ModelReader(KeptReplies(ws, project_slug, past.endpoint))
            [reading] = reader(kind, [document])
            if not never_asked(reading):
                found[kind].append(KeptReading(name, reading, reader.cost))
    return UnitReadings(unit_id, passage.title or unit_id, found)


def never_asked(reading: Reading) -> bool:
    """Return True if a reading is missing because no model was asked."""
    return reading.state is State.FAILED and reading.problem == NOT_ASKED


def readers(ws: Workspace) -> list[tuple[ReaderName, PastModel]]:
    """Return the models that have read anything, by first call."""
    past = past_models(ws, ALL_PROMPTS)
    short = model_names(each.endpoint for each in past)
    often = Counter((each.endpoint.server, each.endpoint.model) for each in past)
    return [(_reader_name(each.endpoint, short, often), each) for each in past]


def _reader_name(
    endpoint: Endpoint,
    short: Mapping[tuple[str, str], str],
    often: Mapping[tuple[str, str], int],
) -> ReaderName:
    """Return a model as a reader, called with its settings where models share its name."""
    key = endpoint.server, endpoint.model
    parameters = {"max_tokens": endpoint.max_tokens, **endpoint.parameters}
    named = ReaderName(short[key], endpoint.model, endpoint.server, parameters)
    if often[key] == 1:
        return named
    return ReaderName(f"{short[key]} ({named.settings})", *key[::-1], parameters)


def kinds_asked(past: PastModel) -> list[Kind]:
    """Return the kinds that a model has been asked for.

    Phrases are requested on the way to triples, so only the later prompt indicates triples.
    """
    told_by = {kind: PROMPTS[kind][-1] for kind in Kind} | {Kind.GRAPH: PROMPTS[Kind.GRAPH][0]}
    return [kind for kind in Kind if told_by[kind] in past.prompts]


def graph_around(ws: Workspace, unit_id: str, number: int) -> Graph:
    """Return the part of the citation graph that the stand-in needs for one unit.

    That is what the unit cites, and what defines the terms it uses; the whole graph would take
    seconds. `number` is the unit's database id.
    """
    with ws.reading() as session:
        edges = edges_of_text(session, number)
    ends = (end for edge in edges for end in (edge.source, edge.target))
    return Graph(dict.fromkeys([unit_id, *ends], Tier.ACT), edges)  # tiers do not matter to it


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
        """Number of units that the reader was asked about."""
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
    """Count stored readings of the law in use by the current prompts, per reader and kind.

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
        """Count a reader's readings of a kind by state, and collect those that failed."""
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
        """Keep a reading that failed, up to a limit."""
        bad = reading.state not in (State.READ, State.EMPTY)
        if bad and len(self.unread) < MOST_FAILURES:
            self.unread.append(Unread(by, reading, document.title))

    def _tell(self, done: int) -> None:
        """Report progress."""
        self._done += done
        if self._progress:
            self._progress(self._done, self._total)


@dataclass(frozen=True, slots=True)
class ReadUnits:
    """Numbers of units by result of reading; `cost` includes cached calls."""

    kind: Kind
    units: int
    states: Mapping[State, int]
    cost: ReadingCost

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        states = {state.value: self.states.get(state, 0) for state in State}
        return {"kind": self.kind, "units": self.units, **states, "cost": self.cost.as_json()}


def read_units(
    ws: Workspace,
    project_slug: str,
    kind: Kind,
    by: int | None = None,
    *,
    statute: str = "",
    most: int | None = None,
    progress: Progress | None = None,
) -> ReadUnits:
    """Have the model read the units that retrieval searches, or those of one statute.

    `statute` is its semantic id; at most `most` units are read, in order of id. `progress` gets
    (units read, units to read). Raises UserError for `by` who may not have models run, for an
    unknown project or statute, and as `ModelReader` does.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        snapshot = required_snapshot(session, project).id
        levels = levels_searched(session, project.id)
    documents = searched_corpus(ws, snapshot, levels).documents
    chosen = [each for each in documents if statute in ("", each.statute)][:most]
    if not chosen:
        raise UserError("readings_statute_unknown", Where(field="statute"), statute=statute)
    reader = ModelReader(ProjectAsker(ws, project_slug))
    readings = reader(kind, chosen, progress)
    states = Counter(each.state for each in readings)
    return ReadUnits(kind, len(readings), dict(states), reader.cost)
