"""Correcting a page with the keyboard, in a real browser without the app around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.ocr.blocks import checked_blocks
from tests.e2e.ocr_bench import bench

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
TEXT = "가. 소회기구를 둔다. 특정소방대상뮬은 다음과 같다."
ADDRESS = "http://bench.test/"
HOSTILE = "<img src=x onerror=\"document.title='taken'\"> **bold** $x$"
Opener = Callable[..., Page]


def paragraph(text: str, *doubt: list[int], box: list[int] | None = None) -> dict[str, Any]:
    return {"kind": "paragraph", "text": text, "box": box, "doubt": list(doubt)}


def table(rows: int, columns: int) -> dict[str, Any]:
    cells = [
        {"row": r, "column": c, "row_span": 1, "column_span": 1, "text": f"{r}{c}", "doubt": []}
        for r in range(rows)
        for c in range(columns)
    ]
    size = {"rows": rows, "columns": columns}
    return {"kind": "table", "box": [20, 300, 500, 500], "cells": cells, **size}


def cells(*doubts: list[int]) -> dict[str, Any]:
    """Return a table of one row, with a doubtful place in each cell."""
    made = table(1, len(doubts))
    marked = [
        {**cell, "text": "가나", "doubt": [doubt]}
        for cell, doubt in zip(made["cells"], doubts, strict=True)
    ]
    return {**made, "cells": marked}


def doubts(page: Page) -> int:
    """Return how many doubtful words the server has."""
    parts = [part for block in saved(page) for part in block.get("cells", [block])]
    return sum(len(part["doubt"]) for part in parts)


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1300, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture
def opened(window: Page) -> Iterator[Opener]:
    errors: list[str] = []
    note = errors.append

    def open_page(*blocks: dict[str, Any], **more: Any) -> Page:
        window.goto("about:blank")  # nothing is left of the viewer of before
        window.set_content(bench(list(blocks), **more))
        expect(window.get_by_test_id("save-state")).to_have_text("Saved")
        return window

    window.on("pageerror", lambda error: note(str(error)))
    yield open_page
    assert errors == []


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def saved(page: Page) -> list[dict[str, Any]]:
    """Return the blocks as the server has them now; they are of the form it keeps."""
    expect(page.get_by_test_id("ocr-viewer")).to_have_attribute("data-save", "saved")
    blocks = page.evaluate("answers().blocks || fixed.blocks")
    assert checked_blocks(blocks) == blocks
    return list(blocks)


def texts(page: Page) -> list[str]:
    return [block.get("text", block.get("latex", "")) for block in saved(page)]


def test_doubtful_words_are_overwritten_or_confirmed_one_after_the_other(opened: Opener):
    page = opened(paragraph(TEXT, [3, 8], [13, 22]), paragraph("끝.", [0, 2]))
    page.keyboard.press("Alt+n")
    page.keyboard.press("3")  # which fits the image to the block where nobody writes
    expect(page.get_by_test_id("message")).to_contain_text("3 would replace “소회기구를”")
    page.keyboard.type("소화기구를")
    press(page, "Alt+ArrowDown Alt+Enter")
    assert page.evaluate("viewer.editor.at") == 1, "the word was confirmed, the next one found"
    page.keyboard.type("끝!")
    page.keyboard.press("Escape")
    first, second = saved(page)
    assert first["text"] == TEXT.replace("회", "화")
    assert (first["doubt"], second["doubt"], second["text"]) == ([], [], "끝!")
    expect(page.get_by_test_id("counts")).to_have_text("2 blocks · 0 doubtful words · 2 changed")


def test_the_key_to_the_next_doubtful_word_writes_nothing_wherever_it_is_pressed(opened: Opener):
    page = opened(paragraph(TEXT, [3, 8], [13, 22]), cells([0, 2]), paragraph("끝.", [0, 1]))
    press(page, "Alt+n Alt+n Alt+n Alt+n Alt+n")
    assert page.evaluate("viewer.editor.at") == 0, "from the last one back to the first"
    expect(page.get_by_test_id("message")).to_have_text(
        "No more below: back at the first doubtful word."
    )
    press(page, "Alt+p")
    assert page.evaluate("viewer.editor.at") == 2
    page.get_by_test_id("comment").click()
    page.keyboard.type("a]b")
    press(page, "Alt+n Alt+n Alt+n ]")
    first = saved(page)[0]
    assert first["text"] == TEXT.replace("특정소방대상뮬은 ", "]"), "a bracket is a bracket"
    assert saved(page)[2] == {**paragraph("끝.", [0, 1]), "from": 2}
    press(page, "Escape ] [")
    assert saved(page)[0] == first
    said = page.evaluate("acts.filter((act) => act.kind === 'comment').map((act) => act.text)")
    assert said == ["a]b"]


def test_the_key_to_the_next_doubtful_word_ends_what_is_being_composed(opened: Opener):
    """A syllable of a Korean input method is half written when the key is pressed."""
    page = opened(paragraph("가나 다라", [0, 2], [3, 5]))
    press(page, "Alt+n")
    ime = page.context.new_cdp_session(page)
    ime.send("Input.imeSetComposition", {"text": "하", "selectionStart": 1, "selectionEnd": 1})
    expect(page.get_by_test_id("block-text")).to_have_value("하 다라")
    press(page, "Alt+n")
    page.wait_for_function("viewer.focused().selectionStart === 2")
    page.keyboard.insert_text("마")
    assert texts(page) == ["하 마"]


def test_a_page_with_doubtful_words_is_submitted_after_one_question(opened: Opener):
    page = opened(paragraph(TEXT, [3, 8], [13, 22]))
    press(page, "Control+Enter")
    asked = page.get_by_test_id("dialog-doubts")
    expect(asked).to_contain_text("2 doubtful words left")
    assert page.evaluate("acts.length") == 0
    press(page, "Enter")
    expect(asked).to_be_hidden()
    page.keyboard.type("소화기구를")
    press(page, "Control+Enter")
    expect(asked).to_contain_text("1 doubtful word left")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-status")).to_have_text("Submitted")
    assert texts(page) == [TEXT.replace("회", "화")]
    assert len(saved(page)[0]["doubt"]) == 1


def test_a_page_is_sent_back_or_approved_once_each_doubtful_word_was_looked_at(opened: Opener):
    page = opened(paragraph(TEXT, [3, 8], [13, 22]), cells([0, 2], [0, 2]), verifying=True)
    press(page, "Shift+S Enter")
    needs = page.get_by_test_id("send_back-needs")
    expect(needs).to_have_text("Enter what the corrector should change.")
    page.keyboard.type("A line is missing.")
    press(page, "Enter")
    expect(page.get_by_test_id("dialog-send_back")).to_be_hidden()
    page.wait_for_function("acts.at(-1)?.reason === 'A line is missing.'")
    expect(page.get_by_test_id("submit")).to_contain_text("Approve")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("message")).to_have_text(
        "4 doubtful words to look at before you approve (Alt N)"
    )
    assert page.evaluate("viewer.focused().selectionStart") == 3, "it leads to the first"
    press(page, "Alt+n")
    expect(page.get_by_test_id("message")).to_be_hidden()
    expect(page.get_by_test_id("counts")).to_contain_text("3 doubtful words")
    press(page, "Alt+n Alt+n")
    expect(page.get_by_test_id("counts")).to_contain_text("1 doubtful word ·")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-status")).to_have_text("Approved")
    assert texts(page)[0] == TEXT
    assert doubts(page) == 0


def test_a_page_is_approved_once_its_blocks_were_in_view_beside_the_image(opened: Opener):
    unseen = [{**paragraph(f"{n}. {TEXT * 12}"), "unseen": True} for n in range(3)]
    page = opened(*unseen, verifying=True)
    page.wait_for_timeout(1500)  # nothing is seen that no image stands beside
    press(page, "Control+Enter")
    expect(page.get_by_test_id("message")).to_have_text(
        "3 blocks to look at beside the image before you approve"
    )
    for number in range(3):
        page.get_by_test_id("block").nth(number).scroll_into_view_if_needed()
        page.wait_for_function(f"!viewer.editor.cards[{number}].block.unseen", timeout=20_000)
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-status")).to_have_text("Approved")
    assert not any("unseen" in block for block in saved(page))


def test_another_kind_of_block_is_a_difference(opened: Opener):
    page = opened(paragraph("Title"))
    page.evaluate("fixed.bases[0].blocks[0].kind = 'heading'; fixed.compare = true; fixed.id = 2")
    page.evaluate("tell({ fixed, words, guideline, ack: { client, seq, failed: [] } })")
    expect(page.get_by_test_id("kind-diff")).to_have_text("Heading → Paragraph")
    expect(page.get_by_test_id("kind-was")).to_have_text("was: Heading")
    choose_kind(page, "heading")
    expect(page.get_by_test_id("kind-diff")).to_be_hidden()
    expect(page.get_by_test_id("kind-was")).to_be_hidden()


def choose_kind(page: Page, kind: str) -> None:
    """Open the menu of kinds by its key, and choose."""
    press(page, "H")
    expect(page.get_by_test_id("kind").first).to_be_focused()
    page.get_by_test_id("kind").first.select_option(kind)


def test_a_double_click_selects_the_word_of_a_cell(opened: Opener):
    page = opened(paragraph("가"), table(1, 2))
    cell = page.get_by_test_id("cell").first
    cell.dblclick()
    press(page, "Control+a")
    page.keyboard.type("소화기 12 kg")
    page.keyboard.press("Escape")
    box = cell.bounding_box()
    assert box
    page.mouse.dblclick(box["x"] + 12, box["y"] + box["height"] / 2)
    page.keyboard.type("물")
    page.keyboard.press("Escape")
    expect(cell).to_have_text("물 12 kg")


def test_what_is_typed_is_saved_after_a_pause_undone_step_by_step_and_never_lost(opened: Opener):
    page = opened(paragraph("가"))
    page.keyboard.press("Enter")
    page.keyboard.type("나")
    assert texts(page) == ["나가"]
    page.keyboard.press("Escape")
    choose_kind(page, "heading")
    assert saved(page)[0]["kind"] == "heading"
    press(page, "z")
    assert saved(page)[0]["kind"] == "paragraph"
    press(page, "z")
    assert texts(page) == ["가"]
    expect(page.get_by_test_id("block-text")).to_have_value("가")
    press(page, "f")
    page.keyboard.type("half a rea")
    page.evaluate("tell({ fixed, words, guideline, ack: { client, seq, failed: [] } })")
    page.keyboard.type("son")  # the dialog stays open when the item is drawn anew
    press(page, "Enter")
    page.wait_for_function("acts.at(-1).reason === 'half a reason'")
    page.evaluate("window.refuse = 'It is too long.'")
    press(page, "Enter")  # the keys of the screen go on
    page.keyboard.type("나")
    expect(page.get_by_test_id("message")).to_have_text("It is too long.")
    expect(page.get_by_test_id("block-text")).to_have_value("나가")
    page.evaluate("window.refuse = ''")
    page.keyboard.type("다")
    assert texts(page) == ["나다가"]


def test_blocks_are_parted_joined_added_moved_and_removed(opened: Opener):
    page = opened(paragraph("하나 둘", [0, 2], [3, 4], box=[10, 10, 200, 40]))
    press(page, "Enter ArrowRight ArrowRight ArrowRight Enter")
    blocks = saved(page)
    assert [(block["text"], block["doubt"]) for block in blocks] == [
        ("하나 ", [[0, 2]]),
        ("둘", [[0, 1]]),
    ]
    press(page, "Backspace")
    assert texts(page) == [both := "하나 \n둘"]
    press(page, "Escape b")
    page.keyboard.type("새")
    press(page, "Escape")
    assert texts(page) == [both, "새"]
    press(page, "{")
    assert texts(page) == ["새", both]
    press(page, "j Delete")
    assert texts(page) == ["새"]
    press(page, "Delete")
    assert texts(page) == []
    press(page, "b")
    page.keyboard.type("다시")
    assert texts(page) == ["다시"]


def test_a_table_is_corrected_with_the_arrows(opened: Opener):
    page = opened(table(2, 3))
    press(page, "Enter ArrowRight Enter")
    page.keyboard.type("기준")
    press(page, "Enter Enter")
    page.keyboard.type("33㎡")
    press(page, "Tab")
    press(page, "Escape")
    (kept,) = saved(page)
    assert [cell["text"] for cell in kept["cells"]] == ["00", "기준", "02", "10", "33㎡", "12"]


def test_a_table_is_one_stop_and_while_it_is_written_one_text(opened: Opener):
    page = opened(paragraph("가"), table(2, 3), paragraph("나"))
    page.get_by_test_id("block-text").first.focus()
    press(page, "Tab")
    expect(page.get_by_test_id("cell").first).to_be_focused()
    press(page, "ArrowRight Tab")
    expect(page.get_by_test_id("block-text").last).to_be_focused()
    press(page, "Shift+Tab Shift+Tab")
    expect(page.get_by_test_id("cell").nth(1)).to_be_focused()
    press(page, "Enter ArrowRight a ArrowRight b ArrowDown ArrowDown c")
    press(page, "Home ArrowLeft d Tab e Tab")
    expect(page.get_by_test_id("block-text").last).to_be_focused()
    press(page, "Escape")
    assert [cell["text"] for cell in saved(page)[1]["cells"]] == [
        *("00", "01a", "b02"),
        *("10", "11d", "e"),
    ]


def test_cells_are_merged_and_parted_and_lines_come_and_go(opened: Opener):
    page = opened(table(2, 2))
    press(page, "Enter Shift+ArrowRight &")
    (kept,) = saved(page)
    assert kept["cells"][0]["column_span"] == 2
    assert kept["cells"][0]["text"] == "00\n01"
    press(page, "b")
    assert saved(page)[0]["rows"] == 3
    press(page, ")")
    assert saved(page)[0]["columns"] == 3
    press(page, "C X")
    assert (saved(page)[0]["rows"], saved(page)[0]["columns"]) == (2, 2)
    press(page, "ArrowUp |")
    assert len(saved(page)[0]["cells"]) == 4
    press(page, "z z z z z z")
    assert [cell["text"] for cell in saved(page)[0]["cells"]] == ["00", "01", "10", "11"]


def test_changes_are_shown_letter_by_letter(opened: Opener):
    page = opened(paragraph(TEXT, [3, 8]), paragraph("weg"), table(1, 2))
    page.keyboard.press("Alt+n")
    page.keyboard.type("소화기구를")
    press(page, "Escape j Delete Enter Enter")
    page.keyboard.type("새")
    press(page, "Escape d")
    difference = page.get_by_test_id("diff").first
    expect(difference.locator("del")).to_have_text("회")
    expect(difference.locator("ins")).to_have_text("화")
    expect(page.get_by_test_id("cell").first.locator("ins")).to_have_text("새")
    expect(page.locator(".gone-blocks del")).to_have_text("weg")
    press(page, "d")
    expect(difference).to_be_hidden()


def test_the_image_goes_along_with_the_text(opened: Opener):
    first, far = [20, 20, 300, 60], [40, 700, 500, 780]
    words = [["둘", [200, 705, 240, 730]]]
    page = opened(paragraph("하나", box=first), paragraph("또 둘", box=far), places=words)
    current = page.locator(".mark.current")
    top = page.get_by_test_id("stage").bounding_box()
    press(page, "+ + + +")
    press(page, "j")
    box = current.bounding_box()
    assert box and top and top["y"] < box["y"] < top["y"] + top["height"]
    press(page, "Enter ArrowRight ArrowRight ArrowRight")
    expect(page.get_by_test_id("word")).to_be_visible()
    press(page, "Escape Q")
    expect(page.get_by_test_id("zoom")).to_contain_text("90°")
    turned = current.bounding_box()
    assert turned and turned["height"] > turned["width"], "a box turns with the image"
    press(page, "2")
    page.get_by_test_id("mark").first.click()
    assert page.evaluate("viewer.editor.at") == 0


def test_a_part_of_the_image_is_read_again_by_keys_or_by_dragging_a_box(opened: Opener):
    page = opened(paragraph("소회기", box=[20, 20, 300, 60]), paragraph("끝"))
    page.evaluate(
        "window.read = [{kind: 'paragraph', text: '소화기', box: [20, 20, 308, 60], doubt: []}]"
    )
    asked = "acts.filter((act) => act.kind === 'region').at(-1).box"
    press(page, "R Shift+ArrowRight Enter")
    expect(page.get_by_test_id("read-text")).to_have_text("소화기")
    box = page.evaluate(asked)
    assert box[:2] == [20, 20]
    assert box[2] > 300
    press(page, "Enter")
    assert texts(page) == ["소화기", "끝"]
    assert saved(page)[0]["from"] == 0
    press(page, "R Escape")
    expect(page.get_by_test_id("region")).to_have_count(0)
    press(page, "1")  # as wide as the page
    page.evaluate("window.read = []")
    stage = page.get_by_test_id("stage").bounding_box()
    assert stage
    page.get_by_test_id("read-region").click()
    page.mouse.move(stage["x"] + 50, stage["y"] + 100)
    page.mouse.down()
    page.mouse.move(stage["x"] + 250, stage["y"] + 200, steps=4)
    page.mouse.up()
    expect(page.get_by_text("No text was found there.")).to_be_visible()
    box = page.evaluate(asked)
    assert 150 < box[2] - box[0] < 250
    assert 70 < box[3] - box[1] < 130


def test_a_page_is_submitted_as_it_stands_on_the_screen(opened: Opener):
    page = opened(paragraph("가"))
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-status")).to_have_text("Submitted")
    acts = page.evaluate("acts.map((act) => act.kind)")
    assert acts == ["answer", "submit"]
    press(page, "Delete b a H")
    assert texts(page) == ["가"], "what is submitted stays"
    expect(page.get_by_test_id("block-text")).to_have_attribute("readonly", "")


@pytest.mark.parametrize("mine", [True, False])
def test_what_another_window_wrote_is_never_overwritten_unasked(opened: Opener, mine: bool):
    page = opened(paragraph("가"))
    theirs = [{**paragraph("다른 창"), "from": 0}]
    page.evaluate("(blocks) => another(blocks)", theirs)
    page.keyboard.press("Enter")
    page.keyboard.type("나")
    expect(page.get_by_test_id("met")).to_be_visible()
    page.keyboard.type("다")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("ocr-viewer")).to_have_attribute("data-save", "saving")
    expect(page.get_by_test_id("block-text")).to_have_value("나다가")
    assert page.evaluate("answers().blocks[0].text") == "다른 창"
    page.get_by_test_id("met_mine" if mine else "met_theirs").click()
    expect(page.get_by_test_id("met")).to_be_hidden()
    assert texts(page) == ["나다가" if mine else "다른 창"]
    expect(page.get_by_test_id("block-text")).to_have_value("나다가" if mine else "다른 창")


def test_a_formula_is_drawn_as_it_is_written(opened: Opener):
    page = opened({"kind": "formula", "latex": r"\frac{1}{2}", "box": None, "doubt": []})
    expect(page.get_by_test_id("preview").locator("mfrac")).to_have_count(1)
    press(page, "Enter")
    page.keyboard.type(r"\sqrt{")
    expect(page.get_by_test_id("preview")).to_contain_text("Not a formula yet")
    page.keyboard.type("2} ")
    expect(page.get_by_test_id("preview").locator("msqrt")).to_have_count(1)


def test_text_stays_text(opened: Opener):
    page = opened(paragraph(HOSTILE, [0, 4]), table(1, 1), compare=True)
    page.keyboard.press("Enter")
    page.keyboard.type(HOSTILE)
    page.evaluate(f"window.read = [{{kind: 'paragraph', text: {HOSTILE!r}, box: null, doubt: []}}]")
    press(page, "Escape R Enter")
    expect(page.get_by_test_id("read-text")).to_contain_text("<img src=x")
    press(page, "Escape")
    assert page.locator("#root img[src=x]").count() == 0
    assert page.title() == ""
    assert page.get_by_test_id("diff").first.inner_text().startswith("<img")


def test_the_image_fills_with_the_block_at_the_cursor_where_that_is_wanted(opened: Opener):
    page = opened(
        paragraph("하나", box=[20, 20, 300, 60]), paragraph("둘", box=[40, 700, 240, 780])
    )
    press(page, "3")
    stage = page.get_by_test_id("stage").bounding_box()
    for _ in range(2):
        box = page.locator(".mark.current").bounding_box()
        assert box and stage
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert middle[0] == pytest.approx(stage["x"] + stage["width"] / 2, abs=3)
        assert middle[1] == pytest.approx(stage["y"] + stage["height"] / 2, abs=3)
        assert box["width"] > 150
        press(page, "j")


def test_what_is_typed_outlives_a_reload_and_a_dialog(browser: Browser):
    page = browser.new_page(viewport={"width": 1300, "height": 800})
    body = bench([paragraph("Lamps.")])
    page.route(f"{ADDRESS}**", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.on("dialog", lambda asked: asked.accept())
    page.goto(ADDRESS)
    comment = page.get_by_test_id("comment")
    comment.click()
    page.keyboard.type("The seal hides a word")
    page.reload()  # before the pause after which it is sent
    expect(comment).to_have_value("The seal hides a word")
    page.wait_for_function("acts.some((act) => act.kind === 'comment')")
    expect(page.get_by_test_id("ocr-viewer")).to_have_attribute("data-save", "saved")
    assert page.evaluate("sessionStorage.length") == 0, "the server has it"

    page.get_by_test_id("flag").click()
    page.keyboard.type("half typed")
    page.keyboard.press("Escape")
    page.get_by_test_id("flag").click()
    reason = page.get_by_test_id("dialog-flag").get_by_role("textbox")
    expect(reason).to_have_value("half typed")
    page.keyboard.press("Enter")
    page.wait_for_function("acts.some((act) => act.reason === 'half typed')")
    page.get_by_test_id("skip").click()
    expect(page.get_by_test_id("dialog-skip").get_by_role("textbox")).to_have_value("")
