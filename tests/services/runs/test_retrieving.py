"""Runs over the gold: kept, not made twice, scored, shown and written out."""

from __future__ import annotations

import platform
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest

from evaluation.figure import RESAMPLES
from evaluation.ranking.scoring import LEADERBOARD
from retrieval.core.model import Query
from retrieval.core.registry import complete
from retrieval.refwalk import RERANKER
from services.models.call_counts import CallSums
from services.runs import retrieving as module
from services.runs.costs import RunCost, asking_notes
from services.runs.methods.preparation import depth_of, spec_of
from services.runs.questions import query_detail, query_list
from services.runs.retrieving import export_run, retrieve
from services.runs.rows import leaderboard, run_reading_notes
from services.runs.scoring import evaluated, score_run
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.trec import read_run, write_qrels
from storage.law.imports import keep_statutes
from storage.projects import create_project
from storage.runs.experiments import records_of
from storage.runs.run_store import RunKey, run_by_id
from tests.projects.small_law import ACT, SLUG, law
from tests.services.small_gold import FIRST, FORM, LIFE_JACKETS, Gold
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")


def bm25(**parameters):
    return {"method": "bm25"} | parameters


def test_every_question_is_asked_whatever_is_gold_and_progress_is_told(ws):
    told = []
    run = retrieve(ws, SLUG, k=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(6, 6), (4, 4)]  # units cut into terms, then questions answered
    scored = score_run(ws, run)
    assert list(scored.hits) == ["q1", "q2", "q3", "q4"]
    assert scored.evaluation.unjudged == ("q3",)
    assert scored.hits["q1"][0][0] == LIFE_JACKETS
    assert scored.hits["q4"] == []
    assert all(len(ranking) <= 3 for ranking in scored.hits.values())
    assert scored.run.key.params["tokeniser"] == "bigram"
    figures = {figure.name: figure for figure in score_run(ws, retrieve(ws, SLUG)).figures}
    assert list(figures) == [repr(measure) for measure in LEADERBOARD]
    assert {figure.n for figure in figures.values()} == {2}  # those with gold
    assert (figures["Recall@100"].value, figures["MRR@10"].value) == (1.0, 1.0)
    assert figures["Recall@1"].value == pytest.approx((0.5 + 1) / 2)


def test_an_equal_run_is_not_made_again(ws, monkeypatch, decided):
    first = retrieve(ws, SLUG)
    monkeypatch.setattr(module, "prepared", lambda *_: pytest.fail("made again"))
    assert retrieve(ws, SLUG) == first
    assert retrieve(ws, SLUG, bm25(k1=1.5, b=0.75), k=100) == first
    decided(list(reversed(FIRST)))
    assert retrieve(ws, SLUG) == first


def test_a_run_of_refwalk_says_what_it_reranked_with(ws, monkeypatch):
    monkeypatch.delenv(RERANKER, raising=False)
    walk = {"method": "refwalk", "anchor": False}
    run = retrieve(ws, SLUG, {"method": "rrf", "of": [walk, bm25()]})
    with ws.reading() as session:
        assert records_of(session, [run])[run].cost["rerankers"] == ["LSA bigram"]
    (note,) = run_reading_notes(ws, run)
    assert f"Run {run}: RefWalk reranked with LSA bigram, which is not a cross-encoder" in note
    given = walk | {"reranker": {"method": "rerank", "model": "some/model"}}
    (note,) = asking_notes([("7", given, {}), ("9", given, {}), ("8", bm25(), {})])
    assert note.startswith("7; 9: RefWalk reranked with")
    assert asking_notes([("7", walk | {"rerank": False}, {}), ("8", bm25(), {})]) == []


def test_a_run_says_what_it_was_computed_with_and_what_it_cost(ws):
    run = retrieve(ws, SLUG, label="First try")
    assert retrieve(ws, SLUG, label="Second try") == run
    with ws.reading() as session:
        record = records_of(session, [run])[run]
    assert (record.label, record.origin, record.by_person_id) == ("First try", "computed", None)
    assert record.environment["packages"]["numpy"] == version("numpy")
    assert record.environment["python"] == platform.python_version()
    assert set(record.cost) == {
        *("fit_s", "index_bytes", "search_ms_per_query", "notes"),
        *("index_calls", "query_calls", "questions"),
    }
    assert record.cost["index_bytes"] > 0 < record.cost["search_ms_per_query"]
    assert record.cost["notes"] == {} and record.cost["questions"] == 4
    cost = RunCost.of(record.cost)
    assert cost.index == cost.queries == CallSums()  # it asks no model, and that is known


def test_another_parameter_depth_or_snapshot_makes_another_run(ws):
    runs = [retrieve(ws, SLUG), retrieve(ws, SLUG, bm25(b=0.4)), retrieve(ws, SLUG, k=5)]
    keep_statutes(ws, SLUG, law(" 새 문장."), "second")
    assert len({*runs, retrieve(ws, SLUG)}) == 4


def test_a_parameter_k_is_not_the_depth_of_the_run(ws):
    fused = {"method": "rrf", "of": [bm25(), bm25(tokeniser="whitespace")]}
    one, other = retrieve(ws, SLUG, fused | {"k": 1}), retrieve(ws, SLUG, fused | {"k": 60})
    assert one != other
    with ws.reading() as session:
        key = run_by_id(session, one).key
    assert complete(spec_of(key)) == complete(fused | {"k": 1}) and depth_of(key, 0) == 100
    assert query_detail(ws, one, "q1").k == 100
    assert depth_of(RunKey(1, 1, "imported", {}, "h"), 7) == 7  # a file does not say its depth


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"spec": {"method": "guess"}}, "unknown_method"),
        ({"spec": bm25(k1=-1)}, "method_parameter"),
        ({"k": 0}, "retrieve_depth"),
        ({"k": 1001}, "retrieve_depth"),
    ],
)
def test_wrong_parameters_are_refused(ws, wrong, code):
    assert code_of(retrieve, ws, SLUG, **wrong) == code


