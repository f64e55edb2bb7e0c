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
    first_doubt,
    is_block,
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
    (kept,) = checked_blocks([{**BLOCK, "from": 0, "style": "<b>", "unseen": False}])
    assert kept == {**BLOCK, "from": 0}
    more: dict[str, Any] = {
        "kind": "formula",
        "latex": "（x）",
        "box": None,
        "doubt": [],
        "unseen": True,
    }
    assert checked_blocks([{**more, "text": "x", "from": 499}]) == [{**more, "from": 499}]


def test_all_that_is_allowed_may_stand_there() -> None:
    column = [{**LEFT, "row": row, "doubt": []} for row in range(500)]
    row = [{**LEFT, "row": 0, "column": column, "doubt": []} for column in range(60)]
    tall = {**WIDE, "row_span": 3, "column_span": 1, "doubt": []}
    rest = [{**LEFT, "row": row, "column": 1, "doubt": []} for row in range(3)]
    full = [table(*column, rows=500, columns=1), table(*row, rows=1, columns=60)]
    full += [table(tall, *rest, rows=3), {**BLOCK, "text": "가" * LONGEST_TEXT}]
    assert checked_blocks(full) == full
    assert len(checked_blocks([BLOCK] * MOST_BLOCKS)) == MOST_BLOCKS


def test_line_breaks_are_kept_as_one_character():
    (kept,) = checked_blocks([{"kind": "heading", "text": "가\r\n나\r다\n"}])
    assert kept["text"] == "가\n나\n다\n"
    assert kept["box"] is None
    assert kept["doubt"] == []


def test_a_merged_cell_is_one_cell_with_spans():
    (kept,) = checked_blocks([table(RIGHT, LEFT, WIDE)])
    assert [(cell["row"], cell["column"]) for cell in kept["cells"]] == [(0, 0), (1, 0), (1, 1)]
    assert texts(kept) == texts(table(RIGHT, LEFT, WIDE)) == ["구분", "가", "나"]
    assert kept["cells"][2]["doubt"] == [[0, 1]]
    assert first_doubt([{"kind": "heading", "text": ""}, kept, BLOCK]) == (2, 2)
    assert is_block(kept)
    assert not any(map(is_block, (3, {"kind": "picture", "box": None}, {"kind": "table"})))


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
        *({"kind": "picture"}, {"kind": None}, {"text": 3}, {"box": [0, 0, 0, 1]}),
        *({"box": [0, 0, float("nan"), 1]}, {"box": [0, 0, True, 1]}, {"from": -1}, {"from": True}),
        *({"doubt": [[0]]}, {"doubt": [["0", 1]]}),
        *({"box": [2, 0, 1, 1]}, {"box": [0, 1, 1, 1]}, {"box": [0, 2, 1, 1]}),
        *({"box": [0, 0, 1, 1, 2]}, {"box": [0, 0, 1]}, {"box": "0011"}),
        {"box": [0, 0, float("nan"), 1]},
        {"box": [0, 0, True, 1]},
        {"doubt": [[0]]},
        {"doubt": [["0", 1]]},
        *({"doubt": [[0, 1, 2]]}, {"doubt": ["01"]}, {"doubt": "01"}, {"from": MOST_BLOCKS}),
    ):
        error = refused([BLOCK, {**BLOCK, **change}])
        assert (error.params["block"], error.params["field"]) == (2, *change)
    for change in (
        *({"row": 2}, {"row_span": 2}, {"row_span": 0}, {"text": None}),
        *({"column": 2}, {"column_span": 2}, {"column_span": 0}),
    ):
        error = refused([table(WIDE, LEFT, {**RIGHT, **change})])
        assert [error.params["field"]] == [*change]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "ocr_blocks_form"),
        ({}, "ocr_blocks_form"),
        *(
            ([{**table(WIDE, LEFT, RIGHT), name: wrong}], f"ocr_block_form {name}")
            for name, many in {"rows": (0, 501), "columns": (0, 61), "cells": ({}, [3])}.items()
            for wrong in many
        ),
        ([table(*([LEFT] * 7), rows=3)], "ocr_block_form cells"),
        (["table"], "ocr_block_form kind"),
        ([BLOCK] * (MOST_BLOCKS + 1), "ocr_blocks_many"),
        ([{**BLOCK, "text": "가" * (LONGEST_TEXT + 1)}], "ocr_block_long"),
        *(([{**BLOCK, "text": bad}], "ocr_block_control") for bad in "\0\x1b\ud800\udfff"),
    ],
)
def test_what_is_no_page_of_blocks_is_refused(value: Any, code: str):
    error = refused(value)
    assert f"{error.code} {error.params.get('field', '')}".strip() == code


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
