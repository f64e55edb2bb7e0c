"""Readings of a project's law, by a scripted model and by the stand-in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.readings.model import Entity, Kind, State, Triple
from retrieval.readings.model_reader import MODEL, reader_of
from retrieval.readings.stand_in import StandIn
from services.models.llm_adapter import past_models
from services.models.prompts import packaged_body, save_prompt
from services.models.workspace_models import calls
from services.readings import (
    ReaderName,
    UnitReadings,
    read_units,
    reading_report,
    unit_readings,
)
from services.runs.methods.preparation import corpus_of, resources
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.llm.server import Server, Step
from tests.llm.serving import point_at, serving
from tests.projects.project_cache import kept
from tests.projects.readings_law import ACT, SLUG, documents, graph, project
from tests.support.refusals import code_of, refused

REPAIR = "요청한 형식이 아닙니다"
LAMP, BOAT, SCOPE = f"{ACT}_2조", f"{ACT}_3조", f"{ACT}_1조"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("readings", workspace, lambda: project(workspace))
    return workspace


@pytest.fixture
def server(ws: Workspace) -> Iterator[Server]:
    with serving(ws) as made:
        made.says = answer
        yield made


def answer(asked: str) -> str:
    """Say what a model says to each of the prompts, by the form that it asks for."""
    if '"questions"' in asked:
        return json.dumps({"questions": ["등불은 누가 켜는가?"]})
    if '"triples"' in asked:
        return json.dumps(
            {"triples": [{"subject": "나루터지기", "predicate": "켠다", "object": "등불"}]}
        )
    if '"phrases"' in asked:
        return json.dumps({"phrases": ["나루터지기", "등불"]})
    more = "지금까지 찾은 것" in asked
    entity = {"name": "밤" if more else "등불", "type": "때", "description": "켠다"}
    return json.dumps({"entities": [entity], "relations": []})


def by_model(found: UnitReadings, kind: Kind) -> list[tuple[str, State, str]]:
    return [
        (each.by.name, each.reading.state, each.reading.problem)
        for each in found.readings[kind]
        if not each.by.stands_in
    ]


def test_before_any_model_the_stand_in_alone_has_read(ws: Workspace) -> None:
    assert unit_readings(ws, SLUG, LAMP).title == "나루법 제2조 (등불)"
    every = StandIn(graph)
    for name, document in documents().items():
        found = unit_readings(ws, SLUG, name)
        for kind in Kind:
            [only] = found.readings[kind]
            assert only.by == ReaderName()
            assert [only.reading] == every(kind, [document])


def test_what_a_model_read_is_read_out_of_its_kept_replies(ws: Workspace, server: Server) -> None:
    for kind in Kind:
        read_units(ws, SLUG, kind)
    made = len(server.seen)
    assert made == 5 * 5  # phrases are asked for once, for themselves and for triples
    found = unit_readings(ws, SLUG, LAMP)
    assert len(server.seen) == made
    readings = {kind: found.readings[kind][1] for kind in Kind}
    assert {each.by.name for each in readings.values()} == {"m"}
    assert [each.name for each in readings[Kind.GRAPH].reading.entities] == ["등불", "밤"]
    assert readings[Kind.PHRASES].reading.entities == (Entity("나루터지기"), Entity("등불"))
    assert readings[Kind.TRIPLES].reading.triples == (Triple("나루터지기", "켠다", "등불"),)
    assert readings[Kind.ATOMS].reading.atoms == ("등불은 누가 켜는가?",)
    assert [readings[kind].cost.calls for kind in Kind] == [2, 1, 2, 1]
    assert readings[Kind.ATOMS].cost.tokens_in > 0
    json.dumps(found.as_dict())


def test_a_reader_of_a_method_reads_the_same_and_asks_nothing_twice(
    ws: Workspace, server: Server
) -> None:
    done = read_units(ws, SLUG, Kind.GRAPH)
    made = len(server.seen)
    reader = reader_of({"reader": MODEL}, resources(ws, 1, SLUG), "lightrag")
    readings = reader(Kind.GRAPH, corpus_of(ws, 1).documents)
    assert len(server.seen) == made
    assert [each.state for each in readings] == [State.READ] * 5
    assert reader.cost == done.cost
    assert done.cost.calls == made


@pytest.mark.parametrize(
    ("step", "state", "problem"),
    [
        (Step("refuse", text="I will not"), State.REFUSED, "declined"),
        (Step(text="no JSON at all"), State.INVALID, "form"),
        (Step(text='{"questions": []}'), State.EMPTY, ""),
    ],
)
def test_what_could_not_be_read_is_told_with_the_reason(
    ws: Workspace, server: Server, step: Step, state: State, problem: str
) -> None:
    server.on("매어 두어서는", step)
    server.on(REPAIR, step)
    done = read_units(ws, SLUG, Kind.ATOMS)
    assert done.states == {State.READ: 4, state: 1}
    found = unit_readings(ws, SLUG, BOAT)
    assert by_model(found, Kind.ATOMS) == [("m", state, problem)]
    report = reading_report(ws, SLUG)
    [count] = report.counts
    assert (count.by.name, count.kind, count.units, count.asked) == ("m", Kind.ATOMS, 5, 5)
    assert count.states == done.states
    assert count.items["atoms"] == 4
    assert count.cost == done.cost
    unread = [(each.reading.unit_id, each.reading.problem) for each in report.unread]
    assert unread == ([] if state is State.EMPTY else [(BOAT, problem)])
    json.dumps(report.as_dict())


def test_what_may_pass_stops_the_reader_once_the_rest_is_read(
    ws: Workspace, server: Server
) -> None:
    server.on("매어 두어서는", Step("drop"), Step(text=answer('"questions"')))
    assert code_of(read_units, ws, SLUG, Kind.ATOMS) == "readings_failed"
    assert by_model(unit_readings(ws, SLUG, BOAT), Kind.ATOMS) == [("m", State.FAILED, "cut_off")]
    made = len(server.seen)
    assert read_units(ws, SLUG, Kind.ATOMS).states == {State.READ: 5}
    assert len(server.seen) == made + 1


def test_models_and_settings_are_told_apart_and_wordings_of_before_are_not_shown(
    ws: Workspace, server: Server
) -> None:
    read_units(ws, SLUG, Kind.ATOMS, statute=ACT, most=2)
    point_at(ws, server, "max_tokens = 99")
    read_units(ws, SLUG, Kind.ATOMS, statute=ACT, most=1)
    names = [name for name, *_ in by_model(unit_readings(ws, SLUG, SCOPE), Kind.ATOMS)]
    assert names == ["m (max_tokens=1024)", "m (max_tokens=99)"]
    assert [count.asked for count in reading_report(ws, SLUG).counts] == [2, 1]
    body = packaged_body("read_atoms", "ko")
    save_prompt(ws, SLUG, "read_atoms", "ko", f"{body}\n짧게.", "shorter", 1)
    assert by_model(unit_readings(ws, SLUG, SCOPE), Kind.ATOMS) == []
    assert [count.asked for count in reading_report(ws, SLUG).counts] == [0, 0]


def test_calls_of_other_prompts_are_no_readings(ws: Workspace, server: Server) -> None:
    assert past_models(ws, ["read_atoms"]) == []
    read_units(ws, SLUG, Kind.TRIPLES, statute=ACT, most=1)
    assert past_models(ws, ["read_atoms"]) == []
    found = unit_readings(ws, SLUG, SCOPE)
    assert by_model(found, Kind.ATOMS) == by_model(found, Kind.GRAPH) == []
    assert len(by_model(found, Kind.TRIPLES)) == len(by_model(found, Kind.PHRASES)) == 1
    assert [each.calls for each in calls(ws)] == [2]


def test_the_stand_in_is_counted_where_it_is_asked_for(ws: Workspace) -> None:
    assert reading_report(ws, SLUG).counts == ()
    told: list[tuple[int, int]] = []
    report = reading_report(ws, SLUG, stand_in=True, progress=lambda *done: told.append(done))
    assert [count.by.stands_in for count in report.counts] == [True] * 4
    assert [count.states[State.EMPTY] for count in report.counts] == [1] * 4
    assert told == [(5, 20), (10, 20), (15, 20), (20, 20)]


def test_what_is_not_there_is_said(ws: Workspace) -> None:
    assert code_of(unit_readings, ws, SLUG, "nothing_1조") == "readings_unit_unknown"
    with refused("readings_statute_unknown"):
        read_units(ws, SLUG, Kind.ATOMS, statute="nothing")
    assert code_of(read_units, ws, SLUG, Kind.ATOMS) == "models_role_unset"
