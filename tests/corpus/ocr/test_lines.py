from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from corpus.ocr.cleaning import cleaned, dark, straightened
from corpus.ocr.lines import Grid, edges, find_tables, grid_of_boxes, tiled
from tests.support.drawn_pages import CELLS, drawn, scanned

SPANS = st.tuples(
    st.integers(0, 5), st.integers(0, 5), st.integers(1, 3), st.integers(1, 3)
).filter(lambda p: p[0] + p[2] <= 6 and p[1] + p[3] <= 6)


@given(st.lists(SPANS, max_size=20))
def test_cells_always_cover_every_place_once(places: list[tuple[int, int, int, int]]) -> None:
    once = tiled(places, 6, 6)
    spots = [
        (r, c)
        for row, column, rows, columns in once
        for r in range(row, row + rows)
        for c in range(column, column + columns)
    ]
    assert sorted(spots) == [(r, c) for r in range(6) for c in range(6)]
    assert tiled(once, 6, 6) == once


def test_edges_that_are_near_are_one() -> None:
    assert edges([10.0, 0.0, 10.5, 40.0, 11.0], 1.0) == [0.0, 10.5, 40.0]


def test_a_grid_of_boxes_that_lie_a_little_apart() -> None:
    boxes = [(0, 0, 100, 20.4), (0, 20, 50, 40), (50.5, 20, 100, 40)]
    grid = grid_of_boxes(boxes, near=2)
    assert grid == Grid((0, 50, 100), (0, 20, 40), ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)))
    assert grid.box == (0, 0, 100, 40)
    assert grid.box_of((0, 0, 1, 2)) == (0, 0, 100, 20)
    assert grid_of_boxes([], near=2) is None
    assert grid_of_boxes([(5, 5, 6, 6)], near=2) is None


PLACES = sorted(cell[:4] for cell in CELLS)


@pytest.mark.parametrize(
    ("angle", "noise", "dpi"),
    [
        pytest.param(0, 0, 200, marks=pytest.mark.long),
        (1.5, 18, 200),
        pytest.param(-2.2, 30, 200, marks=pytest.mark.long),
        pytest.param(4, 18, 300, marks=pytest.mark.long),
    ],
)
def test_a_scanned_table_has_its_rows_columns_and_merged_cells(
    angle: float, noise: float, dpi: int
) -> None:
    upright, turned = straightened(scanned(drawn(), angle, noise, dpi=dpi))
    assert turned == pytest.approx(angle, abs=0.1)
    (grid,) = find_tables(dark(cleaned(upright).image))
    assert (grid.rows, grid.columns) == (5, 4)
    assert sorted(grid.places) == PLACES


def test_a_table_that_is_open_at_the_sides_keeps_its_outer_columns() -> None:
    upright, _ = straightened(scanned(drawn(open_sides=True), 0.8, dpi=120))
    (grid,) = find_tables(dark(cleaned(upright).image))
    assert sorted(grid.places) == PLACES


def _ink() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("L", (1200, 1600), 255)
    return image, ImageDraw.Draw(image)


def test_no_lines_a_line_a_frame_a_black_bar_hatching_and_ink_everywhere_are_no_tables() -> None:
    assert find_tables(np.ones((300, 300), dtype=np.bool_)) == []
    image, draw = _ink()
    assert find_tables(dark(image)) == []
    draw.line((100, 200, 1100, 200), fill=0, width=3)
    draw.rectangle((100, 300, 1100, 700), outline=0, width=3)
    draw.rectangle((100, 800, 1100, 1000), fill=0)
    assert find_tables(dark(image)) == []
    image, draw = _ink()
    for at in range(0, 1000, 10):
        draw.line((100 + at, 100, 100 + at, 1100), fill=0, width=2)
        draw.line((100, 100 + at, 1100, 100 + at), fill=0, width=2)
    assert find_tables(dark(image)) == []


def test_two_tables_come_from_top_to_bottom_and_one_within_another_is_left_out() -> None:
    image, draw = _ink()
    for top in (900, 200):
        for y in range(3):
            draw.line((100, top + 150 * y, 1000, top + 150 * y), fill=0, width=3)
        for x in (100, 500, 1000):
            draw.line((x, top, x, top + 300), fill=0, width=3)
    for y in (230, 260, 290):
        draw.line((150, y, 400, y), fill=0, width=2)
    for x in (150, 250, 400):
        draw.line((x, 230, x, 290), fill=0, width=2)
    first, second = find_tables(dark(image))
    assert (first.rows, first.columns) == (second.rows, second.columns) == (2, 2)
    assert first.box[1] == pytest.approx(200, abs=3)
    assert second.box[1] == pytest.approx(900, abs=3)
