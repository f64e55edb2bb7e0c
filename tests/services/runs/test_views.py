"""Runs retired, tagged and noted; which are compared; views that keep their numbers."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from annotation.people.members import add_person
from annotation.people.roles import Role
from services.runs import views
from services.runs.experiments.running import run_experiment
from services.runs.marks import MOST_TAGS, mark_runs
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.score_table import exported, left_out_notes
from services.runs.significance import compare_runs
from services.runs.views import (
    View,
    compare_view,
    find_view,
    list_views,
    remove_view,
    run_choices,
    save_view,
)
from storage.runs.run_store import list_runs
from storage.tables.runs import RunMark
from tests.projects.small_law import SLUG
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")
RR = ("RR@10", "Recall@1")
SWEEP = """\
name: Sweep
measures: [RR@10]
baseline: b3
methods:
- {name: b3, method: bm25, b: 0.3}
- {name: b5, method: bm25, b: 0.5}
- {name: plain, method: bm25}
"""


@pytest.fixture
def runs(ws):
    words = {"method": "bm25", "tokeniser": "whitespace"}
    return retrieve(ws, SLUG), retrieve(ws, SLUG, words, label="words")


def swept(ws, clock):
    """Run the experiment some time later; return its lines."""
    clock.now += timedelta(minutes=1)
    run_experiment(ws, SLUG, SWEEP)
    (folded,) = run_choices(ws, SLUG).experiments
    return folded


def numbers(report):
    return [(run.run_id, [(c.figure, c.comparison) for c in run.cells]) for run in report.runs]


def test_lines_made_for_an_experiment_are_folded_behind_its_baseline(ws, runs, clock):
    folded = swept(ws, clock)
    plain, words = runs
    third, fifth, known = folded.lines
    assert (known, folded.shown, folded.made) == (plain, third, {third, fifth})
    choices = run_choices(ws, SLUG)
    assert set(choices.usual()) == {plain, words, third}
    assert set(choices.usual([folded.number])) == {plain, words, third, fifth}
    assert choices.notes([words, third])[0] == (
        f"Experiment 1: Sweep: only run {third} is compared; its 2 other lines are folded."
    )
    assert choices.notes(choices.usual([folded.number])) == []
    mark_runs(ws, SLUG, [words], "retired")
    choices = run_choices(ws, SLUG)
    assert words not in choices.usual()
    assert choices.notes(choices.usual())[-1] == "Not in the table: 1 retired run."


def test_runs_that_land_later_change_no_number_of_a_view(ws, runs, clock):
    kept = save_view(ws, SLUG, "Paper", View(runs=runs, measures=RR, holm_over="table"))
    before, all_before = compare_view(ws, SLUG, kept.view), compare_view(ws, SLUG, View())
    folded = swept(ws, clock)
    retrieve(ws, SLUG, {"method": "tfidf"})
    assert numbers(compare_view(ws, SLUG, find_view(ws, SLUG, "Paper").view)) == numbers(before)
    assert len(compare_view(ws, SLUG, View()).runs) == len(all_before.runs) + len(folded.made) + 1


def test_a_view_settles_what_hangs_on_the_moment_and_the_newest_counts(ws, runs):
    good, poor = runs
    sora = add_person(ws, SLUG, "Sora", Role.RESEARCHER).id
    save_view(ws, SLUG, "Paper", View(runs=[good]))
    kept = save_view(ws, SLUG, " Paper ", View(runs=[good], measures=RR, baseline=poor), sora)
    assert (kept.view.runs, kept.view.gold, kept.by) == ((poor, good), "people", "Sora")
    assert [view.view for view in list_views(ws, SLUG)] == [kept.view]
    findable = save_view(ws, SLUG, "Found", View(runs=runs, gold="searchable")).view
    assert findable.gold == compare_view(ws, SLUG, findable).gold.label == "people:searchable"
    remove_view(ws, SLUG, "Found")
    remove_view(ws, SLUG, "Paper")
    assert list_views(ws, SLUG) == ()
    for act in (find_view, remove_view):
        assert code_of(act, ws, SLUG, "Paper") == "view_unknown"


def test_a_view_says_which_of_its_runs_are_retired_and_which_are_gone(ws, runs, monkeypatch):
    good, poor = runs
    kept = save_view(ws, SLUG, "Paper", View(runs=runs, measures=RR, baseline=poor))
    before = numbers(compare_view(ws, SLUG, kept.view))
    mark_runs(ws, SLUG, [poor], "retired")
    found = find_view(ws, SLUG, "Paper")
    assert numbers(compare_view(ws, SLUG, found.view)) == before
    assert found.notes() == [f"Retired now, and still in this view: run {poor}."]
    stored = list_runs
    monkeypatch.setattr(
        views, "list_runs", lambda *where: [run for run in stored(*where) if run.id == good]
    )
    found = find_view(ws, SLUG, "Paper")
    assert (found.view.runs, found.view.baseline) == ((good,), None)
    assert found.notes() == [f"No longer in this project, so not in this view: run {poor}."]
    monkeypatch.setattr(views, "list_runs", lambda *_: [])
    assert code_of(find_view, ws, SLUG, "Paper") == "view_empty"


@pytest.mark.parametrize(
    ("name", "wrong", "code"),
    [
        (" \u200b", {}, "view_unnamed"),
        ("x" * 61, {}, "text_too_long"),
        ("Paper", {"runs": [99]}, "run_unknown"),
        ("Paper", {"measures": ["RR@10"], "order": "AP"}, "leaderboard_order"),
        ("Paper", {"gold": "silver"}, "gold_unknown"),
        ("Paper", {"resamples": 1}, "resamples_range"),
        ("Paper", {"holm_over": "day"}, "holm_unknown"),
    ],
)
def test_what_is_no_view_is_refused(ws, runs, name, wrong, code):
    assert code_of(save_view, ws, SLUG, name, View(**{"runs": runs} | wrong)) == code
    assert list_views(ws, SLUG) == ()


def test_a_retired_run_is_out_of_the_board_and_counted_until_it_is_restored(ws, runs):
    good, words = runs
    assert mark_runs(ws, SLUG, [words, good], "retired", "Wrong tokeniser") == (words, good)
    assert mark_runs(ws, SLUG, [words], "retired") == ()  # it is so already
    board = leaderboard(ws, SLUG)
    assert (board.runs, board.retired) == ((), 2)
    assert mark_runs(ws, SLUG, [good], "restored") == (good,)
    board = leaderboard(ws, SLUG)
    assert ([line.run_id for line in board.runs], board.retired) == ([good], 1)
    report = compare_runs(ws, SLUG)
    assert [run.run_id for run in report.runs] == [good] and report.retired == 1
    assert left_out_notes(report) == ["Not in the table: 1 retired run."]
    every = compare_runs(ws, SLUG, with_retired=True)
    assert [run.run_id for run in every.runs] == [words, good] and every.retired == 0
    assert every.runs[0].line.marks.why == "Wrong tokeniser"
    named = compare_runs(ws, SLUG, [words])  # whoever names it sees it
    assert [run.label for run in named.runs] == ["words"]
    assert ",true,,,1000,measure" in exported(every, "csv").splitlines()[1]
    with ws.reading() as session:
        said = [(row.run_id, row.mark) for row in session.exec(select(RunMark))]
    assert said == [(words, "retired"), (good, "retired"), (good, "restored")]


def test_tags_and_notes_are_the_newest_said(ws, runs):
    good, words = runs
    assert mark_runs(ws, SLUG, [good, words], "tagged", "  paper  2 ") == (good, words)
    assert mark_runs(ws, SLUG, [good], "tagged", "기준") == (good,)
    assert mark_runs(ws, SLUG, [good], "untagged", "paper 2") == (good,)
    assert mark_runs(ws, SLUG, [good], "untagged", "paper 2") == ()
    assert mark_runs(ws, SLUG, [good], "noted", "First\nline") == (good,)
    assert mark_runs(ws, SLUG, [good], "noted", "First\nline") == ()
    lines = {line.run_id: line.marks for line in leaderboard(ws, SLUG).runs}
    assert (lines[good].tags, lines[good].note) == (("기준",), "First\nline")
    assert (lines[words].tags, lines[words].note) == (("paper 2",), "")
    assert mark_runs(ws, SLUG, [good], "noted")
    assert leaderboard(ws, SLUG).runs[1].marks.note == ""


def test_nothing_is_said_of_a_run_that_is_not_there_or_by_who_may_not(ws, runs):
    person = add_person(ws, SLUG, "Ann", Role.ANNOTATOR).id
    sora = add_person(ws, SLUG, "Sora", Role.RESEARCHER).id
    retrieve(ws, SLUG, {"method": "tfidf"}, by=sora)
    assert [line.author for line in leaderboard(ws, SLUG).runs] == ["Sora", "", ""]
    assert code_of(mark_runs, ws, SLUG, [runs[0], 99], "retired") == "run_unknown"
    assert code_of(mark_runs, ws, SLUG, [runs[0]], "retired", by=person) == "not_allowed"
    assert leaderboard(ws, SLUG).retired == 0
    for text, code in (("a, b", "run_tag"), ("\u200b", "run_tag"), ("x" * 41, "text_too_long")):
        assert code_of(mark_runs, ws, SLUG, [runs[0]], "tagged", text) == code
    for at in range(MOST_TAGS):
        mark_runs(ws, SLUG, [runs[0]], "tagged", f"tag {at}")
    assert code_of(mark_runs, ws, SLUG, [runs[0]], "tagged", "one more") == "run_tags_full"
