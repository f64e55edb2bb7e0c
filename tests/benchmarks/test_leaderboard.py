"""The benchmark of the leaderboard, on a handful of questions."""

from __future__ import annotations

from benchmarks.leaderboard import SLUG, bring_runs, decided, draws
from benchmarks.people import opened
from evaluation.ranking.scoring import SHOWN
from services.runs.significance import compare_runs


def test_the_runs_find_more_and_more_and_draws_are_timed(tmp_path):
    ws = opened(tmp_path, None)
    bring_runs(ws, decided(ws, 6), 2)
    assert all(seconds > 0 for seconds in draws(ws))
    second, first = compare_runs(ws, SLUG, measures=SHOWN).runs
    found = {run.label: run.cells[1].figure for run in (first, second)}
    assert list(found) == ["system-1", "system-2"] and found["system-2"].n == 6
    assert found["system-2"].value == 1.0 > (found["system-1"].value or 0.0)
    assert len(list((tmp_path / "cache" / "scores").iterdir())) == 2
