"""A small run of `benchmarks/mcq.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import mcq


@pytest.mark.long
def test_a_kill_asks_nothing_that_was_kept_twice_and_loses_no_vote(tmp_path: Path) -> None:
    figures = mcq.measure(tmp_path, questions=40, concurrency=8, delay=0.3)
    told = {figure.name: figure.value or 0 for figure in figures}
    assert told["kept_asked_again"] == told["votes_missing"] == told["votes_twice"] == 0
    assert 0 <= told["asked_again"] <= 13  # under way when it was killed, or about to be kept
    assert told["most_concurrency"] == 8
    assert told["mean_concurrency"] > 4
