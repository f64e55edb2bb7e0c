from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.ocr.grid import Grid, edges, grid_of_boxes, tiled

SPANS = st.tuples(
    st.integers(0, 5), st.integers(0, 5), st.integers(1, 3), st.integers(1, 3)
).filter(lambda p: p[0] + p[2] <= 6 and p[1] + p[3] <= 6)


@given(st.lists(SPANS, max_size=20))
def test_cells_always_cover_every_place_once(places: list[tuple[int, int, int, int]]) -> None:
    spots = [
        (r, c)
        for row, column, rows, columns in tiled(places, 6, 6)
        for r in range(row, row + rows)
        for c in range(column, column + columns)
    ]
    assert sorted(spots) == [(r, c) for r in range(6) for c in range(6)]


@given(st.lists(SPANS, max_size=20))
def test_tiling_what_is_tiled_changes_nothing(places: list[tuple[int, int, int, int]]) -> None:
    once = tiled(places, 6, 6)
    assert tiled(once, 6, 6) == once


def test_edges_that_are_near_are_one() -> None:
    assert edges([10.0, 0.0, 10.5, 40.0, 11.0], 1.0) == [0.0, 10.5, 40.0]


def test_a_grid_of_boxes_that_lie_a_little_apart() -> None:
    boxes = [(0, 0, 100, 20.4), (0, 20, 50, 40), (50.5, 20, 100, 40)]
    grid = grid_of_boxes(boxes, near=2)
    assert grid == Grid((0, 50, 100), (0, 20, 40), ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)))
    assert grid.box == (0, 0, 100, 40)
    assert grid.box_of((0, 0, 1, 2)) == (0, 0, 100, 20)


def test_no_boxes_are_no_grid() -> None:
    assert grid_of_boxes([], near=2) is None
    assert grid_of_boxes([(5, 5, 6, 6)], near=2) is None
