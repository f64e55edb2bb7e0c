"""Runs brought up to date: asked what they lack, or made anew; stopped and gone on with."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.model import Question
from errors import UserError
from services.background.tasks import STOPPED
from services.runs import refreshing, retrieving
from services.runs.importing import import_run
from services.runs.marks import mark_runs
from services.runs.refreshing import Refreshed, refresh_runs, refreshed_lines
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import score_run
from storage.law.imports import keep_questions, keep_statutes
from tests.projects.small_law import ACT, SLUG, law
from tests.services.small_gold import FIRST, LAMP, Gold
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")
LEARNS = {"method": "gold_prior"}


def came_in(ws) -> None:
    keep_questions(ws, SLUG, [Question("q5", "등불?", "", "ko")], "more.jsonl")


def stale(ws) -> set[int]:
    return {line.run_id for line in leaderboard(ws, SLUG).runs if line.stale}


def test_runs_that_lack_questions_are_asked_these_alone_and_keep_their_numbers(ws):
    first, second = retrieve(ws, SLUG, k=5), retrieve(ws, SLUG, {"method": "tfidf"}, label="Mine")
    before = score_run(ws, first).hits
    came_in(ws)
    assert stale(ws) == {first, second}
    assert [line.lacking for line in leaderboard(ws, SLUG).runs] == [1, 1]
    told: list[Any] = []
    found = refresh_runs(ws, SLUG, progress=lambda *said: told.append(said))
    assert found == Refreshed(((second, second), (first, first)), (), ())
    assert refreshed_lines(found) == ["2 runs now rank all questions."]
    assert {(at, runs, total) for at, runs, _, _, total in told} >= {(0, 2, 1), (1, 2, 1)}
    assert {name for _, _, name, _, _ in told} == {"Mine", "BM25 bigram"}
    after = score_run(ws, first).hits
    assert after.pop("q5") and after == before and stale(ws) == set()
    assert retrieve(ws, SLUG, k=5) == first, "it is made already"
    assert refreshed_lines(refresh_runs(ws, SLUG)) == ["All runs are up to date."]


def test_on_other_law_a_run_of_the_same_method_is_made_once_and_the_old_one_stays(ws):
    old = retrieve(ws, SLUG, {"method": "tfidf"}, 7, label="Mine")
    before = score_run(ws, old).hits
    keep_statutes(ws, SLUG, law(" 새 문장."), "second")
    ((was, new),) = refresh_runs(ws, SLUG).done
    assert was == old != new
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert (lines[new].snapshot_id, lines[new].given, lines[new].stale) == (2, "Mine", False)
    assert {**lines[new].params, "run_version": 0} == {**lines[old].params, "run_version": 0}
    assert lines[old].stale and score_run(ws, old).hits == before
    assert refresh_runs(ws, SLUG).done == ()  # the newer one stands in for it


def test_what_learnt_from_other_gold_is_made_anew_and_nothing_else(ws, decided):
    learns, plain = retrieve(ws, SLUG, LEARNS), retrieve(ws, SLUG)
    assert stale(ws) == set()
    decided([*FIRST[:3], Gold("q3", (f"{ACT}_4조",))])
    assert stale(ws) == {learns}
    ((was, new),) = (found := refresh_runs(ws, SLUG)).done
    assert was == learns and new not in (learns, plain)
    assert refreshed_lines(found) == ["1 new run was made on the law and gold of now."]
    assert refresh_runs(ws, SLUG).done == ()


def test_a_run_from_a_file_is_listed_as_only_a_file_can_complete_it(ws, tmp_path):
    file = tmp_path / "their.run"
    file.write_text(f"q1 Q0 {LAMP} 1 1 t\n")
    theirs = import_run(ws, SLUG, file).run_id
    found = refresh_runs(ws, SLUG)
    assert found == Refreshed((), (), (theirs,))
    assert "import a file that has them" in refreshed_lines(found)[0]
    assert list(score_run(ws, theirs).hits) == ["q1"]


def test_work_that_was_stopped_goes_on_where_it_stopped(ws, monkeypatch):
    runs = [retrieve(ws, SLUG, k=k) for k in (3, 4, 5)]
    came_in(ws)

    def stop(at: int, *_: object) -> None:
        if at == 1:
            raise UserError(STOPPED)

    assert code_of(refresh_runs, ws, SLUG, progress=stop) == STOPPED
    assert stale(ws) == {*runs[:2]}  # the newest was the first, and is kept
    assert refresh_runs(ws, SLUG).done == tuple((run, run) for run in reversed(runs[:2]))
    assert stale(ws) == set()


def test_one_that_cannot_be_is_told_and_the_others_are_done(ws, monkeypatch):
    first, second = retrieve(ws, SLUG, {"method": "tfidf"}), retrieve(ws, SLUG)
    came_in(ws)
    run_on = retrieving.run_on

    def fails(on, spec, *rest, **named):
        if spec["method"] == "tfidf":
            raise UserError("method_graph", method="tfidf")
        return run_on(on, spec, *rest, **named)

    monkeypatch.setattr(refreshing, "run_on", fails)
    found = refresh_runs(ws, SLUG)
    assert found.done == ((second, second),)
    assert [(run, error.code) for run, error in found.failed] == [(first, "method_graph")]
    assert str(first) in refreshed_lines(found)[1]
    assert stale(ws) == {first}


def test_runs_can_be_named_also_retired_ones_which_are_else_left_alone(ws):
    first, second = retrieve(ws, SLUG, k=3), retrieve(ws, SLUG, k=4)
    mark_runs(ws, SLUG, [first], "retired")
    came_in(ws)
    assert refresh_runs(ws, SLUG).done == ((second, second),)
    assert list(score_run(ws, first).hits) == ["q1", "q2", "q3", "q4"]
    assert refresh_runs(ws, SLUG, [first]).done == ((first, first),)
    assert "q5" in score_run(ws, first).hits
    assert code_of(refresh_runs, ws, SLUG, [99]) == "run_unknown"
