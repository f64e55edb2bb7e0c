"""What people say of runs, and the questions behind a figure, on the command line."""

from __future__ import annotations

import json

import pytest

from services.gold import gold_set
from tests.commands.called import command_line
from tests.projects.small_law import small_workspace
from tests.services.small_gold import FIRST, LAMP


@pytest.fixture
def called(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST)
    small_workspace(tmp_path / "w", clock).engine.dispose()
    file = tmp_path / "their.run"
    file.write_text(f"q2 Q0 x 1 2.0 theirs\nq2 Q0 {LAMP} 2 1.0 theirs\n", "utf-8")

    def call(*words):
        return command_line(tmp_path / "w", *words)

    assert call("retrieve", "--name", "ours").returncode == 0
    assert call("run", "import", str(file), "--unknown", "keep").returncode == 0
    return call


def test_runs_are_listed_retired_tagged_and_noted(called):
    lines = called("run", "list").stdout.splitlines()
    assert lines[0].split() == ["Run", "Name", "Snapshot", "Questions", "answered", "By"]
    assert lines[1].startswith("2    theirs") and "1 of 2 (50 %)" in lines[1]
    assert lines[1].endswith("operator") and "2 of 2 (100 %)" in lines[2]
    assert called("run", "tag", "paper", "1", "2").stdout == "Tagged: run 1, 2.\n"
    assert called("run", "note", "1", "Keep\nthis").stdout == "The note of run 1 is kept.\n"
    listed = called("run", "list", "--tag", "paper").stdout
    assert "#paper; Keep this" in listed
    assert called("run", "retire", "2", "--why", "Too few").stdout == "Retired: run 2.\n"
    again = called("run", "retire", "2").stdout
    assert again == "Unchanged, as it was so before: 2.\n"
    assert called("run", "list").stdout.splitlines()[-1] == "Not in the table: 1 retired run."
    board = json.loads(called("--json", "leaderboard").stdout)
    assert list(board["runs"]) == ["1"] and board["retired"] == 1
    told = json.loads(called("--json", "run", "list", "--retired").stdout)
    assert [(run["run"], run["retired"], run["why"]) for run in told["runs"]] == [
        (2, True, "Too few"),
        (1, False, ""),
    ]
    assert called("run", "tag", "paper", "1", "--remove").stdout == "Tag removed: run 1.\n"
    assert called("run", "restore", "2").stdout == "Back on the leaderboard: run 2.\n"
    assert set(json.loads(called("--json", "leaderboard").stdout)["runs"]) == {"1", "2"}


def test_two_runs_are_compared_on_the_questions_that_both_rank(called):
    text = called("leaderboard", "--measure", "Recall@10").stdout
    assert "Gold: 3 questions that people decided on." in text
    assert "their figures are on the 1 question with gold that all of them rank." in text
    told = json.loads(called("--json", "leaderboard").stdout)
    assert (told["ground"], told["gold"], told["gold_questions"]) == (1, "people", 3)
    assert told["left_out"] == {} and told["coverage"]["2"]["not_asked"] == 1


def test_runs_that_lack_what_most_rank_are_tested_where_that_is_asked_for(called, tmp_path):
    other = tmp_path / "other.run"
    other.write_text(f"q1 Q0 {LAMP} 1 1.0 other\n", "utf-8")
    assert called("run", "import", str(other)).returncode == 0
    text = called("leaderboard", "--measure", "Recall@10").stdout
    assert "Left out of the tests: 2 runs (2 that lack questions most runs rank)." in text
    assert "Nothing is tested: of 3 runs 1 takes part." in text and "--unlike" in text
    listed = called("run", "list").stdout.splitlines()
    assert [line.endswith("operator  fewer questions") for line in listed[1:]] == [1, 1, 0]
    file = called("leaderboard", "--file", str(tmp_path / "board.txt"))
    assert "Nothing is tested" in file.stdout
    assert "Nothing is tested" not in (tmp_path / "board.txt").read_text("utf-8")
    told = json.loads(called("--json", "leaderboard").stdout)
    assert told["left_out"] == {"fewer": 2}
    assert told["coverage"]["2"]["left_out"] == ["fewer"]
    assert told["coverage"]["2"]["unanswered"] == 0
    assert told["coverage"]["2"]["not_asked"] == 1
    told = json.loads(called("--json", "leaderboard", "--unlike").stdout)
    assert told["left_out"] == {} and told["searched"]["2"]["compared"]
    unscored = called("leaderboard", "--stratum", "gold_count=0").stdout
    assert unscored == "gold_count = 0: no question has gold, so nothing is scored.\n"


def test_the_questions_behind_a_figure_are_listed_opened_and_written(called, tmp_path):
    poor = tmp_path / "poor.run"
    poor.write_text(f"q1 Q0 x 1 1 p\nq2 Q0 x 1 2 p\nq2 Q0 {LAMP} 2 1 p\n", "utf-8")
    assert called("run", "import", str(poor), "--unknown", "keep").returncode == 0
    text = called("run", "questions", "3", "--measure", "Recall@1", "--against", "1").stdout
    lines = text.splitlines()
    assert lines[0].split()[:4] == ["Id", "Gold", "Missed", "at"]
    assert [line.split()[0] for line in lines[1:-1]] == ["q2", "q1"]  # those that the file has
    assert lines[-1].startswith("All 2 · Missed 2 · Won 0 · Lost 2")
    assert lines[-1].endswith("Nothing found 0 · No gold 0 · Not in the gold set 0")
    ours = called("run", "questions", "1").stdout.splitlines()
    assert [line.split()[0] for line in ours[1:-1]] == ["q1", "q2", "q3", "q4"]
    assert ours[-1].endswith("Nothing found 0 · No gold 1 · Not in the gold set 1")
    none = called("run", "questions", "1", "--only", "no_gold").stdout.splitlines()
    assert [line.split()[0] for line in none[1:-1]] == ["q4"]
    assert none[-1].startswith("All 4 · Missed ") and "Won" not in none[-1]
    counts = json.loads(called("--json", "run", "questions", "1").stdout)["counts"]
    assert (counts["won"], counts["lost"], counts["tied"], counts["all"]) == (None, None, None, 4)
    moved = called("run", "question", "3", "q2", "--against", "1", "--path").stdout
    assert "1 → 2" in moved and "Rank before → after" in moved
    assert (
        called("run", "question", "3", "q1", "--path").stdout.count("no citations lead here") == 2
    )
    file = tmp_path / "missed.csv"
    done = called("run", "failures", "3", str(file), "--measure", "Recall@1", "--paths")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Wrote 3 missed provisions of 2 questions to ")
    rows = file.read_text("utf-8").splitlines()
    assert rows[0].startswith("run,question,text,measure,value") and len(rows) == 4
    file = tmp_path / "missed.jsonl"
    told = json.loads(called("--json", "run", "failures", "3", str(file)).stdout)
    assert (told["questions"], told["units"], told["counts"]["no_gold"]) == (1, 2, 0)
    assert [json.loads(line)["reason"] for line in file.read_text("utf-8").splitlines()] == [
        *("not_retrieved", "not_retrieved"),
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("run", "retire", "9"),
        ("run", "tag", "a,b", "1"),
        ("run", "questions", "1", "--only", "best"),
        ("run", "questions", "1", "--only", "tied"),
        ("run", "failures", "1", "x.docx"),
        ("run", "failures", "1", "x.csv", "--only", "won"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(called, words):
    refused = called(*words)
    assert refused.returncode == 3
    assert "Remedy:" in refused.stderr
