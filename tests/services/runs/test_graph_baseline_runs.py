"""Runs of methods that read the law first: by rules, and with a scripted server's model."""

from __future__ import annotations

import json

import pytest

from retrieval.core.presets import PRESETS
from services.runs.costs import Unanswered, unanswered
from services.runs.retrieving import retrieve
from services.runs.rows import run_reading_notes
from services.runs.scoring import score_run
from storage.runs.experiments import records_of
from tests.llm.server import Step
from tests.llm.serving import serving
from tests.projects.small_law import SLUG

pytestmark = pytest.mark.usefixtures("decided")

LSA = {"method": "lsa", "dimensions": 3, "min_df": 1}
HIPPO = {"method": "hipporag2", "base": LSA}
MODEL = HIPPO | {"reader": "model", "recognition": "model"}
LIGHT = {"method": "lightrag", "base": LSA | {"dimensions": 8}}
PIKE = {"method": "pikerag", "base": LSA | {"dimensions": 8}}
RECOGNITION, PHRASES, TRIPLES = '{"facts":', '{"phrases":', '{"triples":'


def notes(ws, run):
    with ws.reading() as session:
        return records_of(session, [run])[run].cost["notes"]


@pytest.mark.parametrize("spec", [PRESETS["nativerag"], HIPPO, LIGHT, PIKE])
def test_by_rules_they_run_without_a_model_and_say_what_was_read(ws, spec) -> None:
    run = retrieve(ws, SLUG, spec, k=5)
    assert retrieve(ws, SLUG, spec, k=5) == run
    assert any(score_run(ws, run).hits.values())
    assert unanswered({"notes": notes(ws, run)}) == Unanswered()
    # Another run over the index that was kept says the same of it.
    assert notes(ws, retrieve(ws, SLUG, spec, k=4)) == notes(ws, run)
    if spec["method"] != "nativerag":
        assert notes(ws, run)[f"{spec['method']}.read_read"] > 3
    if spec is HIPPO:
        stood_in, all_kept, *_ = run_reading_notes(ws, run)
        assert "reader: stand_in" in stood_in and f"Run {run}" in stood_in
        assert "recognition: none" in all_kept


def says(asked: str) -> str:
    """Answer each prompt by the form that it asks for."""
    if RECOGNITION in asked:
        return json.dumps({"facts": [1]})
    if TRIPLES in asked:
        fact = {"subject": "나룻배", "predicate": "갖춘다", "object": "등불"}
        return json.dumps({"triples": [fact]}, ensure_ascii=False)
    return json.dumps({"phrases": ["나룻배", "등불"]}, ensure_ascii=False)


def kinds(server):
    told = [seen.body["messages"][-1]["content"] for seen in server.seen]
    return [sum(kind in each for each in told) for kind in (PHRASES, TRIPLES, RECOGNITION)]


def test_a_model_reads_each_unit_twice_and_recognises_facts_once_a_question(ws) -> None:
    with serving(ws) as server:
        server.says = says
        run = retrieve(ws, SLUG, MODEL, k=5)
        phrases, triples, recognised = kinds(server)
        assert phrases == triples > 3 and recognised > 1
        assert unanswered({"notes": notes(ws, run)}) == Unanswered(asked=recognised)
        retrieve(ws, SLUG, MODEL | {"damping": 0.8, "passage_weight": 1}, k=5)
        assert kinds(server) == [phrases, triples, recognised]  # another index, read anew for free


def test_what_a_model_does_not_read_or_recognise_is_counted(ws) -> None:
    with serving(ws) as server:
        server.says = says
        server.on("구명조끼의 수는", Step("refuse", text="no"))
        server.on(RECOGNITION, Step("refuse", text="no"))
        run = retrieve(ws, SLUG, MODEL, k=5)
    found = notes(ws, run)
    assert found["hipporag2.read_refused"] == 1
    unread, _, without = run_reading_notes(ws, run)
    assert "1 of " in unread and "(1 refused, 0 unreadable, 0 failed)" in unread
    assert "there the dense base ranked alone" in without
    assert found["hipporag2.refused"] == found["hipporag2.asked"] > 1
    plain = retrieve(ws, SLUG, LSA, k=5)
    assert score_run(ws, run).hits == score_run(ws, plain).hits
