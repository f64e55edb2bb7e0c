"""Runs side by side: figures over the same questions, tests, and strata."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpus.model import Question
from evaluation.figure import Figure
from evaluation.ranking.compare import Comparison
from evaluation.ranking.scoring import Measure
from evaluation.significance import Tally, holm
from services.gold import gold_set
from services.runs.board_report import board_report, runs_of_row
from services.runs.importing import import_run
from services.runs.questions import query_list
from services.runs.retrieving import export_run, retrieve
from services.runs.score_table import corrected_tests, family_note, left_out_notes, number_table
from services.runs.scoring import LeftOut
from services.runs.significance import compare_runs, inference_of
from services.runs.strata import strata_of
from storage.law.imports import keep_questions, keep_statutes
from tests.projects.small_law import ACT, SLUG, law, small_workspace
from tests.services.small_gold import FIRST, Gold
from tests.support.refusals import code_of

RR, RECALL = Measure("RR", 10), Measure("Recall", 1)


@pytest.fixture
def ws(tmp_path, clock, monkeypatch):
    ws = small_workspace(tmp_path / "ws", clock)
    more = Question("q5", "등불?", "", "ko", columns=(("level", "L2"), ("source", "made")))
    keep_questions(ws, SLUG, [more], "more.jsonl")
    gold = [*FIRST, Gold("q5", (f"{ACT}_4조",))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: gold)
    return ws


@pytest.fixture
def runs(ws):
    """Return a run that finds all it can and one that finds only what is written the same."""
    words = {"method": "bm25", "tokeniser": "whitespace"}
    return retrieve(ws, SLUG), retrieve(ws, SLUG, words, label="words")


def test_runs_are_compared_with_the_best_of_each_measure(ws, runs):
    good, poor = runs
    report = compare_runs(ws, SLUG, measures=[RR, RECALL])
    assert [run.run_id for run in report.runs] == [poor, good]
    assert [run.label for run in report.runs] == ["words", "BM25 bigram"]
    baselines = {column.measure: column.baseline for column in report.columns}
    assert baselines == {"RR@10": good, "Recall@1": good}
    assert report.columns[0].best == {good}
    cell, other = report.runs[0].cells[0], report.runs[1].cells[0]
    assert other.comparison is None and other.figure.value == 1.0 and other.figure.n == 3
    assert cell.comparison is not None and cell.comparison.n == 3
    assert cell.comparison.tally == Tally(0, 2, 1) and report.runs[0].missing == 1
    assert cell.comparison.difference.value == pytest.approx(-1 / 3)
    # One difference that is not zero: both of its sign patterns are as far away.
    assert cell.comparison.p == cell.comparison.p_holm == 1.0 and cell.comparison.verdict == 0


def test_runs_are_compared_with_the_strongest_and_the_weakest_simple_one(ws, runs):
    good, poor = runs
    both = retrieve(ws, SLUG, {"method": "rrf", "of": [{"method": "bm25"}, {"method": "tfidf"}]})
    report = compare_runs(ws, SLUG, measures=[RR], baseline=both)
    (column,) = report.columns
    assert (column.baseline, column.strongest, column.weakest) == (both, good, poor)
    cells = {run.run_id: run.cells[0] for run in report.runs}
    assert cells[good].strongest is None and cells[poor].weakest is None
    assert cells[both].strongest is not None and cells[both].weakest is not None
    weakest, strongest = cells[good].weakest, cells[poor].strongest
    assert weakest is not None and strongest is not None  # one test, told both ways
    assert (weakest.p_holm, weakest.tally) == (strongest.p_holm, Tally(1, 2, 0))
    assert strongest.tally == Tally(0, 2, 1)
    # Tests against the baseline are corrected together, apart from those against simple ones.
    for family in (
        (cells[good].comparison, cells[poor].comparison),
        (cells[both].strongest, strongest, cells[both].weakest),
    ):
        tests = [test for test in family if test is not None]
        assert len(tests) == len(family)
        assert [test.p_holm for test in tests] == holm([test.p for test in tests])


def test_every_two_runs_are_tested_and_a_chosen_baseline_joins_them(ws, runs):
    good, poor = runs
    report = compare_runs(ws, SLUG, [good], [RR], baseline=poor)
    assert [run.run_id for run in report.runs] == [good, poor]
    comparison = report.runs[0].cells[0].comparison
    assert comparison is not None and comparison.tally == Tally(1, 2, 0)
    tests = report.pairs("RR@10", (good, poor, 99))  # an unknown run takes no part
    assert {run: list(others) for run, others in tests.items()} == {good: [poor], poor: [good]}
    there, back = tests[poor][good], tests[good][poor]
    assert there.difference.value == pytest.approx(1 / 3) and there.p_holm == back.p_holm
    assert (there.tally, back.tally) == (Tally(1, 2, 0), Tally(0, 2, 1))


def test_the_report_says_which_run_is_best_and_draws_the_figures_of_the_table(ws, runs):
    good, poor = runs
    report = compare_runs(ws, SLUG, measures=[RECALL, RR])
    board = board_report(report, "RR@10")
    assert board.lead.startswith(f"Run {good} · BM25 bigram is best by RR@10: 1.000 [")
    assert f"0.333 [0.000, 1.000] above Run {poor} · words; the difference is not" in board.lead
    told, costs = board.as_json(), board.sections[2]
    intervals, pairs = told["intervals"], told["pairs"]
    assert [row["run"] for row in intervals] == [good, poor]
    assert intervals[1]["RR@10"] == report.runs[0].cells[1].figure.as_json()
    tested = [(row["run"], row["against"]) for row in pairs if row["difference"] is not None]
    assert tested == [(good, poor), (poor, good)]
    assert pairs[1]["wins"] == "1 / 2 / 0" and "0 of 1 pair differ" in board.sections[1].lead
    assert runs_of_row(board.sections[1], 1, "RR@10") == (good, "RR@10", poor)
    assert costs.chart is not None and costs.chart.values == ("search", "RR@10")
    assert runs_of_row(costs, 9, "RR@10") is None  # the row of a table that was longer


def test_the_pairs_say_that_the_table_corrects_for_fewer_comparisons(ws, runs):
    retrieve(ws, SLUG, {"method": "lsa"})
    report = compare_runs(ws, SLUG, measures=[RR])
    far = Figure("difference", -0.5, 9, -0.7, -0.3)
    worse = Comparison(far, 0.001, 0.002, False, Tally(0, 1, 8))
    marked = replace(report.runs[1], cells=(replace(report.runs[1].cells[0], comparison=worse),))
    report = replace(report, runs=(report.runs[0], marked, *report.runs[2:]))
    lead = board_report(report, "RR@10").sections[1].lead
    assert "of 3 pairs differ significantly by RR@10, corrected for all 3 comparisons." in lead
    assert "marks 1 as different from its baseline" in lead
    assert "corrected for its 2 comparisons alone." in lead


def test_one_run_alone_is_no_best_one_and_pairs_with_none(ws, runs):
    board = board_report(compare_runs(ws, SLUG, runs[:1], [RR]), "RR@10", "ko")
    assert "비교할 다른 실행이 없습니다" in board.lead
    assert [each.name for each in board.filled] == ["intervals", "costs"]
    assert all(row["fit"] is None or row["fit"] >= 0 for row in board.as_json()["costs"])


def test_a_fusion_is_no_simple_baseline_and_neither_is_a_run_from_a_file(ws, runs, tmp_path):
    fused = retrieve(ws, SLUG, {"method": "rrf", "of": [{"method": "bm25"}, {"method": "tfidf"}]})
    export_run(ws, runs[0], tmp_path / "theirs.run")
    theirs = import_run(ws, SLUG, tmp_path / "theirs.run").run_id
    (column,) = compare_runs(ws, SLUG, [fused, theirs], [RR]).columns
    assert (column.strongest, column.weakest) == (None, None)
    (column,) = compare_runs(ws, SLUG, [fused, theirs, runs[1]], [RR]).columns
    assert (column.strongest, column.weakest) == (runs[1], runs[1])


def test_a_figure_deeper_than_its_run_is_blank_and_takes_no_part_in_tests(ws, runs):
    good, poor = runs
    shallow = retrieve(ws, SLUG, {"method": "tfidf"}, k=1)
    deep = Measure("Recall", 10)
    without = compare_runs(ws, SLUG, [good, poor], [RECALL, deep])
    report = compare_runs(ws, SLUG, [good, poor, shallow], [RECALL, deep])
    blank = report.runs[2].cells[1]
    assert (blank.figure.value, blank.figure.n) == (None, 0) and blank.comparison is None
    assert report.runs[2].cells[0].figure.n == 3  # it is deep enough for the first
    assert report.columns[1] == without.columns[1]
    assert [run.cells[1] for run in report.runs[:2]] == [run.cells[1] for run in without.runs]
    assert corrected_tests(report) == 2  # of the first
    assert family_note(report).endswith(f"against run {good} (Recall@1: 2, Recall@10: 1).")
    assert "Recall@10 of 1 run kept to depth 1." in left_out_notes(report)[0]
    table = number_table(report)
    row = dict(zip(table.head, table.rows[-1], strict=True))
    assert row["measure"] == "Recall@10" and row["value"] is None and row["p_holm"] is None
    # A baseline that is too shallow is compared with nothing by that measure.
    chosen = compare_runs(ws, SLUG, measures=[RECALL, deep], baseline=shallow)
    assert {column.baseline for column in chosen.columns} == {shallow}
    assert all(run.cells[1].comparison is None for run in chosen.runs)
    assert all(run.cells[0].comparison for run in chosen.runs if run.run_id != shallow)
    alone = compare_runs(ws, SLUG, [shallow], [deep])
    assert alone.scored and corrected_tests(alone) == 0


def test_strata_come_from_the_question_its_file_and_its_gold(ws):
    assert strata_of(ws, SLUG) == {
        "gold_count": {"0": ("q4",), "1": ("q2", "q5"), "2": ("q1",)},
        "gold_difficulty": {"": ("q4",), "L1": ("q2", "q5"), "L2": ("q1",)},
        "gold_text": {"all": ("q2", "q4", "q5"), "some": ("q1",)},
        "language": {"en": ("q2", "q4"), "ko": ("q1", "q5")},
        "level": {"L2": ("q5",), "": ("q1", "q2", "q4")},
        "source": {"made": ("q5",), "questions.jsonl": ("q1", "q2", "q4")},
    }


def test_a_run_on_an_older_snapshot_is_split_by_the_gold_of_that_snapshot(ws, runs, monkeypatch):
    older = [*FIRST, Gold("q5", (f"{ACT}_4조",))]
    good, poor = runs
    keep_statutes(ws, SLUG, law("!"), "second")
    now = [Gold("q1", (f"{ACT}_4조",)), Gold("q2")]
    monkeypatch.setattr(gold_set, "derived", lambda *asked: older if asked[2] == 1 else now)
    newer = retrieve(ws, SLUG)
    counts = {"0": ("q2", "q4"), "1": ("q1", "q2", "q5"), "2": ("q1",)}
    assert strata_of(ws, SLUG)["gold_count"] == counts
    usual = compare_runs(ws, SLUG, measures=[RR])
    assert {run.run_id for run in usual.runs if run.compared} == {newer}
    assert usual.left_out == {LeftOut.SNAPSHOT: 2}
    one = compare_runs(ws, SLUG, measures=[RR], stratum=("gold_count", "1"), unlike=True)
    assert {run.run_id: run.cells[0].figure.n for run in one.runs} == {newer: 1, poor: 2, good: 2}
    # Only questions that both were asked, and that are in the stratum by the gold of both, pair.
    pairs = {run.run_id: run.cells[0].comparison for run in one.runs}
    assert [each.n for each in pairs.values() if each is not None] == [0, 2]
    two = compare_runs(ws, SLUG, measures=[RR], stratum=("gold_count", "2"), unlike=True)
    assert {run.run_id: run.cells[0].figure.n for run in two.runs} == {newer: 0, poor: 1, good: 1}
    asked = query_list(ws, good, stratum=("gold_count", "1"))
    assert [line.external_id for line in asked] == ["q2", "q5"]
    assert query_list(ws, newer, stratum=("gold_count", "2")) == ()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"run_ids": [99]}, "run_unknown"),
        ({"baseline": 99}, "run_unknown"),
        ({"stratum": ("topic", "x")}, "column_unknown"),
        ({"stratum": ("language", "fr")}, "stratum_unknown"),
        ({"stratum": ("split", "test")}, "split_none"),  # the gold has not been divided
    ],
)
def test_what_is_not_there_is_refused(ws, runs, wrong, code):
    assert code_of(compare_runs, ws, SLUG, **wrong) == code


def test_resamples_and_the_family_are_a_setting(ws, runs):
    asked = inference_of(5_000, "table")
    usual, other = compare_runs(ws, SLUG), compare_runs(ws, SLUG, inference=asked)
    assert (usual.inference.resamples, usual.inference.family) == (1_000, "measure")
    assert other.inference == asked
    assert code_of(inference_of, 99, "table") == "resamples_range"
    assert code_of(inference_of, 1_000, "everything") == "holm_unknown"
