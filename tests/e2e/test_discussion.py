"""Two annotators differ, are sent back, talk it over and agree: gold by consensus."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.gold.derivation import derive
from storage.db.workspace import Workspace
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    decisions,
    fill_in,
    go_to,
    on_item,
    picture,
    press,
    saved,
    take_back,
)
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ASKED = "Does the second provision answer it, or only set the scene?"


def seat(browser: Browser, address: str, name: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    come_in(page, address, name)
    return page


def test_differing_sent_back_talked_over_and_agreed(
    browser: Browser, address: str, workspace: Path
) -> None:
    ara, jun = (seat(browser, address, name) for name in ("Kim Ara", "Park Jun"))
    answer(ara, "a j a")
    answer(jun, "a")
    sora = seat(browser, address, "Lee Sora")
    send_back(sora)
    keep(jun)
    revise(ara)
    (found, *_) = derive(Workspace(workspace), "sample")
    assert (found.outcome, len(found.units)) == ("consensus", 1)
    read_consensus(sora)
    assert command_line(workspace, "check").returncode == 0


def answer(page: Page, keys: str) -> None:
    on_item(page, "en-01")
    press(page, keys)
    press(page, "Control+Enter")
    on_item(page, "en-02")


def send_back(page: Page) -> None:
    go_to(page, "Adjudication")
    expect(page.get_by_role("heading", name="Question en-01")).to_be_visible(timeout=SLOW)
    fill_in(page.get_by_role("textbox", name="Reason (required)"), ASKED)
    picture(page, "case-send-back")
    page.keyboard.press("Control+b")
    expect(page.get_by_text("was sent back to its annotators")).to_be_visible(timeout=SLOW)


def open_first(page: Page) -> None:
    """Open the head of the queue, which is what is to be discussed."""
    page.keyboard.press("g")
    first = page.get_by_test_id("queue-entry").first
    expect(first).to_contain_text("To be discussed", timeout=SLOW)
    first.click()
    on_item(page, "en-01")


def keep(page: Page) -> None:
    open_first(page)
    expect(page.get_by_test_id("discussion")).to_contain_text(ASKED)
    expect(page.get_by_test_id("voice")).to_contain_text("Kim Ara")
    expect(page.get_by_test_id("said").first).to_have_text("Kim Ara: Accept")
    picture(page, "discussion")
    page.keyboard.press("t")
    page.get_by_test_id("thread-text").fill("The second one only defines the term.")
    page.get_by_test_id("thread-text").press("Control+Enter")
    expect(page.get_by_text("only defines the term").first).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")
    page.get_by_test_id("keep").click()
    on_item(page, "en-02")


def revise(page: Page) -> None:
    open_first(page)
    expect(page.get_by_test_id("voice")).to_contain_text("after discussion")
    take_back(page, "en-01")
    assert decisions(page)[:2] == ["accept", "accept"]
    press(page, "z")
    assert decisions(page)[:2] == ["accept", ""]
    expect(page.get_by_test_id("discussion")).to_be_visible()
    press(page, "Control+Enter")
    on_item(page, "en-02")
    saved(page)


def read_consensus(page: Page) -> None:
    page.reload()
    at_rest(page)
    page.get_by_text("Agreed since 1").click(timeout=SLOW)
    expect(page.get_by_text("counts by consensus")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(ASKED).first).to_be_visible()
    expect(page.get_by_text("Answers before discussion")).to_be_visible()
    picture(page, "case-consensus")
    go_to(page, "Gold")
    expect(page.get_by_text("Consensus").first).to_be_visible(timeout=SLOW)