def test_without_gold_a_run_is_made_and_scored_once_there_is_some(ws, decided):
    decided([Gold("q3", outcome="pending")])
    run = retrieve(ws, SLUG)
    board = leaderboard(ws, SLUG)
    assert (board.gold.items, board.questions, board.runs[0].stale) == ((), 4, False)
    assert {figure.n for figure in score_run(ws, run).figures} == {0}
    assert code_of(retrieve, ws, SLUG, {"method": "gold_prior"}) == "no_gold", "it learns from gold"
    decided(FIRST)
    assert {figure.n for figure in score_run(ws, run).figures} == {2}
    assert retrieve(ws, SLUG) == run


def test_without_questions_there_is_nothing_to_run(tmp_path, clock):
    ws = Workspace(tmp_path / "empty", clock)
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    keep_statutes(ws, SLUG, law(), "first")
    assert code_of(retrieve, ws, SLUG) == "run_without_questions"
    assert leaderboard(ws, SLUG).runs == ()


def test_gold_outside_what_is_searched_is_missed_and_told(ws, decided):
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (FORM,))])
    run = retrieve(ws, SLUG)
    assert FORM not in {unit for unit, _ in score_run(ws, run).hits["q1"]}
    figures = {figure.name: figure for figure in score_run(ws, run).figures}
    assert (figures["Recall@100"].value, figures["Recall@100"].n) == (0.25, 2)
    first, second, *unsettled = query_list(ws, run)
    assert [line.external_id for line in unsettled] == ["q3", "q4"]
    assert (first.gold, len(first.ranks), first.not_searched) == (2, 1, 1)
    assert (second.gold, len(second.ranks), second.not_searched) == (1, 0, 1)
    found, missed = query_detail(ws, run, "q1").gold
    assert (found.semantic_id, found.not_searched) == (LIFE_JACKETS, "")
    assert (missed.semantic_id, missed.rank, missed.not_searched) == (FORM, None, "form")
    (line,) = leaderboard(ws, SLUG).runs
    assert line.not_searched is not None
    counts = {"units": 1, "questions": 2, "pairs": 2, "questions_without_searched_gold": 1}
    assert line.not_searched.as_dict() == counts | {"reasons": {"form": 1}}


def test_a_question_in_a_line_and_in_full(ws):
    first, second, unsettled, third = query_list(ws, retrieve(ws, SLUG, k=1))
    assert (unsettled.external_id, unsettled.gold, unsettled.values["Recall@1"]) == ("q3", 0, None)
    assert (first.external_id, first.gold, len(first.ranks), first.first) == ("q1", 2, 1, 1)
    assert (second.external_id, second.gold, len(second.ranks)) == ("q2", 1, 1)
    assert (third.external_id, third.gold, len(third.ranks), third.first) == ("q4", 0, 0, None)
    assert set(third.values.values()) == {None}
    detail = query_detail(ws, retrieve(ws, SLUG, k=1), "q1")
    assert detail.k == 1 and detail.question.startswith("나룻배에") and detail.language == "ko"
    (hit,) = detail.retrieved
    assert (hit.rank, hit.semantic_id, hit.is_gold) == (1, LIFE_JACKETS, True)
    assert (hit.statute, hit.label, hit.heading) == ("나루안전법", "제2조", "구명조끼")
    assert "구명조끼를" in {hit.snippet[start:end] for start, end in hit.marks}
    assert (detail.gold[0].semantic_id, detail.gold[0].rank) == (LIFE_JACKETS, 1)
    (missed,) = detail.missed
    assert missed.semantic_id == f"{ACT}_별표1" and missed.label == "별표 1"
    whole = query_detail(ws, retrieve(ws, SLUG), "q1").retrieved
    assert missed.rank == {hit.semantic_id: hit.rank for hit in whole}[f"{ACT}_별표1"] > 1


def test_a_run_file_scores_as_the_stored_run(ws, tmp_path):
    run = retrieve(ws, SLUG, k=2)
    lines = export_run(ws, run, tmp_path / "run.trec")
    scored = score_run(ws, run)
    assert lines == sum(map(len, scored.hits.values()))
    ranked = {query: [unit for unit, _ in hits] for query, hits in scored.hits.items() if hits}
    assert read_run(tmp_path / "run.trec") == ranked
    write_qrels(tmp_path / "qrels.trec", scored.gold.qrels)
    found = evaluated(tmp_path / "run.trec", tmp_path / "qrels.trec", LEADERBOARD)
    assert found.figures_by(RESAMPLES) == score_run(ws, run).figures
    first = (tmp_path / "run.trec").read_bytes()
    export_run(ws, run, tmp_path / "run.trec")
    assert (tmp_path / "run.trec").read_bytes() == first


@pytest.mark.parametrize(("calls_models", "searched"), [(False, [1, 3]), (True, [3])])
def test_what_starts_with_a_first_search_is_not_timed_unless_a_model_would_be_asked_twice(
    calls_models, searched
):
    found = []

    def search(queries, k):
        found.append(len(queries))
        return {query.id: () for query in queries}

    method: Any = SimpleNamespace(search=search, calls_models=calls_models, notes={}, fit_notes={})
    queries = [Query(f"q{at}", "등불") for at in range(3)]
    answers, _ = module._answers(method, queries, 5, None)
    assert found == searched and set(answers) == {"q0", "q1", "q2"}
