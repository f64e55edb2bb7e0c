"""A page open in two windows of one person: neither takes the place of the other unasked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import SLOW, come_in, on_item, saved

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def write(page: Page, block: int, text: str) -> None:
    page.bring_to_front()
    page.get_by_test_id("block-text").nth(block).click()
    page.keyboard.press("End")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")


def text(page: Page, block: int) -> str:
    return page.get_by_test_id("block-text").nth(block).input_value()


def test_two_windows_meet_over_a_page(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    first = context.new_page()
    come_in(first, address, "Kim Ara", "ocr_correction")
    on_item(first, "decree-annex-2-ko")
    second = context.new_page()
    second.goto(first.url)
    on_item(second, "decree-annex-2-ko")

    write(first, 0, " A")
    saved(first)
    write(second, 1, " B")
    expect(second.get_by_test_id("met")).to_be_visible(timeout=SLOW)
    assert text(second, 1).endswith(" B")
    second.get_by_test_id("met_theirs").click()
    expect(second.get_by_test_id("met")).to_be_hidden()
    assert (text(second, 0), text(second, 1)) == (text(first, 0), text(first, 1))

    write(second, 1, " C")
    saved(second)
    write(first, 1, " D")
    expect(first.get_by_test_id("met")).to_be_visible(timeout=SLOW)
    first.get_by_test_id("met_mine").click()
    saved(first)
    write(first, 2, " E")  # its own acts go on from one another
    saved(first)
    expect(first.get_by_test_id("met")).to_be_hidden()
    second.reload()
    on_item(second, "decree-annex-2-ko")
    assert [text(second, block)[-2:] for block in (0, 1, 2)] == [" A", " D", " E"]
