"""The rules that the browser holds about the text of a page: tables with spans, marks, diffs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from annotation.ocr.blocks import checked_blocks
from pages.ocr.task_page import script
from pages.shell.bundle import DIFF, ELEMENTS, OFFSETS, joined
from tests.support.examples import scaled

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WORDS = st.text("가나 .①\n𝑥a1", max_size=40)
FEW = settings(max_examples=scaled(60), deadline=None)
OWN = ("texts", "grid", "blocks", "formula")
RULES = (ELEMENTS, DIFF, OFFSETS, *(f"ocr/frontend/{name}" for name in OWN))


@pytest.fixture(scope="module")
def rules(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.goto("data:text/html,<!doctype html>")
    page.add_script_tag(content=script())
    page.add_script_tag(content=joined(RULES, "js"))
    yield page
    page.close()


def block(table: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "table", "box": None, **table}


def cells_of(table: dict[str, Any]) -> list[tuple[int, int, int, int, str]]:
    names = ("row", "column", "row_span", "column_span", "text")
    return [tuple(cell[name] for name in names) for cell in table["cells"]]


def numbered(rules: Page, rows: int, columns: int) -> dict[str, Any]:
    """Return a table whose cells say their place."""
    table: dict[str, Any] = rules.evaluate(f"emptyTable({rows}, {columns})")
    for cell in table["cells"]:
        cell["text"] = f"{cell['row']}{cell['column']}"
    return table


def test_cells_are_merged_and_come_apart_with_their_texts(rules: Page):
    table = numbered(rules, 3, 3)
    merged = rules.evaluate("(t) => mergedCells(t, [0, 1, 1, 2])", table)
    assert (0, 1, 2, 2, "01\n02\n11\n12") in cells_of(merged)
    assert checked_blocks([block(merged)])
    parted = rules.evaluate("(t) => splitCell(t, t.cells.find((c) => c.row_span === 2))", merged)
    assert len(parted["cells"]) == 9
    assert (0, 1, 1, 1, "01\n02\n11\n12") in cells_of(parted)
    assert (1, 2, 1, 1, "") in cells_of(parted)
    merged = rules.evaluate("(t) => mergedCells(t, [1, 0, 1, 2])", table)
    chosen = rules.evaluate("(t) => rectangle(t, [0, 1], [1, 1])", merged)
    assert chosen == [0, 0, 1, 2], "merged cells are taken in whole"
    merged = rules.evaluate("(t) => mergedCells(t, [0, 0, 1, 0])", numbered(rules, 2, 2))
    longer = rules.evaluate("(t) => lineAdded(t, 'row', 1)", merged)
    assert (0, 0, 3, 1, "00\n10") in cells_of(longer), "a row inside of one makes it grow"
    assert rules.evaluate("(t) => lineRemoved(t, 'row', 1)", longer) == merged
    gone = rules.evaluate("(t) => lineRemoved(t, 'column', 0)", longer)
    assert [cell[4] for cell in cells_of(gone)] == ["01", "", "11"]


def test_whatever_is_done_to_a_table_its_cells_cover_the_grid_once(rules: Page):
    for seed in range(scaled(12)):
        changed_at_random(rules, random.Random(seed))


def changed_at_random(rules: Page, chosen: random.Random) -> None:
    table = numbered(rules, chosen.randint(1, 4), chosen.randint(1, 4))
    for _ in range(30):
        rows, columns = table["rows"], table["columns"]
        places = [(chosen.randrange(rows), chosen.randrange(columns)) for _ in range(2)]
        act = chosen.choice(
            [
                f"mergedCells(t, rectangle(t, {list(places[0])}, {list(places[1])}))",
                f"splitCell(t, gridOf(t)[{places[0][0]}][{places[0][1]}])",
                f"lineAdded(t, 'row', {chosen.randint(0, rows)})",
                f"lineAdded(t, 'column', {chosen.randint(0, columns)})",
                f"lineRemoved(t, 'row', {places[0][0]})",
                f"lineRemoved(t, 'column', {places[0][1]})",
            ]
        )
        table = rules.evaluate(f"(t) => {act}", table)
        (kept,) = checked_blocks([block(table)])
        assert kept["cells"] == table["cells"]


def test_an_engines_table_is_covered_and_lines_of_text_become_one(rules: Page):
    loose = {
        "rows": 2,
        "columns": 2,
        "cells": [
            {"row": 0, "column": 0, "row_span": 2, "column_span": 1, "text": "a", "doubt": []},
            {"row": 1, "column": 0, "row_span": 1, "column_span": 2, "text": "b", "doubt": []},
        ],
    }
    table = rules.evaluate("covered", loose)
    assert checked_blocks([block(table)])
    assert "".join(cell[4] for cell in cells_of(table)) == "a\nb"
    table = rules.evaluate("tableFromText('구분 | 기준\\n소화기 | 33')")
    assert [cell[4] for cell in cells_of(table)] == ["구분", "기준", "소화기", "33"]
    assert rules.evaluate("textOfTable", table) == "구분\t기준\n소화기\t33"


@FEW
@given(text=WORDS, spans=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
def test_offsets_are_those_of_characters_on_the_server(rules: Page, text: str, spans: Any):
    (kept,) = checked_blocks(
        [{"kind": "paragraph", "text": text, "doubt": [list(s) for s in spans]}]
    )
    held = rules.evaluate("(b) => heldBlock(b)", kept)
    utf16 = text.encode("utf-16-le")
    for (start, end), (from_, to) in zip(kept["doubt"], held["doubt"], strict=True):
        assert utf16[2 * from_ : 2 * to].decode("utf-16-le") == text[start:end]
    assert rules.evaluate("(b) => keptBlock(heldBlock(b))", kept) == kept


@FEW
@given(before=WORDS, after=WORDS)
def test_a_diff_tells_both_texts_whole(rules: Page, before: str, after: str):
    pieces = rules.evaluate("([a, b]) => textDiff(a, b)", [before, after])
    assert "".join(text for kind, text in pieces if kind != "inserted") == before
    assert "".join(text for kind, text in pieces if kind != "removed") == after
    assert before != after or all(kind == "same" for kind, _ in pieces)


def test_the_letter_that_was_corrected_is_shown_and_settles_its_word(rules: Page):
    pieces = rules.evaluate("textDiff('가. 소회기구를 둔다.', '가. 소화기구를 둔다.')")
    assert [piece for piece in pieces if piece[0] != "same"] == [
        ["removed", "회"],
        ["inserted", "화"],
    ]
    before, spans = "소회기구를 특정소방", [[0, 5], [6, 10]]
    left: dict[str, Any] = {
        "소화기구를 특정소방": [[6, 10]],  # the first word is corrected
        "소회기구를 특정 소방": [[0, 5]],  # a space inside of the second
        "두 소회기구를 특정소방": [[2, 7], [8, 12]],  # a word before both
        "소회기구를이 특정소방": [[7, 11]],  # letters at the end of the first
        "소회기구를  특정소방": [[0, 5], [7, 11]],  # a space between
        "특정소방": [[0, 4]],
        "": [],
    }
    moved = "([s, a, all]) => Object.fromEntries(all.map((b) => [b, movedSpans(s, a, b)]))"
    assert rules.evaluate(moved, [spans, before, [*left]]) == left


def test_a_block_changes_its_kind_is_cut_and_joined_without_loss(rules: Page):
    kept = {"kind": "paragraph", "text": "가  나\n다", "box": [0, 0, 1, 1], "doubt": [], "from": 2}
    table = rules.evaluate("(b) => keptBlock(asKind(heldBlock(b), 'table'))", kept)
    assert [cell["text"] for cell in table["cells"]] == ["가", "나", "다", ""]
    assert (table["box"], table["from"]) == ([0, 0, 1, 1], 2)
    back = rules.evaluate("(b) => keptBlock(asKind(heldBlock(b), 'formula'))", table)
    assert back["latex"] == "가\t나\n다\t"
    kept = {"kind": "paragraph", "text": "가나 다라", "box": None, "doubt": [[0, 2], [3, 5]]}
    parts = rules.evaluate("(b) => cutBlock(heldBlock(b), 3).map(keptBlock)", kept)
    assert [(part["text"], part["doubt"]) for part in parts] == [
        ("가나 ", [[0, 2]]),
        ("다라", [[0, 2]]),
    ]
    joined_ = rules.evaluate(
        "([a, b]) => keptBlock(joinedBlocks(heldBlock(a), heldBlock(b)))", parts
    )
    assert (joined_["text"], joined_["doubt"]) == ("가나 \n다라", [[0, 2], [4, 6]])


DRAWN = """([latex]) => {
  const place = document.createElement("div");
  drawFormula(place, latex, {formula_empty: "none", formula_wrong: "wrong: {problem}"});
  return [place.querySelectorAll("math mfrac").length, place.className, place.textContent,
    place.querySelectorAll("img, script, a").length];
}"""


def test_latex_becomes_a_formula_and_brings_in_nothing_else(rules: Page):
    fractions, wrong, _, _ = rules.evaluate(DRAWN, [r"\frac{A \sqrt{2gh}}{60}"])
    assert (fractions, wrong) == (1, "")
    fractions, wrong, told, _ = rules.evaluate(DRAWN, [r"\frac{1"])
    assert (fractions, wrong) == (0, "wrong")
    assert told.startswith("wrong: ")
    assert "expected '}'" in told
    for latex in (
        r"\href{javascript:alert(1)}{x}",
        r"\includegraphics{http://127.0.0.1/x.png}",
        "<img src=x onerror=alert(1)>",
        r"\htmlClass{a}{x}",
        r"\def\a{\a\a}\a",
    ):
        assert rules.evaluate(DRAWN, [latex])[3] == 0, latex
