"""What only a real window shows: the browser's history, and that nothing runs off the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.people import SLOW, come_in, go_to, on_item, press

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SPILL = """async (viewer) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return viewer.scrollWidth - viewer.clientWidth;
}"""


def test_back_goes_one_screen_back_and_nothing_runs_off_the_edge(
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
    for width in (1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.get_by_test_id("mapping-viewer").evaluate(SPILL) <= 0, width
    page.go_back()  # one screen, however many items were done
    expect(page.get_by_role("heading", name="Agreement", exact=True)).to_be_visible(timeout=SLOW)
    page.close()
