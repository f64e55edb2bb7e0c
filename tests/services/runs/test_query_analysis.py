"""The questions behind a figure: outcomes, what moved, what was missed, citations to it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from corpus.graph.model import EdgeType
from corpus.model import Question
from evaluation.ranking.scoring import Measure
from services.gold import gold_set
from services.law.graph.citation_graph import build_snapshot
from services.runs import questions as module
from services.runs.importing import import_run
from services.runs.query_analysis import (
    Outcome,
    chosen,
    count_outcomes,
    cutoff_of,
    failures,
    failures_text,
    moves,
    outcome_of,
    write_failures,
)
from services.runs.questions import citation_path, citation_paths, query_detail, query_list
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.score_table import (
    coverage_notes,
    coverage_text,
    exported,
    left_out_notes,
    untested_text,
)
from services.runs.scoring import LeftOut
from services.runs.significance import compare_runs
from storage.law.imports import keep_questions
from storage.law.neighbours import pairs_at
from tests.projects.small_law import ACT, SLUG
from tests.services.small_gold import FIRST, LAMP, LIFE_JACKETS, Gold
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")
RECALL = Measure("Recall", 1)
ANNEX = f"{ACT}_별표1"


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
    """Return two runs: the first has q1 better and q2 worse; of q3 and q4 they say nothing."""
    one = brought("one", ("q1", LIFE_JACKETS, 1), ("q1", ANNEX, 2), ("q2", "x", 1), ("q2", LAMP, 2))
    other = brought("other", ("q1", "x", 1), ("q1", LIFE_JACKETS, 2), ("q2", LAMP, 1))
    return one, other


def test_each_outcome_is_counted_apart(ws, pair):
    one, other = pair
    lines = query_list(ws, one, measures=[RECALL], against=other)
    assert count_outcomes(lines, 1, other) == {
        **{Outcome.ALL: 2, Outcome.MISSED: 2, Outcome.WON: 1, Outcome.LOST: 1, Outcome.TIED: 0},
        **{Outcome.UNANSWERED: 0, Outcome.NO_GOLD: 0, Outcome.UNSETTLED: 0},
    }
    ours = query_list(ws, retrieve(ws, SLUG), measures=[RECALL], against=one)
    named = {
        each: [line.external_id for line in chosen(some, each, 1)]
        for some, outcomes in ((lines, ("missed", "won", "lost")), (ours, ("no_gold", "unsettled")))
        for each in map(Outcome, outcomes)
    }
    first = {"missed": ["q2", "q1"], "won": ["q1"], "lost": ["q2"]}
    assert named == first | {"no_gold": ["q4"], "unsettled": ["q3"]}
    assert [line.external_id for line in ours] == ["q1", "q2", "q3", "q4"]
    assert cutoff_of(ws, one, RECALL) == 1 and cutoff_of(ws, one, Measure("RR")) == 2
    alone = count_outcomes(query_list(ws, one, measures=[RECALL]), 1, None)
    assert [each for each, count in alone.items() if count is None] == ["won", "lost", "tied"]
    assert code_of(outcome_of, "best", None) == "outcome_unknown"
    assert code_of(outcome_of, "tied", None) == "outcome_alone"
    assert outcome_of("tied", other) is Outcome.TIED


def test_questions_stand_in_natural_order_with_paths_where_they_are_asked_for(
    ws, brought, monkeypatch
):
    more = [Question(f"q{n}", "?", "", "ko") for n in (10, 11)]
    keep_questions(ws, SLUG, more, "more.jsonl")
    gold = [*FIRST, Gold("q10", (LAMP,)), Gold("q11", (LAMP,))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: gold)
    run = brought("all", ("q2", LAMP, 1), *((name, "x", 1) for name in ("q11", "q10", "q4", "q1")))
    lines = query_list(ws, run, measures=[RECALL])
    assert [line.external_id for line in lines] == ["q1", "q2", "q4", "q10", "q11"]
    rows = failures(ws, run, RECALL).rows
    assert [row.question for row in rows] == ["q1", "q1", "q10", "q11"]
    assert {row.path for row in rows} == {None}  # nobody asked for the way to it
    told: list[tuple[int, int]] = []
    found = failures(ws, run, RECALL, paths=True, progress=lambda *said: told.append(said)).rows
    assert None not in {row.path for row in found if row.unit}
    assert told == [(at, len(found)) for at in range(1, len(found) + 1)]


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
    units = [(row["question"], row["unit"], row["label"]) for row in read]
    assert units == [("q1", ANNEX, "별표 1"), ("q2", LAMP, "Article 1")]
    lines = [json.loads(line) for line in failures_text(found, "jsonl").splitlines()]
    assert [line["difference"] for line in lines] == [0.5, -1.0]
    assert write_failures(found, tmp_path / "x.jsonl") == "jsonl"
    assert code_of(write_failures, found, tmp_path / "x.docx") == "experiment_ending"
    poor = brought("poor", ("q2", "x", 1))
    reasons = {(row.question, row.reason) for row in failures(ws, poor, RECALL).rows}
    assert reasons == {("q2", "not_retrieved")}  # of q1 the file says nothing
    ours = retrieve(ws, SLUG)
    won = failures(ws, ours, RECALL, Outcome.NO_GOLD).rows
    assert [(row.question, row.unit, row.gold) for row in won] == [("q4", "", 0)]
    assert code_of(failures, ws, one, RECALL, Outcome.WON) == "outcome_alone"


def test_a_gold_unit_that_no_snapshot_has_is_called_by_its_id(ws, brought, monkeypatch):
    gold = [Gold("q1", (LIFE_JACKETS, "nowhere"))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: gold)
    run = brought("one", ("q1", LIFE_JACKETS, 1))
    (missed,) = query_detail(ws, run, "q1").missed
    assert (missed.semantic_id, missed.label, missed.text) == ("nowhere", "nowhere", "")
    found = failures(ws, run, RECALL).rows
    assert [(row.unit, row.label) for row in found] == [("nowhere", "nowhere")]


def test_what_a_method_found_nothing_for_is_missed_and_unanswered(ws, monkeypatch):
    monkeypatch.setattr(gold_set, "derived", lambda *_: [*FIRST[:2], Gold("q4", (LAMP,))])
    found = failures(ws, retrieve(ws, SLUG), RECALL)
    rows = {(row.question, row.unit, row.reason) for row in found.rows}
    assert ("q4", LAMP, "unanswered") in rows
    assert found.counts[Outcome.UNANSWERED] == 1
    (line,) = leaderboard(ws, SLUG).runs
    assert (line.coverage.unanswered, line.coverage.not_asked, line.missing) == (1, 0, ("q4",))
    assert coverage_notes(line)[0] == "1 question was asked and nothing was found; it scores 0."


def test_coverage_counts_each_outcome_where_it_belongs(ws, pair, brought, monkeypatch):
    ours = retrieve(ws, SLUG)
    poor = brought("poor", ("q2", LAMP, 1))
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert lines[ours].coverage.as_dict() == {
        **{"questions": 2, "answered": 2, "unanswered": 0, "not_asked": 0},
        **{"no_gold": 1, "unsettled": 1, "share": 1.0},
    }
    assert lines[ours].left_out == () and lines[pair[0]].left_out == ()
    assert lines[poor].left_out == (LeftOut.FEWER,)
    assert (lines[poor].coverage.unanswered, lines[poor].coverage.not_asked) == (0, 1)
    assert coverage_text(lines[poor]) == "1 of 2 (50 %)"
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST[:1])
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert (lines[ours].coverage.questions, lines[ours].coverage.unsettled) == (1, 3)
    assert not any(line.left_out for line in lines.values())  # q1 is no question of a figure


def test_a_run_that_lacks_what_most_runs_rank_stands_apart_until_it_is_wanted(ws, pair, brought):
    ours, poor = retrieve(ws, SLUG), brought("poor", ("q2", LAMP, 1))
    report = compare_runs(ws, SLUG, measures=[RECALL])
    assert {run.run_id for run in report.runs if not run.compared} == {poor}
    assert report.ground == 2  # q1 and q2: of q4 nobody found gold, q3 is not settled
    (note,) = left_out_notes(report)
    assert note == "Left out of the tests: 1 run (1 that lacks questions most runs rank)."
    assert note in exported(report, "markdown").replace("\\", "")
    assert {run.run_id: run.cells[0].figure.n for run in report.runs}[poor] == 1
    unlike = compare_runs(ws, SLUG, measures=[RECALL], unlike=True)
    assert all(run.compared for run in unlike.runs) and unlike.ground == 1
    assert {run.cells[0].figure.n for run in unlike.runs} == {1}  # q2, which all of them rank
    assert "1 run that lacks questions is compared too" in left_out_notes(unlike)[0]
    # The one that somebody compares with takes part, whatever it is of.
    chosen_by = compare_runs(ws, SLUG, baseline=poor)
    assert chosen_by.left_out == {} and chosen_by.ground == 1
    # Of two runs neither is most: they are compared on what both rank.
    two = compare_runs(ws, SLUG, run_ids=[ours, poor])
    assert (two.left_out, two.ground, two.untested) == ({}, 1, False)
    assert compare_runs(ws, SLUG, run_ids=list(pair)).ground is None  # each ranks the same
    # Where nothing is tested it is told.
    assert not compare_runs(ws, SLUG).untested  # others than the poor one are
    apart = [poor, brought("poorer", ("q1", LAMP, 1))]
    alone = compare_runs(ws, SLUG, run_ids=[ours, *apart])
    assert alone.untested and alone.left_out == {LeftOut.FEWER: 2}
    assert "of 3 runs 1 takes part" in untested_text(alone)
    wanted = compare_runs(ws, SLUG, run_ids=[ours, *apart], unlike=True)
    assert (wanted.untested, wanted.ground) == (False, 0)  # no question is ranked by all three
    assert not compare_runs(ws, SLUG, run_ids=apart[:1]).untested  # one alone is never tested


def test_the_questions_that_most_runs_rank_need_more_than_half_of_those_shown(
    ws, pair, monkeypatch
):
    """A question that came in with gold counts against older runs once most rank it."""
    monkeypatch.setattr(gold_set, "derived", lambda *_: [*FIRST[:3], Gold("q3", (LAMP,))])
    first = retrieve(ws, SLUG)
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert [lines[run].coverage.not_asked for run in (first, *pair)] == [0, 1, 1]
    assert not any(line.left_out for line in lines.values())
    retrieve(ws, SLUG, k=7)
    assert not any(line.left_out for line in leaderboard(ws, SLUG).runs)  # two of four
    retrieve(ws, SLUG, k=8)
    fewer = {line.run_id for line in leaderboard(ws, SLUG).runs if line.left_out}
    assert fewer == set(pair)


def test_a_file_without_a_question_of_the_project_is_refused(ws, brought):
    error = refusal(brought, "stranger", ("q10", LAMP, 1), ("q9", LAMP, 1))
    assert error.code == "run_no_question"
    assert "the file has q9, q10, the project q1, q2, q3, q4" in error.what()
    assert leaderboard(ws, SLUG).runs == ()


LIGHT = f"{ACT}_4조"


@pytest.fixture
def run(ws, decided):
    decided([Gold("q1", (ANNEX,))])
    build_snapshot(ws, 1)
    return retrieve(ws, SLUG, k=1)


def test_the_path_says_by_which_words_the_missed_unit_is_cited(ws, run, monkeypatch):
    path = citation_path(ws, run, "q1", ANNEX)
    assert path is not None
    (step,) = path.steps
    assert (path.rank, step.forwards, step.type) == (1, True, EdgeType.REFERENCES)
    assert (step.source.unit_id, step.target.unit_id) == (LIFE_JACKETS, ANNEX)
    assert step.before.endswith("구명조끼의 수는 ")
    assert (step.cited, step.after) == ("별표 1", "과 같다.")
    for unit in (LIGHT, LIFE_JACKETS, "nowhere_1조"):  # cited by nothing, or had by the run
        assert citation_path(ws, run, "q1", unit) is None
    monkeypatch.setattr(module, "STARTS", 0)
    assert citation_path(ws, run, "q1", ANNEX) is None  # the first alone are starts


def test_many_paths_are_those_of_each_and_no_edge_is_read_twice(ws, run, monkeypatch):
    missed = [("q1", unit) for unit in (ANNEX, LIGHT, ANNEX, LIFE_JACKETS, "nowhere_1조")]
    alone = [citation_path(ws, run, *each) for each in missed]
    asked: list[int] = []

    def noted(session, new, *rest):
        asked.extend(new)
        return pairs_at(session, new, *rest)

    monkeypatch.setattr(module, "pairs_at", noted)
    assert list(citation_paths(ws, run, missed)) == alone
    assert asked and len(asked) == len(set(asked))
