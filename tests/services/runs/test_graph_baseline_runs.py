"""Runs of NativeRAG and HippoRAG-2 in a project: by rule, and with a scripted server's model."""

from __future__ import annotations

import json

import pytest

from retrieval.core.presets import PRESETS
from services.runs.costs import Unanswered
from services.runs.methods.preparation import corpus_of, ready, resources
from services.runs.retrieving import retrieve
from services.runs.rows import run_reading_notes, run_unanswered
from services.runs.scoring import score_run
from storage.runs.experiments import records_of
from tests.llm.server import Step
from tests.projects.small_law import SLUG
from tests.services.mcq.mcq_project import serving
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")

LSA = {"method": "lsa", "dimensions": 3, "min_df": 1}
HIPPO = {"method": "hipporag2", "base": LSA}
MODEL = HIPPO | {"reader": "model", "recognition": "model"}
RECOGNITION, PHRASES, TRIPLES = '{"facts":', '{"phrases":', '{"triples":'


def notes(ws, run):
    with ws.reading() as session:
        return records_of(session, [run])[run].cost["notes"]


@pytest.mark.parametrize("name", ["nativerag", "hipporag2"])
def test_presets_run_without_a_model(ws, name) -> None:
    run = retrieve(ws, SLUG, PRESETS[name], k=5)
    assert retrieve(ws, SLUG, PRESETS[name], k=5) == run
    assert any(score_run(ws, run).hits.values())
    assert run_unanswered(ws, run) == Unanswered()


def test_a_run_says_what_was_read_also_where_its_index_was_there(ws) -> None:
    first, deeper = (retrieve(ws, SLUG, HIPPO, k=k) for k in (5, 6))
    assert notes(ws, first) == notes(ws, deeper)
    assert notes(ws, first)["hipporag2.read_read"] > 3
    stood_in, all_kept, *_ = run_reading_notes(ws, first)
    assert "reader: stand_in" in stood_in and f"Run {first}" in stood_in
    assert "recognition: none" in all_kept
    assert notes(ws, first)["hipporag2.facts"] > 0 < notes(ws, first)["hipporag2.not_recognised"]


def says(asked: str) -> str:
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
        assert run_unanswered(ws, run) == Unanswered(asked=recognised)
        assert "hipporag2.not_recognised" not in notes(ws, run)
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
    # One question has no word of this law: it finds nothing either way, and is not asked about.
    assert found["hipporag2.dense_ranking"] == found["hipporag2.asked"] + 1
    plain = retrieve(ws, SLUG, LSA, k=5)
    assert score_run(ws, run).hits == score_run(ws, plain).hits


def test_without_a_model_the_paper_s_settings_are_refused_and_say_why(ws) -> None:
    for spec in (MODEL, {"method": "nativerag", "base": LSA, "rerank": True}):
        assert code_of(retrieve, ws, SLUG, spec, k=5) == "models_role_unset"


def test_yes_and_no_put_the_candidates_in_another_order(ws) -> None:
    spec = {"method": "nativerag", "base": LSA, "rerank": True, "pool": 4, "top": 2}
    with serving(ws) as server:
        server.says = lambda asked: "yes" if "등불을 켜야 한다" in asked else "no"
        run = retrieve(ws, SLUG, spec, k=5)
        asked = len(server.seen)
    hits = score_run(ws, run).hits
    assert all(len(each) <= 2 for each in hits.values())
    assert run_unanswered(ws, run).asked == asked
    lamps = [each[0][0] for each in hits.values() if each and each[0][1] > 2]
    assert lamps and all("4조" in unit for unit in lamps)


def test_an_index_is_kept_and_read_back(ws) -> None:
    corpus, using = corpus_of(ws, 1), resources(ws, 1, SLUG)
    ready(ws, HIPPO, corpus, using)
    folders = list((ws.folder / "index").glob("hipporag2-*"))
    assert len(folders) == 1 and (folders[0] / "walk_shares.npy").exists()
