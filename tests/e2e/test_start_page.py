"""Somebody comes in, sees what waits, goes on with it, and finds their way from every address."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import at_rest, go_on, on_item, press, sidebar_link

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
LAWYER, ADJUDICATOR = 5, 4  # of the sample
APART = """links => links.map(e => e.getBoundingClientRect()).filter(e => e.height).every(
  (box, at, boxes) => at === 0 || boxes[at - 1].bottom <= box.top + 0.5)"""


def test_the_start_page_leads_to_the_work_and_tells_how_much_is_left(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/?person={LAWYER}")
    strip = page.get_by_text("Provisions you leave blank are not accepted.")
    expect(strip).to_be_visible()
    expect(sidebar_link(page, "Questions")).to_have_text("fact_checkQuestions 30")
    links = page.get_by_test_id("stSidebar").get_by_test_id("stPageLink-NavLink")
    assert links.evaluate_all(APART), "no link covers its neighbour"
    go_on(page, "en-01")
    press(page, "x Control+Enter")
    on_item(page, "en-02")
    press(page, "x Control+Enter")
    on_item(page, "en-03")
    expect(sidebar_link(page, "Questions")).to_contain_text("28")
    tabs = page.locator(".st-key-links-tabs").get_by_role("link")
    expect(tabs.first).to_have_text("fact_checkCitation mapping 22")
    page.go_back()  # one screen, however many items were done
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    at_rest(page)
    expect(page.get_by_text("You left it open")).to_be_visible()
    expect(strip).to_have_count(0)
    go_on(page, "en-03")
    finds_the_way_from_every_address(page, address)


def finds_the_way_from_every_address(page: Page, address: str) -> None:
    page.goto(f"{address}/citation_mapping?person={LAWYER}")
    on_item(page, "en-03")
    expect(page.get_by_text("Page not found")).to_have_count(0)
    page.goto(f"{address}/citation_mapping?person={ADJUDICATOR}")
    expect(page.get_by_text("Only annotators and lawyers can annotate items.")).to_be_visible()
    page.get_by_role("link", name="Back to My work").click()
    at_rest(page)
    expect(page.get_by_text("Waiting for your decision")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Adjudication", exact=True)).to_be_visible()
    page.goto(f"{address}/start?person={ADJUDICATOR}")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
