"""The questions behind a figure: outcomes, what moved, coverage, and what was missed as a file."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from errors import UserError
from evaluation.ranking.scoring import Measure
from services.gold import gold_set
from services.runs.coverage import LeftOut
from services.runs.importing import import_run
from services.runs.query_analysis import (
    Outcome,
    chosen,
    counted,
    cutoff_of,
    failures,
    failures_text,
    moves,
    outcome_of,
    write_failures,
)
from services.runs.questions import query_detail, query_list
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.score_table import (
    coverage_notes,
    coverage_said,
    exported,
    left_out_notes,
    untested_said,
)
from services.runs.significance import compare_runs
from tests.projects.small_law import ACT, SLUG, small_workspace
from tests.services.small_gold import FIRST, LAMP, LIFE_JACKETS, Gold

RECALL = Measure("Recall", 1)
ANNEX = f"{ACT}_별표1"


@pytest.fixture
def ws(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derive", lambda *_: FIRST)
    return small_workspace(tmp_path / "ws", clock)


@pytest.fixture
def brought(ws, tmp_path):
    """Return a function that keeps a run of the lines `question unit rank`."""

    def bring(name, *said):
        file = tmp_path / f"{name}.run"
        lines = [f"{q} Q0 {unit} {rank} {100 - rank} t" for q, unit, rank in said]
        file.write_text("\n".join(lines), "utf-8")
        return import_run(ws, SLUG, file, name, unknown="keep").run_id

    return bring


@pytest.fixture
def pair(brought):
    """Return two runs: the first has q1 better and q2 worse, and was not given q4."""
    one = brought("one", ("q1", LIFE_JACKETS, 1), ("q1", ANNEX, 2), ("q2", "x", 1), ("q2", LAMP, 2))
    other = brought("other", ("q1", "x", 1), ("q1", LIFE_JACKETS, 2), ("q2", LAMP, 1))
    return one, other


def test_each_outcome_is_counted_apart(ws, pair):
    one, other = pair
    lines = query_list(ws, one, measures=[RECALL], against=other)
    assert counted(lines, 1, other) == {
        **{Outcome.ALL: 3, Outcome.MISSED: 2, Outcome.WON: 1, Outcome.LOST: 1, Outcome.TIED: 0},
        **{Outcome.UNANSWERED: 0, Outcome.NO_GOLD: 1, Outcome.UNSETTLED: 0},
    }
    named = {
        each: [line.external_id for line in chosen(lines, each, 1)]
        for each in (Outcome.MISSED, Outcome.WON, Outcome.LOST, Outcome.NO_GOLD)
    }
    assert named == {"missed": ["q2", "q1"], "won": ["q1"], "lost": ["q2"], "no_gold": ["q4"]}
    assert cutoff_of(ws, one, RECALL) == 1 and cutoff_of(ws, one, Measure("RR")) == 2
    with pytest.raises(UserError) as refused:
        outcome_of("best", None)
    assert refused.value.code == "outcome_unknown"


def test_questions_stand_in_natural_order(ws, brought, monkeypatch):
    from corpus.model import Question
    from storage.law.imports import keep_questions

    more = [Question(f"q{n}", "?", "", "ko") for n in (10, 11)]
    keep_questions(ws, SLUG, more, "more.jsonl")
    gold = [*FIRST, Gold("q10", (LAMP,)), Gold("q11", (LAMP,))]
    monkeypatch.setattr(gold_set, "derive", lambda *_: gold)
    run = brought("all", ("q2", LAMP, 1), ("q10", "x", 1), ("q11", "x", 1))
    lines = query_list(ws, run, measures=[RECALL])
    assert [line.external_id for line in lines] == ["q1", "q2", "q4", "q10", "q11"]
    rows = failures(ws, run, RECALL).rows
    assert {row.path for row in rows} == {None}  # nobody asked for the way to it
    told: list[tuple[int, int]] = []
    found = failures(ws, run, RECALL, paths=True, progress=lambda *said: told.append(said)).rows
    assert None not in {row.path for row in found if row.unit}
    assert told == [(at, len(found)) for at in range(1, len(found) + 1)]
    assert [row.question for row in rows] == ["q1", "q1", "q10", "q11"]


def test_what_moved_is_told_unit_by_unit(ws, pair):
    before, after = (query_detail(ws, run, "q1") for run in reversed(pair))
    found = moves(before, after, 1)
    assert [(move.semantic_id, move.before, move.after, move.change) for move in found] == [
        (LIFE_JACKETS, 2, 1, "entered"),
        (ANNEX, None, 2, "outside"),
        ("x", 1, None, "left"),
    ]
    assert [move.is_gold for move in found] == [True, True, False]
    wide = {move.semantic_id: move.change for move in moves(before, after, 10)}
    assert wide == {LIFE_JACKETS: "up", ANNEX: "entered", "x": "left"}
    shallow = query_detail(ws, retrieve(ws, SLUG, k=1), "q1")
    kept = {unit.semantic_id for unit in shallow.retrieved}
    for move in moves(shallow, after, 10):  # what its method would rank second is not kept by it
        assert (move.change == "entered") == (move.semantic_id not in kept)
    same = {move.change for move in moves(after, after, 10)}
    assert same == {"same"}


def test_what_was_missed_is_written_with_why(ws, pair, brought, tmp_path):
    one, other = pair
    found = failures(ws, one, RECALL, against=other)
    rows = [(row.question, row.unit, row.rank, row.reason) for row in found.rows]
    assert rows == [("q1", ANNEX, 2, "beyond_cutoff"), ("q2", LAMP, 2, "beyond_cutoff")]
    assert (found.questions, found.units) == (2, 2)
    read = list(csv.DictReader(io.StringIO(failures_text(found, "csv"))))
    assert [(row["question"], row["unit"], row["label"]) for row in read] == [
        ("q1", ANNEX, "별표 1"),
        ("q2", LAMP, "Article 1"),
    ]
    lines = [json.loads(line) for line in failures_text(found, "jsonl").splitlines()]
    assert [line["difference"] for line in lines] == [0.5, -1.0]
    assert write_failures(found, tmp_path / "x.jsonl") == "jsonl"
    with pytest.raises(UserError):
        write_failures(found, tmp_path / "x.docx")
    poor = brought("poor", ("q2", "x", 1))
    reasons = {(row.question, row.reason) for row in failures(ws, poor, RECALL).rows}
    assert reasons == {("q1", "unanswered"), ("q2", "not_retrieved")}
    won = failures(ws, one, RECALL, Outcome.NO_GOLD).rows
    assert [(row.question, row.unit, row.gold) for row in won] == [("q4", "", 0)]
    with pytest.raises(UserError) as refused:
        failures(ws, one, RECALL, Outcome.WON)
    assert refused.value.code == "outcome_alone"


def test_nothing_is_won_lost_or_tied_without_another_run(ws, pair):
    one, other = pair
    alone = counted(query_list(ws, one, measures=[RECALL]), 1, None)
    assert [each for each, count in alone.items() if count is None] == ["won", "lost", "tied"]
    assert alone[Outcome.MISSED] == 2
    assert failures(ws, one, RECALL).counts[Outcome.WON] is None
    assert failures(ws, one, RECALL, against=other).counts[Outcome.TIED] == 0
    with pytest.raises(UserError) as refused:
        outcome_of("tied", None)
    assert refused.value.code == "outcome_alone"
    assert outcome_of("tied", other) is Outcome.TIED


def test_coverage_counts_each_outcome_where_it_belongs(ws, pair, brought, monkeypatch):
    ours = retrieve(ws, SLUG)
    poor = brought("poor", ("q2", LAMP, 1))
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert lines[ours].coverage.as_dict() == {
        **{"questions": 2, "answered": 2, "unanswered": 0, "not_asked": 0},
        **{"no_gold": 1, "unsettled": 0, "share": 1.0},
    }
    assert lines[ours].left_out == () and lines[pair[0]].left_out == ()
    assert lines[poor].left_out == (LeftOut.FEWER,)
    assert coverage_said(lines[poor]) == "1 of 2 (50 %)"
    assert coverage_notes(lines[poor])[0] == "1 question is not in the file; it scores 0."
    report = compare_runs(ws, SLUG)
    assert {run.run_id for run in report.runs if not run.compared} == {poor}
    (note,) = left_out_notes(report)
    assert note == "Left out of the tests: 1 run (1 over fewer than all questions)."
    assert note in exported(report, "markdown").replace("\\", "")
    assert not report.untested  # two others are
    alone = compare_runs(ws, SLUG, run_ids=[ours, poor])
    assert alone.untested and not compare_runs(ws, SLUG, run_ids=[ours, poor], unlike=True).untested
    assert "실행 2건 가운데 검정 대상은 1건" in untested_said(alone, "ko")
    assert not compare_runs(ws, SLUG, run_ids=[poor]).untested  # one alone is never tested
    unlike = compare_runs(ws, SLUG, unlike=True)
    assert all(run.compared for run in unlike.runs)
    assert "1 run over fewer questions is tested" in left_out_notes(unlike)[0]
    # The one that somebody compares with takes part, whatever it is of.
    assert compare_runs(ws, SLUG, baseline=poor).left_out == {}
    later = [*FIRST[:3], replace(FIRST[3], outcome="agreed", units=(LAMP,))]
    monkeypatch.setattr(gold_set, "derive", lambda *_: later)
    line = {each.run_id: each for each in leaderboard(ws, SLUG).runs}[ours]
    assert (line.coverage.not_asked, line.left_out) == (1, (LeftOut.FEWER,))
    monkeypatch.setattr(gold_set, "derive", lambda *_: FIRST[:1])
    line = {each.run_id: each for each in leaderboard(ws, SLUG).runs}[ours]
    assert (line.coverage.questions, line.coverage.unsettled) == (1, 2)
    assert line.left_out == ()


def test_a_file_without_a_question_of_the_project_is_refused(ws, brought):
    with pytest.raises(UserError) as refused:
        brought("stranger", ("q10", LAMP, 1), ("q9", LAMP, 1))
    assert refused.value.code == "run_no_question"
    assert "the file has q9, q10, the project q1, q2, q4" in refused.value.what()
    assert leaderboard(ws, SLUG).runs == ()


def test_a_stratum_without_gold_is_one_line(ws):
    retrieve(ws, SLUG)
    report = compare_runs(ws, SLUG, stratum=("gold_count", "0"))
    line = "gold_count = 0: no question has gold, so nothing is scored."
    assert exported(report, "markdown").replace("\\", "").strip() == line
    assert "tabular" not in exported(report, "latex")
    assert len(exported(report, "csv").splitlines()) > 1  # every number, for other programs
