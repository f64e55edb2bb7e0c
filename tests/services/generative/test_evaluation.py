"""Evaluating: methods on court cases and on questions."""

from __future__ import annotations

import pytest

from annotation.people.roles import NotAllowedError
from errors import UserError
from evaluation.ranking.scoring import Measure
from services.generative.evaluation import evaluate, evaluate_cases, evaluate_questions, spec_of
from services.runs.rows import leaderboard
from services.stricter.scoring import score_method
from tests.projects.small_law import SLUG as LAW
from tests.projects.stricter_project import SLUG, StricterHouse, build
from tests.support.refusals import code_of, refused

MEASURES = (Measure("P", 5), Measure("Recall", 10))
BM25 = {"method": "bm25"}


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> StricterHouse:
    return build(tmp_path_factory.mktemp("alike") / "ws")


def test_methods_that_need_what_cases_have_not_say_so(house) -> None:
    with refused("method_graph"):
        score_method(house.ws, SLUG, {"method": "sar", "base": {"method": "lsa"}})
    with pytest.raises(NotAllowedError):
        score_method(house.ws, SLUG, BM25, by=house.ann)


def test_methods_are_scored_in_turn(house) -> None:
    told: list[tuple[int, int]] = []
    both = evaluate_cases(
        house.ws, SLUG, [{"method": "lsa"}, BM25], MEASURES,
        progress=lambda *said: told.append(said),
    )  # fmt: skip
    assert [each.method for each in both] == ["lsa", "bm25"]
    assert told[-1][0] == told[-1][1]


def test_questions_are_answered_by_runs_compared_with_the_last(ws, decided) -> None:
    found = evaluate_questions(ws, LAW, [{"method": "tfidf"}, BM25])
    assert {column.baseline for column in found.columns} == {found.runs[1].run_id}
    assert found.runs[0].cells[0].comparison is not None
    again = evaluate_questions(ws, LAW, [{"method": "tfidf"}, BM25])
    assert [run.run_id for run in again.runs] == [run.run_id for run in found.runs]
    decided([])  # without gold no question is answered
    assert code_of(evaluate_questions, ws, LAW, [{"method": "lsa"}]) == "no_gold"
    assert len(leaderboard(ws, LAW).runs) == 2


def test_a_model_that_is_not_there_is_told_and_nothing_is_scored(house, tmp_path) -> None:
    assert spec_of(tmp_path, beam=3)["beam"] == 3
    with pytest.raises(UserError) as raised:
        evaluate(house.ws, SLUG, tmp_path / "none", "cases")
    assert raised.value.code in ("model_folder", "model_missing", "unknown_method")
