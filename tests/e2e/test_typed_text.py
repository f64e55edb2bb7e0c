"""What is typed beside the decisions outlives a page that goes away and a dialog that is closed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.ocr_bench import bench

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ADDRESS = "http://bench.test/"
BLOCK: dict[str, Any] = {"kind": "paragraph", "text": "Lamps.", "box": None, "doubt": []}


def test_what_is_typed_is_there_again(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 800})
    page = context.new_page()
    body = bench([BLOCK])
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
    context.close()
