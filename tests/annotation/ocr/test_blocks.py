"""What may be said of the text of a page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.ocr.blocks import (
    LONGEST_TEXT,
    MOST_BLOCKS,
    checked_blocks,
    refuse_unfinished,
    texts,
)
from errors import UserError
from messages import LANGUAGES

BLOCK = {"kind": "paragraph", "text": "제1조", "box": [1, 2, 30.5, 40], "doubt": [[0, 2]]}
WIDE = {"row": 0, "column": 0, "row_span": 1, "column_span": 2, "text": "구분"}
LEFT = {"row": 1, "column": 0, "row_span": 1, "column_span": 1, "text": "가"}
RIGHT = {"row": 1, "column": 1, "row_span": 1, "column_span": 1, "text": "나", "doubt": [[0, 1]]}


def table(*cells: dict[str, Any], rows: int = 2, columns: int = 2) -> dict[str, Any]:
    return {"kind": "table", "rows": rows, "columns": columns, "cells": list(cells), "box": None}


def refused(value: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        checked_blocks(value)
    for language in LANGUAGES:
        assert "{" not in caught.value.what(language) + caught.value.remedy(language)
    return caught.value


def test_blocks_are_kept_with_the_keys_that_are_known():
    (kept,) = checked_blocks([{**BLOCK, "from": 3, "style": "<b>"}])
    assert kept == {**BLOCK, "from": 3}


def test_line_breaks_are_kept_as_one_character():
    (kept,) = checked_blocks([{"kind": "heading", "text": "가\r\n나\r다\n"}])
    assert kept["text"] == "가\n나\n다\n"
    assert kept["box"] is None
    assert kept["doubt"] == []


def test_a_merged_cell_is_one_cell_with_spans():
    (kept,) = checked_blocks([table(RIGHT, LEFT, WIDE)])
    assert [(cell["row"], cell["column"]) for cell in kept["cells"]] == [(0, 0), (1, 0), (1, 1)]
    assert texts(kept) == ["구분", "가", "나"]
    assert kept["cells"][2]["doubt"] == [[0, 1]]


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ((WIDE, LEFT), (2, 2)),  # a hole
        ((WIDE, LEFT, RIGHT, {**LEFT, "row": 0, "text": ""}), (1, 1)),  # two cells in one place
    ],
)
def test_cells_cover_the_grid_exactly_once(cells: tuple[dict[str, Any], ...], place: Any):
    error = refused([BLOCK, table(*cells)])
    assert error.code == "ocr_table_cover"
    assert (error.params["block"], error.params["row"], error.params["column"]) == (2, *place)


def test_what_cannot_stand_there_is_named_with_its_place():
    for change in (
        {"kind": "picture"},
        {"kind": None},
        {"text": 3},
        {"box": [0, 0, 0, 1]},
        {"box": [0, 0, float("nan"), 1]},
        {"box": [0, 0, True, 1]},
        {"doubt": [[0]]},
        {"doubt": [["0", 1]]},
        {"from": -1},
        {"from": True},
    ):
        error = refused([BLOCK, {**BLOCK, **change}])
        assert (error.params["block"], error.params["field"]) == (2, *change)
    for change in ({"row": 2}, {"row_span": 2}, {"column_span": 0}, {"text": None}):
        error = refused([table(WIDE, LEFT, {**RIGHT, **change})])
        assert [error.params["field"]] == [*change]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "ocr_blocks_form"),
        ({}, "ocr_blocks_form"),
        ([{**table(WIDE, LEFT, RIGHT), "rows": 0}], "ocr_block_form"),
        ([{**table(WIDE, LEFT, RIGHT), "columns": 61}], "ocr_block_form"),
        ([{**table(WIDE, LEFT, RIGHT), "cells": {}}], "ocr_block_form"),
        ([{**table(WIDE, LEFT, RIGHT), "cells": [3]}], "ocr_block_form"),
        ([BLOCK] * (MOST_BLOCKS + 1), "ocr_blocks_many"),
        ([{**BLOCK, "text": "가" * (LONGEST_TEXT + 1)}], "ocr_block_long"),
        *(([{**BLOCK, "text": bad}], "ocr_block_control") for bad in ("\0", "\x1b", "\ud800")),
    ],
)
def test_what_is_no_page_of_blocks_is_refused(value: Any, code: str):
    assert refused(value).code == code


@given(
    st.text("가나 ", max_size=12), st.lists(st.lists(st.integers(-3, 20), min_size=2, max_size=2))
)
def test_doubt_lies_in_the_text_and_stays_as_it_is_kept(text: str, doubt: list[list[int]]):
    (kept,) = checked_blocks([{"kind": "paragraph", "text": text, "doubt": doubt}])
    assert all(0 <= start < end <= len(text) for start, end in kept["doubt"])
    assert kept["doubt"] == sorted(kept["doubt"])
    assert checked_blocks([kept]) == [kept]


def test_a_block_that_says_nothing_is_not_finished():
    refuse_unfinished(checked_blocks([BLOCK, table(WIDE, LEFT, RIGHT)]))
    refuse_unfinished([])  # a page with nothing on it
    empty = [BLOCK, {**BLOCK, "text": " \n"}]
    with pytest.raises(UserError) as caught:
        refuse_unfinished(checked_blocks(empty))
    assert caught.value.params["block"] == 2
