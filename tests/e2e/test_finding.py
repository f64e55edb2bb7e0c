"""Somebody comes in, sees what waits, and finds places, questions and provisions by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from messages import say
from tests.e2e.looks import NAMED, Walk
from tests.e2e.people import (
    SLOW,
    at_rest,
    box_of,
    decisions,
    go_on,
    keys_are_heard,
    lead_to,
    on_item,
    press,
    saved,
    sidebar_link,
    visit,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ARA, JUN, LEAD, ADJUDICATOR, LAWYER = range(1, 6)  # of the sample
HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"
APART = """links => links.map(e => e.getBoundingClientRect()).filter(e => e.height).every(
  (box, at, boxes) => at === 0 || boxes[at - 1].bottom <= box.top + 0.5)"""
FIELD = ":is([data-testid=stTextInput] input, [data-testid=stTextArea] textarea):visible"
START = re.compile(r"/(start)?\?")


def headed(page: Page, title: str) -> None:
    """Wait until the screen of this title is open."""
    expect(page.get_by_role("heading", name=title, exact=True).first).to_be_visible(timeout=SLOW)
    at_rest(page)  # what is still being drawn would take the place of the page that is gone back to


def test_a_lead_follows_the_overview_and_finds_places(browser: Browser, address: str) -> None:
    window = browser.new_context(viewport={"width": 1440, "height": 900}, has_touch=True)
    page = window.new_page()
    follows_the_overview(page, address)
    follows_a_link_from_a_field_at_any_speed(page, address)
    visit(page, address, "overview", "sample", LEAD)
    finds_places_in_the_other_language_and_on_a_phone(page)


def follows_the_overview(page: Page, address: str) -> None:
    page.goto(f"{address}/?person={LEAD}")
    headed(page, say("overview.title"))
    expect(page.get_by_text("0.800 [0.372, 1.000]").first).to_be_attached()
    assert "/overview?" in page.url
    assert page.evaluate(HEIGHT) <= 900, "all of the sample is seen without scrolling"
    pending = say("overview.sum", final="0", pending="24", total="24")
    expect(page.get_by_text(pending)).to_be_visible()
    step = page.locator(".st-key-next-step").get_by_role("button")
    words = say("overview.next.disputes_wait", count="3", people="Lee Sora")
    expect(step).to_contain_text(words)
    step.click()
    headed(page, say("app.pages.agreement"))
    page.go_back()
    headed(page, say("overview.title"))
    bar = box_of(page.locator(".st-key-overview-questions-chart .mark-rect path").first)
    page.mouse.click(bar["x"] + bar["width"] / 4, bar["y"] + bar["height"] / 2)
    state = say("overview.state.not_assigned")
    expect(page.get_by_text(say("overview.behind", state=state, count="24"))).to_be_visible()


def finds_places_in_the_other_language_and_on_a_phone(page: Page) -> None:
    page.keyboard.press("Control+K")
    expect(palette(page).get_by_role("option", name="Overview")).to_be_visible()
    walk = Walk(page)
    walk.look(palette(page))
    page.keyboard.press("Control+K")
    expect(palette(page)).to_have_count(0)
    find(page, "sora")
    expect(palette(page).get_by_role("group", name="People")).to_be_visible()
    walk.look(palette(page))
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Name").first).to_have_value("Lee Sora", timeout=SLOW)
    page.set_viewport_size({"width": 390, "height": 844})
    at_rest(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Find").click(timeout=SLOW)
    page.keyboard.type("그래프 보고서")
    first = palette(page).get_by_role("option").first
    expect(first).to_contain_text("Graph report")
    walk.look(palette(page))
    box = palette(page).bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    first.click()
    headed(page, "Graph report")
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
    assert walk.faults == []


def follows_a_link_from_a_field_at_any_speed(page: Page, address: str) -> None:
    """While it is being written in: with a finger, or with no time between down and up."""
    for person, place in ((LEAD, "data"), (ADJUDICATOR, "adjudication")):
        visit(page, address, place, "sample", person)
        for how in ("click", "tap"):
            if how == "tap":
                page.go_back()
                at_rest(page)
            page.locator(FIELD).first.click(timeout=SLOW)
            page.keyboard.type("lamp")
            box = box_of(sidebar_link(page, "My work"))
            press_at = page.touchscreen.tap if how == "tap" else page.mouse.click
            press_at(box["x"] + 30, box["y"] + 10)
            expect(page, f"{place}, {how}").to_have_url(START, timeout=SLOW)
            headed(page, "My work")


def test_who_works_goes_on_and_finds_questions_by_keys(
    page: Page, address: str, tmp_path: Path
) -> None:
    goes_on_with_what_waits(page, address)
    finds_the_way_from_every_address(page, address)
    finds_by_keys_alone(page, address)
    has_keys_of_their_own_and_takes_them_along(page, address, tmp_path / "keys.yaml")


def goes_on_with_what_waits(page: Page, address: str) -> None:
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
    headed(page, "My work")
    expect(page.get_by_text("You left it open")).to_be_visible()
    expect(strip).to_have_count(0)
    go_on(page, "en-03")


def finds_the_way_from_every_address(page: Page, address: str) -> None:
    page.reload()
    on_item(page, "en-03")
    page.goto(f"{address}/citation_mapping?person={ADJUDICATOR}")
    expect(page.get_by_text("Only annotators and lawyers can annotate items.")).to_be_visible()
    page.get_by_role("link", name="Back to My work").click()
    at_rest(page)
    expect(page.get_by_text("Waiting for your decision")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    headed(page, "Adjudication")
    page.goto(f"{address}/overview?person={ARA}")
    expect(page.get_by_text(say("overview.only"))).to_be_visible()
    expect(page.get_by_role("link", name="Overview")).to_have_count(0)
    expect(page.get_by_text("Park Jun")).to_have_count(0)


def finds_by_keys_alone(page: Page, address: str) -> None:
    visit(page, address, "citation_mapping", "sample", ARA)
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
    headed(page, "말뭉치")
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


def palette(page: Page) -> Locator:
    """Return the open palette."""
    return page.get_by_role("dialog", name=re.compile("^Find anything by name|^이름으로 찾기"))


def find(page: Page, text: str) -> None:
    """Open the palette, type, and wait until it shows what is found for that."""
    page.keyboard.press("Control+K")
    field = palette(page).get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type(text)
    expect(field).to_have_value(text)
    expect(palette(page)).to_have_attribute("data-found", text, timeout=SLOW)


def has_keys_of_their_own_and_takes_them_along(page: Page, address: str, file: Path) -> None:
    visit(page, address, "citation_mapping", "sample", JUN)
    on_item(page, "en-01")
    page.keyboard.press("?")
    with page.context.expect_page() as opened:
        page.get_by_test_id("change-keys").click()
    keys = opened.value
    change_key(keys, "Unsure", "r")
    expect(keys.get_by_text("“r” would stand for two actions")).to_be_visible(timeout=SLOW)
    change_key(keys, "Unsure", "!")
    expect(keys.get_by_text("! now means: Unsure")).to_be_visible(timeout=SLOW)
    with keys.expect_download() as kept:
        keys.get_by_role("button", name="Download my keys").click()
    kept.value.save_as(file)
    keys.close()
    page.reload()
    is_unsure_by_its_own_key(page)
    page.keyboard.press("?")
    row = page.get_by_test_id("dialog-keys").get_by_role("row").filter(has_text="Unsure")
    expect(row.locator("kbd")).to_have_text("!")
    visit(page, address, "keys", "sample", LAWYER)
    expect(page.get_by_text("! now means: Unsure")).to_have_count(0)
    page.get_by_test_id("stExpander").filter(has_text="Keys from a file").locator("summary").click()
    page.locator("input[type=file]").set_input_files(file)
    at_rest(page)
    page.locator(".st-key-keys-take button").click()
    at_rest(page)
    lead_to(page, f"/citation_mapping?project=sample&person={LAWYER}&lang=en")
    is_unsure_by_its_own_key(page)


def change_key(page: Page, action: str, key: str) -> None:
    """Give an action another key on the screen of keys."""
    at_rest(page)
    box = page.get_by_role("combobox", name="Action")
    box.fill(action)
    page.get_by_role("option").filter(has_text=action).first.click(timeout=SLOW)
    at_rest(page)
    page.get_by_role("textbox", name="New key").fill(key)
    page.get_by_role("button", name="Change key").click()
    at_rest(page)


def is_unsure_by_its_own_key(page: Page) -> None:
    saved(page)
    press(page, "u")
    assert decisions(page)[0] == "", "the key of before means nothing now"
    press(page, "!")
    assert decisions(page)[0] == "unsure"
