"""The benchmark of reading replies: its figures, and what held-out replies must not come to."""

from __future__ import annotations

from benchmarks.mcq import reply_figures


def test_figures_of_reading() -> None:
    found = {figure.name: figure for figure in reply_figures()}
    assert found["developed"].value == 1.0
    held_out = found["held_out"]
    assert held_out.n >= 50
    assert held_out.value is not None
    assert held_out.value >= 0.75
    assert (found["held_out_wrong"].value or 0.0) <= 0.02
    assert (found["milliseconds"].value or 0.0) > 0
