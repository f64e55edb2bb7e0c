"""Accuracy by context as a figure: the same twice, with and without runs, names that are hard."""

from __future__ import annotations

import pytest

from evaluation.drawing.canvas import Look
from evaluation.drawing.contexts import Level, context_figure
from evaluation.figure import Figure, share_figure
from evaluation.figures.buckets import Bar, Point

BARS = [
    Bar(context, model, share_figure("accuracy", right, 20))
    for context, right in (("Nothing", 7), ("BM25, top 10", 9), ("정답 조문 <b>$x$</b>", 20))
    for model in ("small", "큰 모델")
]
POINTS = tuple(
    Point("small", run, share_figure("Recall@10", found, 20), BARS[2].figure)
    for run, found in (("BM25, top 10", 8), ("LSA, top 10", 12))
)
WORDS = ("Accuracy", "Recall@10")


LEVELS = (Level("small", "None", 0.35), Level("small", "Gold", 1.0))


def drawn(bars=BARS, points=POINTS, levels=LEVELS, **look):
    return context_figure(bars, points, levels, WORDS, Look(**look))


def test_the_same_figure_is_the_same_file():
    assert drawn() == drawn()
    assert drawn(format="png").startswith(b"\x89PNG")
    assert drawn(mode="dark") != drawn()


def test_levels_and_points_are_drawn_where_there_are_any():
    alone, both = drawn(points=()), drawn()
    assert len(alone) < len(both)
    assert drawn(levels=[Level("nobody", "None", 0.5)]) != both  # lines of the models alone


def test_one_run_is_no_relation():
    assert drawn(points=POINTS[:1]) == drawn(points=()) != drawn()


@pytest.mark.parametrize(
    "bars", [[], [Bar("Nothing", "", Figure("accuracy", None, 0))], [BARS[0]] * 2]
)
def test_nothing_to_draw_is_a_figure_too(bars):
    assert drawn(bars=bars, points=()).startswith(b"<?xml")
