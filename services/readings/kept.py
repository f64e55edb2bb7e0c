"""Readings of one unit, by each model and by the rules that stand in for one.

No model is called: the readings are parsed from cached calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.people.roles import Act, reading_as
from corpus.graph.model import Graph
from corpus.model import Tier
from errors import UserError
from llm.roles import Endpoint
from retrieval.readings.model import Kind, Reading, ReadingCost, State
from retrieval.readings.model_reader import ModelReader
from retrieval.readings.replies import PROMPTS
from retrieval.readings.stand_in import StandIn
from services.models.kept_replies import NOT_ASKED, KeptReplies, PastModel, past_models
from services.models.workspace_models import model_names
from services.runs.methods.preparation import document_of
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.law.graph import METHOD as GRAPH_METHOD
from storage.law.neighbours import edges_of_text, unit_numbers
from storage.law.passages import passages_by_id

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
    """Return the readings of a unit of the law in use, with the project's current prompts.

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
