"""What only a real window shows: the browser's history, and that nothing runs off the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.people import SLOW, come_in, go_to, on_item, press

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SPILL = """(viewer) => viewer.scrollWidth - viewer.clientWidth"""


def test_back_goes_one_screen_back_however_many_items_were_done(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    go_to(page, "Agreement")
    expect(page.get_by_role("heading", name="Agreement", exact=True)).to_be_visible(timeout=SLOW)
    go_to(page, "Citation mapping")
    for identity in ("en-01", "en-02", "en-03"):
        on_item(page, identity)
        press(page, "a Control+Enter")
    on_item(page, "en-04")
    page.go_back()
    expect(page.get_by_role("heading", name="Agreement", exact=True)).to_be_visible(timeout=SLOW)
    page.close()


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_nothing_runs_off_the_edge(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 768})
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    press(page, "a Control+Enter")
    on_item(page, "en-02")
    assert page.get_by_test_id("mapping-viewer").evaluate(SPILL) <= 0
    page.close()
