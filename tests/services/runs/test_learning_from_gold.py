"""Runs learn from others' gold alone, and nothing that retrieves reads an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from retrieval.core.presets import BEST, RECOMMENDED
from services.mapping.candidate_methods import candidate_method
from services.runs.methods.preparation import is_not_here, version_of
from services.runs.questions import query_detail
from services.runs.retrieving import retrieve
from services.runs.scoring import score_run
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.runs.experiments import records_of
from storage.runs.run_store import run_by_id, run_hits
from tests.projects.small_law import ACT, RULE, SLUG, law, questions, small_workspace
from tests.services.small_gold import LAMP, LIFE_JACKETS, Gold
from tests.support.refusals import refusal

pytestmark = pytest.mark.usefixtures("decided")

_CUT = {"tokeniser": "bigram", "near": 0.99}
LEARNING: dict[str, Any] = {
    "method": "weighted",
    "of": [
        {"method": "bm25"},
        {"method": "similar_questions", "power": 0, **_CUT},  # all vote alike
        {"method": "gold_prior", "level": "family", **_CUT},
    ],
}


def hits_of(ws):
    return score_run(ws, retrieve(ws, SLUG, LEARNING)).hits


def test_no_question_is_answered_from_its_own_gold_and_others_are(ws, decided):
    decided([Gold("q1", (LIFE_JACKETS,)), Gold("q2", (LAMP,)), Gold("q3", (LAMP,))])
    before = hits_of(ws)
    decided([Gold("q1", (f"{ACT}_3조",)), Gold("q2", (LAMP,)), Gold("q3", (LAMP,))])
    after = hits_of(ws)
    assert after["q1"] == before["q1"]
    assert after["q2"] != before["q2"]


def test_a_run_says_what_gold_it_learnt_from_and_what_it_left_out(ws):
    run = retrieve(ws, SLUG, LEARNING)
    with ws.reading() as session:
        key = run_by_id(session, run).key
        cost = records_of(session, [run])[run].cost
    assert f"/{key.gold_hash[:12]}" in version_of(key)
    assert cost["notes"] == {}  # no question was left without others to learn from
    assert retrieve(ws, SLUG, LEARNING) == run


def test_a_rank_below_what_was_kept_is_told_while_its_gold_stands(ws, decided):
    decided([Gold("q1", (LAMP,)), Gold("q2", (LAMP, LIFE_JACKETS)), Gold("q3", (LIFE_JACKETS,))])
    run = retrieve(ws, SLUG, LEARNING, k=1)
    whole = score_run(ws, retrieve(ws, SLUG, LEARNING, k=100)).hits["q2"]
    told = {unit.semantic_id: unit.rank for unit in query_detail(ws, run, "q2").gold}
    assert told == {unit: rank for rank, (unit, _) in enumerate(whole, 1) if unit in told}
    decided([Gold("q1", (LIFE_JACKETS,)), Gold("q2", (LAMP, LIFE_JACKETS))])
    ranks = [unit.rank for unit in query_detail(ws, run, "q2").gold]
    assert sorted(ranks, key=str) == [1, None]


def test_who_labels_is_not_shown_what_other_labels_suggest(ws):
    error = refusal(candidate_method, ws, SLUG, 1, BEST)
    assert error.code == "method_gold" and is_not_here(error)


_LSA = {"method": "lsa", "dimensions": 3, "min_df": 1}
_PARTS: list[dict[str, Any]] = RECOMMENDED["of"]
# The recommended method, its words cut without the half gigabyte of an analyser.
_LIGHT = [each | {"tokeniser": "stemmed"} if "tokeniser" in each else each for each in _PARTS]
SPECS: list[dict[str, Any]] = [
    {"method": "bm25", "tokeniser": "whitespace"},
    {"method": "rrf", "of": [{"method": "tfidf"}, {"method": "rocchio", "base": _LSA}]},
    {"method": "sar", "base": {"method": "keller", "passage": 1}},
    {"method": "refwalk", "base": _LSA, "reranker": {"method": "bm25"}, "anchor": False},
    RECOMMENDED | {"of": _LIGHT},
]


def poisoned(ws: Workspace) -> Workspace:
    """Return the workspace of the small law with answers that say what other law is."""
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    keep_statutes(ws, SLUG, law(), "first")
    said = "「나루안전법」 제4조, Article 2: a whistle. " * 50
    claims: dict[str, Any] = {
        "answer": said,
        "citation_strings": (said,),
        "gold_ids": (f"{RULE}_article-2",),
    }
    others = [replace(each, **claims, columns=(("hint", said),)) for each in questions()]
    keep_questions(ws, SLUG, others, "other.jsonl")
    return ws


def test_other_answers_make_no_other_run(tmp_path, clock) -> None:
    worlds = [
        small_workspace(tmp_path / "plain", clock),
        poisoned(Workspace(tmp_path / "other", clock)),
    ]
    for spec in SPECS:
        found = []
        for ws in worlds:
            run = retrieve(ws, SLUG, spec, k=20)
            with ws.reading() as session:
                key = run_by_id(session, run).key
                found.append((key.params, key.gold_hash, run_hits(session, run)))
        assert found[0] == found[1]
        assert any(found[0][2].values())
