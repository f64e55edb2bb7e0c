"""Runs retired and taken back, tagged and noted; out of the board by default, and counted."""

from __future__ import annotations

import pytest
from sqlmodel import select

from annotation.people.members import add_person
from annotation.people.roles import Role
from services.runs import marks
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.score_table import exported, left_out_notes
from services.runs.significance import compare_runs
from storage.tables.runs import RunMark
from tests.projects.small_law import SLUG
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")


@pytest.fixture
def runs(ws):
    words = {"method": "bm25", "tokeniser": "whitespace"}
    return retrieve(ws, SLUG), retrieve(ws, SLUG, words, label="words")


def test_a_retired_run_is_out_of_the_board_and_counted_until_it_is_restored(ws, runs):
    good, words = runs
    assert marks.retire(ws, SLUG, [words, good], "Wrong tokeniser") == (words, good)
    assert marks.retire(ws, SLUG, [words]) == ()  # it is so already
    board = leaderboard(ws, SLUG)
    assert (board.runs, board.retired) == ((), 2)
    assert marks.restore(ws, SLUG, [good]) == (good,)
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
    assert marks.tag(ws, SLUG, [good, words], "  paper  2 ") == (good, words)
    assert marks.tag(ws, SLUG, [good], "기준") == (good,)
    assert marks.untag(ws, SLUG, [good], "paper 2") == (good,)
    assert marks.untag(ws, SLUG, [good], "paper 2") == ()
    assert marks.note(ws, SLUG, good, "First\nline") and not marks.note(
        ws, SLUG, good, "First\nline"
    )
    lines = {line.run_id: line.marks for line in leaderboard(ws, SLUG).runs}
    assert (lines[good].tags, lines[good].note) == (("기준",), "First\nline")
    assert (lines[words].tags, lines[words].note) == (("paper 2",), "")
    assert marks.note(ws, SLUG, good, "")
    assert leaderboard(ws, SLUG).runs[1].marks.note == ""


def test_nothing_is_said_of_a_run_that_is_not_there_or_by_who_may_not(ws, runs):
    person = add_person(ws, SLUG, "Ann", Role.ANNOTATOR).id
    sora = add_person(ws, SLUG, "Sora", Role.RESEARCHER).id
    retrieve(ws, SLUG, {"method": "tfidf"}, by=sora)
    assert [line.author for line in leaderboard(ws, SLUG).runs] == ["Sora", "", ""]
    assert code_of(marks.retire, ws, SLUG, [runs[0], 99]) == "run_unknown"
    assert code_of(marks.retire, ws, SLUG, [runs[0]], by=person) == "not_allowed"
    assert leaderboard(ws, SLUG).retired == 0
    for text, code in (("a, b", "run_tag"), ("\u200b", "run_tag"), ("x" * 41, "text_too_long")):
        assert code_of(marks.tag, ws, SLUG, [runs[0]], text) == code
    for at in range(marks.MOST_TAGS):
        marks.tag(ws, SLUG, [runs[0]], f"tag {at}")
    assert code_of(marks.tag, ws, SLUG, [runs[0]], "one more") == "run_tags_full"
