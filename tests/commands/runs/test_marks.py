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
    none = called("run", "questions", "1", "--only", "no_gold").stdout.splitlines()
    assert [line.split()[0] for line in none[1:-1]] == ["q4"]
    counts = json.loads(called("--json", "run", "questions", "1").stdout)["counts"]
    assert (counts["won"], counts["lost"], counts["tied"], counts["all"]) == (None, None, None, 4)
    moved = called("run", "question", "3", "q2", "--against", "1", "--path").stdout
    assert "1 → 2" in moved and "Rank before → after" in moved
    file = tmp_path / "missed.csv"
    done = called("run", "failures", "3", str(file), "--measure", "Recall@1", "--paths")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Wrote 3 missed provisions of 2 questions to ")
    rows = file.read_text("utf-8").splitlines()
    assert rows[0].startswith("run,question,text,measure,value") and len(rows) == 4
    refused = called("run", "failures", "1", "x.docx")
    assert refused.returncode == 3 and "Remedy:" in refused.stderr
