"""The guideline beside the work: it stays open, is searched, and goes to the clause in hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.keyboard import keys_alone
from tests.e2e.people import SLOW, at_rest, box_of, lead_to, on_item, press, saved

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ANNOTATOR, ADJUDICATOR, LAWYER = 2, 4, 5  # of the sample
FIRST = "answer_rating"
AREAS = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = (each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const home = [...document.querySelectorAll("*")].map((each) => each.shadowRoot)
    .find((root) => root?.querySelector("[data-testid=submit]"));
  const [image, text, guide] = [".image-pane", ".text-pane", ".guide"]
    .map((name) => home.querySelector(name));
  const inside = (pane) => [...pane.querySelectorAll("*")].filter((each) => each.checkVisibility())
    .filter((each) => !each.closest(".layer")).map(box);
  const furthest = (pane) => Math.max(...inside(pane).map((each) => each.right));
  return [furthest(image), box(text).left, box(text).right, box(guide).left];
}"""


def test_it_stays_open_is_searched_and_follows_the_work(page: Page, address: str) -> None:
    guide, here = page.get_by_test_id("guide"), page.get_by_test_id("guide").locator(".at")
    page.goto(f"{address}/citation_mapping?project=sample&person={LAWYER}&lang=en")
    on_item(page, "en-01")
    with keys_alone(page):
        expect(guide).to_be_hidden()
        press(page, "h")
        expect(here).to_contain_text("Accept")
        press(page, "x Control+Enter")
        on_item(page, "en-02")
        expect(guide).to_be_visible()
        searched(page)
    lead_to(page, f"/factor_tagging?project=sample&person={LAWYER}&lang=en")
    saved(page)
    expect(guide).to_be_visible()
    first = here.inner_text()
    assert in_sight(page), "it is scrolled to the clause"
    press(page, "j")
    expect(here).not_to_have_text(first)
    assert in_sight(page), "and to that of the next field"
    press(page, "h")
    expect(guide).to_be_hidden()
    beside_it_image_and_text_of_a_page_do_not_overlap(page, address)
    it_is_beside_a_case_of_the_adjudicator_too(page, address)


def searched(page: Page) -> None:
    """Search it from the work, and go back to the work."""
    page.keyboard.press("Shift+G")
    find = page.get_by_test_id("guide-find")
    expect(find).to_be_focused()
    page.keyboard.type("delegates")
    shown = page.get_by_test_id("guide").locator(".prose > .point:visible")
    assert shown.count() >= 1
    for each in shown.all():
        expect(each.locator("mark").first).to_have_text("delegates")
    page.keyboard.press("Escape")
    expect(find).not_to_be_focused()
    before = page.get_by_test_id("candidate").first.get_attribute("data-decision")
    assert not before
    press(page, "a")
    expect(page.get_by_test_id("candidate").first).to_have_attribute("data-decision", "accept")


def in_sight(page: Page) -> bool:
    return bool(
        page.get_by_test_id("guide").evaluate(
            """async (guide) => {
              await new Promise((done) => setTimeout(done, 400));
              const box = (name) => guide.querySelector(name).getBoundingClientRect();
              const [at, text] = [box(".at"), box(".prose")];
              return at.top >= text.top - 1 && at.top < text.bottom;
            }"""
        )
    )


def beside_it_image_and_text_of_a_page_do_not_overlap(page: Page, address: str) -> None:
    page.goto(f"{address}/ocr_correction?project=sample&person={ANNOTATOR}&lang=en")
    saved(page)
    press(page, "h")
    expect(page.get_by_test_id("guide").locator(".at")).to_contain_text("Heading")
    for width in (1400, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        image, left, right, guide = page.evaluate(AREAS)
        assert image <= left, f"the tools of the image end before the text at {width}"
        assert right <= guide, width
    press(page, "h")


def it_is_beside_a_case_of_the_adjudicator_too(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    guide, here = page.get_by_test_id("guide"), page.get_by_test_id("guide").locator(".at")
    page.goto(f"{address}/adjudication?project=sample&person={ADJUDICATOR}&lang=en&task={FIRST}")
    expect(page.get_by_test_id("open-guideline")).to_be_visible()
    at_rest(page)
    with keys_alone(page):
        expect(guide).to_be_hidden()
        page.keyboard.press("h")
        expect(guide).to_contain_text("Rating answers")
        expect(page.get_by_test_id("guide-under")).to_contain_text("this case was judged under it")
        expect(here).to_have_count(0)
        page.keyboard.press("j")
        expect(here).to_contain_text("Correct")
        assert in_sight(page)
        page.keyboard.press("Shift+G")
        page.keyboard.type("wrong")
        expect(guide.locator("mark").first).to_have_text("wrong")
        page.keyboard.press("Escape")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        at_rest(page)
        bar = box_of(page.locator(".st-key-decision-bar"))
        beside = box_of(guide)
        apart = bar["x"] + bar["width"] <= beside["x"] or bar["y"] + bar["height"] <= beside["y"]
        assert apart, f"both can be used at {width}"
        if width < 1000:  # directly above it: the case keeps the rest of the window
            assert beside["y"] - bar["y"] - bar["height"] < 40
    with keys_alone(page):  # a rating is decided, beside it
        page.keyboard.press("r")
        at_rest(page)
        page.keyboard.press("w")
        page.keyboard.type("Article 9 asks for it.")
        page.keyboard.press("Escape")
        at_rest(page)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("is decided.").first).to_be_visible(timeout=SLOW)
        at_rest(page)
    page.get_by_role("radio", name="Factor tagging").click()
    at_rest(page)
    expect(guide).to_contain_text("Admission", timeout=10_000)  # it is open still, and of this task
    page.reload()
    at_rest(page)
    expect(guide).to_be_visible()
    page.get_by_test_id("guide-close").click()
    expect(guide).to_be_hidden()
