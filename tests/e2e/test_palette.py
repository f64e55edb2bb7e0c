"""Somebody finds questions, places and provisions by name: by Ctrl+K, on a phone by a button."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.people import SLOW, at_rest, come_in, decisions, keys_are_heard, on_item, picture
from tests.e2e.test_access import NAMED, Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WIDTH = 390  # of a phone


def test_what_has_a_name_is_found_by_keys_alone(page: Page, address: str) -> None:
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    escape_gives_the_focus_back_and_no_key_is_heard_below(page)
    find(page, "en-0")
    chosen = palette(page).locator("[aria-selected=true]")
    expect(chosen).to_contain_text("en-01 ·")
    page.keyboard.press("ArrowUp")  # from the first to the last
    expect(chosen).to_contain_text("en-08 ·")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("en-03 ·")
    page.keyboard.press("Enter")
    on_item(page, "en-03")
    assert re.search(r"[?&]item=\d+", page.url)
    find(page, "leaderboard")  # no screen of an annotator
    expect(palette(page).get_by_role("status")).to_have_text("Nothing has this name.")
    expect(palette(page).get_by_role("option")).to_have_count(0)
    page.keyboard.press("Escape")
    find(page, "한국어")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="찾기")).to_be_visible(timeout=SLOW)
    at_rest(page)
    find(page, "Gaon Fire Safety Act Article 8")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="말뭉치")).to_be_visible(timeout=SLOW)
    at_rest(page)
    expect(page.get_by_text("Installation of Safety Equipment").first).to_be_visible()


def escape_gives_the_focus_back_and_no_key_is_heard_below(page: Page) -> None:
    keys_are_heard(page)
    page.keyboard.press("j")
    before = page.evaluate(NAMED)
    find(page, "aru")
    page.keyboard.press("Alt+1")
    page.keyboard.press("Escape")
    expect(palette(page)).to_have_count(0)
    assert page.evaluate(NAMED) == before == "candidate"
    assert set(decisions(page)) == {""}
    page.keyboard.press("a")
    assert "accept" in decisions(page), "keys are heard again"


def test_a_lead_finds_places_in_the_other_language_and_on_a_phone(page: Page, address: str) -> None:
    come_in(page, address, "Choi Yuna", "overview")
    page.keyboard.press("Control+K")
    expect(palette(page).get_by_role("option", name="Overview")).to_be_visible()
    walk = Walk(page)
    walk.look(palette(page))
    page.keyboard.press("Control+K")
    expect(palette(page)).to_have_count(0)
    find(page, "sora")
    expect(palette(page).get_by_role("group", name="People")).to_be_visible()
    walk.look(palette(page))
    picture(page, "palette")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Name").first).to_have_value("Lee Sora", timeout=SLOW)
    page.set_viewport_size({"width": WIDTH, "height": 844})
    at_rest(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Find").click(timeout=SLOW)
    page.keyboard.type("그래프 보고서")
    expect(option(page, 0)).to_contain_text("Graph report")
    walk.look(palette(page))
    box = palette(page).bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= WIDTH
    option(page, 0).click()
    expect(page.get_by_role("heading", name="Graph report").first).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
    assert walk.faults == []


def palette(page: Page) -> Locator:
    """Return the open palette."""
    return page.get_by_role("dialog", name="Find anything by name").or_(
        page.get_by_role("dialog", name="이름으로 찾기")
    )


def option(page: Page, at: int) -> Locator:
    return palette(page).get_by_role("option").nth(at)


def find(page: Page, text: str) -> None:
    """Open the palette, type, and wait until it shows what is found for that."""
    page.keyboard.press("Control+K")
    field = palette(page).get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type(text)
    expect(field).to_have_value(text)
    expect(palette(page)).to_have_attribute("data-found", text, timeout=SLOW)
