"""A small run of `benchmarks/crash.py` on both databases."""

from __future__ import annotations

from pathlib import Path

from benchmarks import crash


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, database: str | None) -> None:
    figures = crash.measure(tmp_path / "workspace", kills=5, database=database)
    assert {figure.name: figure.value for figure in figures} == {
        "acknowledged_lost": 0,
        "unopened": 0,
        "problems": 0,
    }
    assert figures[0].n >= 6  # every process had submitted before it was killed
