"""Run files of other systems: read, refused by line, kept, scored and shown."""

from __future__ import annotations

import pytest

from corpus.model import Question
from errors import Where
from evaluation.ranking.scoring import Measure
from services.runs import importing
from services.runs.importing import Counts, import_run
from services.runs.questions import query_detail
from services.runs.retrieving import export_run, retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import score_run
from storage.law.imports import keep_questions
from tests.projects.small_law import SLUG
from tests.services.small_gold import FIRST, FORM, LAMP, LIFE_JACKETS, Gold
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")
GOOD = [f"q2 Q0 {LAMP} 1 2.0 other", f"q1 Q0 {LIFE_JACKETS} 1 0.5 other", f"q1 Q0 {FORM} 2 0.25 x"]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes lines to a file and returns it."""

    def writer(*lines):
        (tmp_path / "their.run").write_text("\n".join(lines), "utf-8")
        return tmp_path / "their.run"

    return writer


def test_a_run_of_ours_comes_back_with_the_same_figures(ws, tmp_path):
    ours = retrieve(ws, SLUG, k=2)
    export_run(ws, ours, tmp_path / "ours.run")
    done = import_run(ws, SLUG, tmp_path / "ours.run", "Again")
    assert done.run_id != ours and done.label == "Again"
    assert score_run(ws, done.run_id).figures == score_run(ws, ours).figures
    line = leaderboard(ws, SLUG).runs[0]
    assert (line.method, line.origin, line.label) == ("imported", "imported", "Again")


def test_every_ranking_is_kept_and_scored_by_gold_that_comes_later(ws, write, decided):
    done = import_run(ws, SLUG, write(*GOOD, f"q3 Q0 {LAMP} 1 1 t"))
    assert done.counts == Counts(3, not_in_file=1, unknown_questions=0, unknown_units=0, cut=0)
    assert done.label == "other" and not done.was_there
    scored = score_run(ws, done.run_id)
    assert scored.hits == {
        "q1": [(LIFE_JACKETS, 0.5), (FORM, 0.25)],
        "q2": [(LAMP, 2.0)],
        "q3": [(LAMP, 1.0)],
    }
    (line,) = leaderboard(ws, SLUG).runs
    assert (line.lacking, line.missing, line.stale) == (1, (), False)
    first = [Measure("Recall", 1)]  # the file is no deeper than 2
    assert {figure.n for figure in score_run(ws, done.run_id, measures=first).figures} == {2}
    decided([*FIRST[:3], Gold("q3", (LAMP,))])
    assert {figure.n for figure in score_run(ws, done.run_id, measures=first).figures} == {3}


def test_a_file_imported_again_adds_the_questions_that_came_in_since(ws, write):
    file = write(*GOOD, f"q5 Q0 {LAMP} 1 1 t")
    first = import_run(ws, SLUG, file, unknown="skip")
    assert first.counts.unknown_questions == 1
    before = score_run(ws, first.run_id).hits
    keep_questions(ws, SLUG, [Question("q5", "등불?", "", "ko")], "more.jsonl")
    again = import_run(ws, SLUG, file, unknown="skip")
    assert (again.run_id, again.was_there) == (first.run_id, True)
    assert again.counts == Counts(3, not_in_file=2, unknown_questions=0, unknown_units=0, cut=0)
    assert score_run(ws, first.run_id).hits == {**before, "q5": [(LAMP, 1.0)]}
    assert leaderboard(ws, SLUG).runs[0].lacking == 2


def test_an_equal_file_is_kept_once_and_another_name_is_another_run(ws, write):
    first = import_run(ws, SLUG, write(*GOOD), "A")
    again = import_run(ws, SLUG, write(*GOOD), " A ")
    assert (again.run_id, again.was_there) == (first.run_id, True)
    assert import_run(ws, SLUG, write(*GOOD), "B").run_id != first.run_id
    assert import_run(ws, SLUG, write(*GOOD[:2]), "A").run_id != first.run_id


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        ("q9 Q0 x 1 1 t", "run_query_unknown", "query"),
        ("q1 Q0 x 1 1 t", "run_unit_unknown", "unit"),
        (f"q1 Q0 {LAMP} 1 nan t", "trec_number", "score"),
    ],
)
def test_a_wrong_line_is_refused_by_its_number_and_nothing_is_kept(ws, write, line, code, field):
    error = refusal(import_run, ws, SLUG, write(*GOOD, "", line), file_name="runs/their.run")
    assert (error.code, error.where) == (code, Where("runs/their.run", 5, field))
    assert leaderboard(ws, SLUG).runs == ()


def test_unknown_units_are_skipped_or_kept_and_rankings_cut_where_runs_end(ws, write, monkeypatch):
    file = write("q1 Q0 x 1 9 t", *GOOD, "q9 Q0 y 1 1 t")
    skipped = import_run(ws, SLUG, file, unknown="skip")
    kept = import_run(ws, SLUG, file, unknown="keep")
    for done in (skipped, kept):
        assert (done.counts.unknown_units, done.counts.unknown_questions) == (1, 1)
    assert [hit for hit, _ in score_run(ws, skipped.run_id).hits["q1"]] == [LIFE_JACKETS, FORM]
    assert score_run(ws, skipped.run_id).evaluation.depth == 3  # of the file, not of what was kept
    detail = query_detail(ws, kept.run_id, "q1")
    told = [(unit.rank, unit.label, unit.is_gold) for unit in detail.retrieved]
    assert told == [(1, "x", False), (2, "제2조", True), (3, "별지 제1호서식", False)]
    assert detail.values["Recall@1"] == 0 and detail.values["MRR@10"] is None
    monkeypatch.setattr(importing, "MAX_DEPTH", 1)
    done = import_run(ws, SLUG, write(*GOOD))
    assert done.counts.cut == 1
    assert [hit for hit, _ in score_run(ws, done.run_id).hits["q1"]] == [LIFE_JACKETS]


@pytest.mark.parametrize(
    ("lines", "more", "code"),
    [
        ([" "], {}, "file_empty"),
        (GOOD, {"name": "n" * 81}, "run_name_long"),
        (GOOD, {"unknown": "guess"}, "run_unknown_rule"),
        (GOOD, {"snapshot_id": 7}, "snapshot_unknown"),
    ],
)
def test_what_cannot_be_is_refused(ws, write, lines, more, code):
    assert code_of(import_run, ws, SLUG, write(*lines), **more) == code
