"""A link that is pressed while a field is being written in opens its screen, at any speed."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import SLOW, box_of, lead_to, sidebar_link
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
PLACES = {  # with a field that is there at once, by who of the sample opens them
    4: ("adjudication",),
    3: ("corpus", "data", "experiments", "gold", "history"),
}
FIELD = ":is([data-testid=stTextInput] input, [data-testid=stTextArea] textarea):visible"
START = re.compile(r"/(start)?\?")


def press_at_once(page: Page, how: str) -> None:
    """Follow the link to one's work: with a finger, with no time between down and up, or later."""
    if how == "reload":
        page.reload()
        expect(page.locator(FIELD).first).to_be_visible(timeout=SLOW)
    link = sidebar_link(page, "My work")
    box = box_of(link)
    at = box["x"] + 30, box["y"] + 10
    if how == "tap":
        page.touchscreen.tap(*at)
    else:
        page.mouse.click(*at, delay=0)


def test_a_link_is_followed_from_a_field_at_any_speed(browser: Browser, workspace: Path) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 900}, has_touch=True)
    page = context.new_page()
    with running_app(workspace) as address:
        for person, places in PLACES.items():
            page.goto(f"{address}/start?person={person}&lang=en")
            for place, how in product(places, ("click", "tap", "reload")):
                if how == "reload" and place != places[0]:  # of which one of each role is enough
                    continue
                lead_to(page, f"/{place}?person={person}&lang=en")
                page.locator(FIELD).first.click(timeout=SLOW)
                page.keyboard.type("lamp")
                press_at_once(page, how)
                expect(page, f"{place}, {how}").to_have_url(START, timeout=SLOW)
                expect(page.get_by_role("heading", name="My work")).to_be_visible(timeout=SLOW)
                expect(page.get_by_text("Internal error")).to_have_count(0)
