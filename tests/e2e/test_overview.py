"""A lead comes in, reads at one glance how far the project is, and opens what is behind it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from messages import say
from tests.e2e.people import at_rest, box_of, go_to

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ANNOTATOR, LEAD = 1, 3  # of the sample
HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


def test_a_lead_lands_on_the_overview_and_follows_it(page: Page, address: str) -> None:
    lands_on_the_overview_and_follows_it(page, address)
    my_work_of_a_lead_has_an_address_and_annotators_land_on_theirs(page, address)


def lands_on_the_overview_and_follows_it(page: Page, address: str) -> None:
    page.goto(f"{address}/?person={LEAD}")
    title = say("overview.title")
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    expect(page.get_by_text(say("overview.runs")).last).to_be_visible()
    expect(page.get_by_text("0.800 [0.372, 1.000]").first).to_be_attached()
    at_rest(page)
    assert "/overview?" in page.url
    assert page.evaluate(HEIGHT) <= 900, "all of the sample is seen without scrolling"
    pending = say("overview.sum", final="0", pending="24", total="24")
    expect(page.get_by_text(pending)).to_be_visible()
    step = page.locator(".st-key-next-step").get_by_role("button")
    words = say("overview.next.disputes_wait", count="3", people="Lee Sora")
    expect(step).to_contain_text(words)
    step.click()
    heading = say("app.pages.agreement")
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    at_rest(page)  # what is still being drawn would take the place of the page that is gone back to
    page.go_back()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    opens_the_questions_behind_a_count(page)


def opens_the_questions_behind_a_count(page: Page) -> None:
    at_rest(page)
    bar = box_of(page.locator(".st-key-overview-questions-chart .mark-rect path").first)
    page.mouse.click(bar["x"] + bar["width"] / 4, bar["y"] + bar["height"] / 2)
    state = say("overview.state.not_assigned")
    expect(page.get_by_text(say("overview.behind", state=state, count="24"))).to_be_visible()


def my_work_of_a_lead_has_an_address_and_annotators_land_on_theirs(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/?person={LEAD}")
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    go_to(page, "My work")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.goto(f"{address}/?person={ANNOTATOR}")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    expect(page.get_by_role("link", name="Overview")).to_have_count(0)
    page.goto(f"{address}/overview?person={ANNOTATOR}")
    expect(page.get_by_text(say("overview.only"))).to_be_visible()
    expect(page.get_by_text("Park Jun")).to_have_count(0)
