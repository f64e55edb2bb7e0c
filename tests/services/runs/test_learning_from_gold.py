"""Runs that learn from gold: each question from the others', and nobody else is shown it."""

from __future__ import annotations

from typing import Any

import pytest

from errors import UserError
from retrieval.core.presets import BEST
from services.mapping.candidate_methods import candidate_method
from services.runs.methods.preparation import is_not_here, version_of
from services.runs.questions import query_detail
from services.runs.retrieving import retrieve
from services.runs.scoring import score_run
from storage.runs.experiments import records_of
from storage.runs.run_store import run_by_id
from tests.projects.small_law import ACT, SLUG
from tests.services.small_gold import LAMP, LIFE_JACKETS, Gold

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
    with pytest.raises(UserError) as refused:
        candidate_method(ws, SLUG, 1, BEST)
    assert refused.value.code == "method_gold"
    assert is_not_here(refused.value)
