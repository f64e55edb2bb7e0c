"""Law as data in a real browser: search, walk the graph, amend the law, check decisions again."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.conftest import ROOT
from tests.corpus.cases.texts import ENGLISH
from tests.e2e.people import (
    SLOW,
    TRIES,
    at_rest,
    box_of,
    choose,
    come_in,
    fill_in,
    go_to,
    on_item,
    picture,
    press,
    tick,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
HEADING = "[data-testid=unit-view] h2"
HOSTILE = "<img src=x onerror=\"document.title='planted'\">"
ACT = "gaon-fire-safety-act"
ADDED = (
    "##### Article 12-2 (Deputy Officers)\n\nA duty holder may appoint a deputy officer under "
    "Article 12(1).\n\n"
)


def test_law_as_data(page: Page, address: str, tmp_path: Path) -> None:
    come_in(page, address, "Kim Ara")
    decide_beside_the_graph(page)
    search_and_open(page)
    walk_the_graph(page)
    lead = page.context.new_page()
    come_in(lead, address, "Choi Yuna", "court_cases")
    court_cases_come_in_and_are_read(lead, tmp_path)
    bring_in_newer_law(lead, amended_sample(tmp_path / "statutes-2026"))
    the_corpus_shows_the_newer_law(page)
    read_what_changed(page)
    check_again(page)
    nothing_is_left_to_check(page)


def amended_sample(folder: Path) -> Path:
    """Return a newer version of the sample's law: one article each added, changed, removed, moved.

    Article 12 is reworded, 12-2 is new, 10 is gone and 7 stands as Article 7-2.
    """
    shutil.copytree(ROOT / "sample" / "statutes", folder)
    file = folder / "en" / ACT / "act.md"
    text = file.read_text("utf-8").replace("시행일자: 2025-09-12", "시행일자: 2026-03-01")
    assert "within 20 days" in text
    text = text.replace("within 20 days", "within ten days")
    text = text.replace("##### Article 7 (", "##### Article 7-2 (")
    gone, after = text.index("##### Article 10 ("), text.index("##### Article 11")
    text = text[:gone] + text[after:]
    place = text.index("##### Article 13 (")
    file.write_text(text[:place] + ADDED + text[place:], "utf-8")
    return folder


def decide_beside_the_graph(page: Page) -> None:
    on_item(page, "en-01")
    press(page, "a")
    page.keyboard.press("v")
    expect(page.get_by_test_id("graph-node").first).to_be_visible(timeout=SLOW)
    picture(page, "graph-beside-candidate")
    page.keyboard.press("v")
    expect(page.get_by_test_id("graph-pane")).to_be_hidden()
    press(page, "Control+Enter")
    on_item(page, "en-02")


def search_and_open(page: Page) -> None:
    go_to(page, "Corpus")
    expect(page.get_by_text("Select a provision on the left")).to_be_visible(timeout=SLOW)
    field = page.get_by_label("Search the law")
    field.fill("Article 15 of the Gaon Fire Safety Act")
    field.press("Enter")
    hit = page.get_by_test_id("hit").first
    expect(hit).to_contain_text("cited in your search", timeout=SLOW)
    hit.click()
    unit_is(page, "Article 15 ")
    expect(page.get_by_test_id("side-cites").get_by_test_id("entry").first).to_be_visible()
    expect(page.get_by_test_id("side-cited_by").get_by_test_id("entry").first).to_be_visible()
    at_rest(page)
    field.fill("")
    field.press("Enter")
    here = page.get_by_test_id("unit").and_(page.locator("[aria-current]"))
    expect(here).to_contain_text("Article 15", timeout=SLOW)
    expect(here).to_be_in_viewport()
    picture(page, "corpus")


def walk_the_graph(page: Page) -> None:
    page.get_by_test_id("graph-hops-2").click()
    two = page.get_by_test_id("graph-hops-2")
    expect(two).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    picture(page, "corpus-graph")
    page.get_by_test_id("graph-hops-1").click()
    one = page.get_by_test_id("graph-hops-1")
    expect(one).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    at_rest(page)
    kinds = page.get_by_test_id("graph-type").filter(has_text="References")
    before = page.get_by_test_id("graph-node").count()
    kinds.click()
    expect(kinds).to_have_attribute("aria-pressed", "false", timeout=SLOW)
    assert page.get_by_test_id("graph-node").count() < before
    kinds.click()
    expect(page.get_by_test_id("graph-node")).to_have_count(before, timeout=SLOW)
    at_rest(page)
    node(page, "Gaon Fire Safety Act Article 9 ").click()
    unit_is(page, "Article 9 Maintenance")
    page.go_back()
    unit_is(page, "Article 15 ")
    node(page, "Gaon Fire Safety Act Article 15 ").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(HEADING)).not_to_contain_text("Article 15 ", timeout=SLOW)
    at_rest(page)
    walked_to = page.locator(HEADING).inner_text()
    page.reload()
    unit_is(page, walked_to)


def node(page: Page, name: str) -> Locator:
    return page.get_by_test_id("graph-node").and_(page.get_by_label(re.compile(f"^{name}")))


def unit_is(page: Page, title: str) -> None:
    expect(page.locator(HEADING)).to_contain_text(title, timeout=SLOW)
    at_rest(page)


def court_cases_come_in_and_are_read(page: Page, folder: Path) -> None:
    """Name the file, say which columns are id and text, and read what came in by its sections."""
    expect(page.get_by_text("12 of 12 court cases")).to_be_visible(timeout=SLOW)
    row = {"no": "own-1", "ruling": ENGLISH.replace("No earlier conviction.", HOSTILE)}
    (folder / "own.jsonl").write_text(json.dumps(row), "utf-8")
    page.get_by_text("Import", exact=True).click()
    fill_in(page.get_by_label("Path"), str(folder / "own.jsonl"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text('No column is mapped to "id"')).to_be_visible(timeout=SLOW)
    choose(page.get_by_role("combobox", name="Id", exact=True), "no")
    choose(page.get_by_role("combobox", name="Full text", exact=True), "ruling")
    expect(page.get_by_text("1 judgment (en 1)")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Import all of the file").click()
    expect(page.get_by_text("1 new court case, 0 already here.")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_test_id("stButtonGroup").get_by_text("Cases", exact=True).click()
    fill_in(page.get_by_role("textbox", name="Search"), "repayment")
    expect(page.get_by_text("1 of 13 court cases")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(HOSTILE)).to_be_visible(timeout=SLOW)
    assert page.title() != "planted"
    at_rest(page)
    page.get_by_test_id("stButtonGroup").get_by_text("Claims", exact=True).click()
    expect(page.get_by_text(HOSTILE)).to_have_count(0, timeout=SLOW)
    expect(page.locator(".plain-text .match")).to_have_text("repayment")


def bring_in_newer_law(page: Page, folder: Path) -> None:
    go_to(page, "Amendments")
    expect(page.get_by_text("A comparison needs two snapshots")).to_be_visible(timeout=SLOW)
    go_to(page, "Data")
    field = page.locator(".st-key-data-statutes-path input")
    expect(field).to_have_count(1, timeout=SLOW)
    fill_in(field, str(folder))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The first units")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Import statutes").click()
    told = page.get_by_text(re.compile("Imported 8 statutes"))
    expect(told).to_be_visible(timeout=2 * SLOW)
    expect(page.get_by_text(re.compile("1 statute differs, 7 equal; "))).to_be_visible()
    expect(page.get_by_text(re.compile("Candidates from this law were made"))).to_be_visible()


def the_corpus_shows_the_newer_law(page: Page) -> None:
    go_to(page, "Corpus")
    expect(page.get_by_text("statutes-2026")).to_be_visible(timeout=SLOW)
    field = page.get_by_label("Search the law")
    field.fill("Gaon Fire Safety Act Article 12-2")
    field.press("Enter")
    hit = page.get_by_test_id("hit").first
    expect(hit).to_contain_text("Article 12-2", timeout=SLOW)
    hit.click()
    unit_is(page, "Article 12-2 Deputy Officers")
    expect(page.get_by_test_id("side-cites")).to_contain_text("Article 12 ")


def read_what_changed(page: Page) -> None:
    go_to(page, "Amendments")
    for status in ("Changed", "Added", "Removed", "Renumbered"):
        figure = page.get_by_test_id("stMetric").filter(has_text=status)
        expect(figure).to_contain_text(re.compile(rf"{status}\D*1$"), timeout=SLOW)
    at_rest(page)
    page.get_by_test_id("stMain").get_by_role("radio", name="Changed").click()
    at_rest(page)
    words = page.locator(".st-key-compare-text-removed")
    tick(page.locator(".st-key-compare-units").get_by_test_id("stDataFrame"), 1, words)
    expect(page.locator(".st-key-compare-text-removed .removed")).to_have_text("20")
    expect(page.locator(".st-key-compare-text-inserted .inserted")).to_have_text("ten")
    page.get_by_role("heading", name="Provisions").evaluate("each => each.scrollIntoView()")
    picture(page, "amendments")


def check_again(page: Page) -> None:
    """Follow the queue to the item, take it up on the newer law, decide what was amended."""
    expect(page.get_by_text("1 of your question")).to_be_visible(timeout=SLOW)
    at_rest(page)
    item = first_link(page)
    on_item(item, "en-01")
    expect(item.get_by_test_id("outrun")).to_be_visible(timeout=SLOW)
    picture(item, "amended-since")
    item.keyboard.press("A")
    amended = item.get_by_test_id("candidate").filter(has_text="amended since you decided")
    expect(amended).to_have_count(1, timeout=SLOW)
    expect(amended).to_contain_text("ten")
    expect(amended).to_have_attribute("data-decision", "")
    expect(item.get_by_test_id("outrun")).to_be_hidden()
    picture(item, "checked-again")
    amended.get_by_test_id("accept").click()
    press(item, "Control+Enter")
    on_item(item, "en-02")
    item.close()


def nothing_is_left_to_check(page: Page) -> None:
    """Nothing of citation mapping: the sample's ratings of answers on that law wait for a lead."""
    page.reload()
    others = "Also answered on law that was amended, and not confirmed yet: 2 rated answers."
    expect(page.get_by_text(others)).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("1 of your question")).to_be_hidden()


# Tables are drawn on a canvas, which says nothing of where its rows are and moves while the page
# is still being drawn: a click that missed is repeated.
def first_link(page: Page) -> Page:
    """Follow the first link among what is to be checked again; return the tab that it opens."""
    for _ in range(TRIES):
        try:
            with page.expect_popup(timeout=SLOW / TRIES) as opened:
                click_first_row(page.get_by_test_id("stDataFrame").last, 72)
        except TooLate:
            continue
        return opened.value
    raise AssertionError("no question opened")


def click_first_row(table: Locator, across: int) -> None:
    at_rest(table.page)
    table.scroll_into_view_if_needed()
    table.page.wait_for_timeout(800)
    box = box_of(table)
    place = box["x"] + across, box["y"] + 52
    table.page.mouse.move(*place)
    table.page.wait_for_timeout(300)  # a link is one only under the pointer
    table.page.mouse.click(*place)
