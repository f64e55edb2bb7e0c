"""Views of the leaderboard on the command line: saved, read, listed, removed."""

from __future__ import annotations

import json

import pytest

from services.gold import gold_set
from tests.commands.called import command_line
from tests.projects.small_law import small_workspace
from tests.services.small_gold import FIRST


@pytest.fixture
def called(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST)
    small_workspace(tmp_path / "w", clock).engine.dispose()

    def call(*words):
        return command_line(tmp_path / "w", *words)

    for b in ("0.1", "0.4", "0.9"):
        assert call("retrieve", "--b", b).returncode == 0
    return call


def test_a_view_is_saved_with_what_was_printed_read_listed_and_removed(called):
    words = ("--run", "1", "--run", "3", "--baseline", "1", "--measure", "RR@10", "--save", "Paper")
    done = called("leaderboard", *words)
    assert done.stdout.splitlines()[-1] == "The view “Paper” is saved."
    assert "1 test shown by each measure: 1 run against run 1." in done.stdout
    assert called("run", "retire", "3").returncode == 0
    board = json.loads(called("--json", "leaderboard", "--view", "Paper").stdout)
    assert list(board["runs"]) == ["3", "1"] and list(board["runs"]["1"]) == ["RR@10"]
    assert (board["view"], board["retired_in_view"], board["gone"]) == ("Paper", [3], [])
    text = called("leaderboard", "--view", "Paper").stdout
    assert text.splitlines()[-1] == "Retired now, and still in this view: run 3."
    assert called("leaderboard", "--view", "Paper", "--run", "2").returncode != 0
    assert called("run", "view", "list").stdout.splitlines() == [
        "Paper: 3, 1 (operator)",
        "  Retired now, and still in this view: run 3.",
    ]
    assert called("run", "view", "remove", "Paper").stdout == "The view “Paper” is removed.\n"
    assert called("run", "view", "list").stdout == "No saved views.\n"
