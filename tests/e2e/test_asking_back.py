"""Once all answers are in, one is asked for, given back by the adjudicator, changed and final."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.gold import derive
from storage.workspace import Workspace
from tests.e2e.people import SLOW, come_in, go_to, on_item, picture, press
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]
WHY = "I pressed the wrong key"


def seat(browser: Browser, address: str, name: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    come_in(page, address, name)
    return page


def says(page: Page, words: str) -> None:
    expect(page.get_by_test_id("message")).to_contain_text(words, timeout=SLOW)


def test_a_final_answer_is_asked_for_and_given_back(
    browser: Browser, address: str, workspace: Path
) -> None:
    ara, jun = (seat(browser, address, name) for name in ("Kim Ara", "Park Jun"))
    for page in (ara, jun):
        on_item(page, "en-01")
        press(page, "a Control+Enter")
        on_item(page, "en-02")
    press(ara, "q")
    on_item(ara, "en-01")
    press(ara, "Shift+Z")
    says(ara, "All answers are in, so yours is final.")
    expect(ara.get_by_test_id("take-back")).to_be_disabled()
    ara.get_by_test_id("ask-back").click()
    ara.get_by_text(WHY).click()
    picture(ara, "ask-back-dialog")
    ara.get_by_test_id("ask_back-confirm").click()
    says(ara, "Asked for your answer to en-01 back")
    expect(ara.get_by_test_id("message")).to_contain_text("You asked for it back", timeout=SLOW)
    expect(ara.get_by_test_id("ask-back")).to_have_count(0)
    press(ara, "t")
    expect(ara.get_by_test_id("message-kind")).to_have_text("asks for their answer back")
    picture(ara, "ask-back-asked")
    give(seat(browser, address, "Lee Sora"))
    ara.reload()
    on_item(ara, "en-01")
    expect(ara.get_by_test_id("sent-back")).to_contain_text("Lee Sora sent this", timeout=SLOW)
    picture(ara, "ask-back-sent")
    press(ara, "Shift+Z")
    ara.get_by_test_id("take-back-confirm").click()
    expect(ara.get_by_test_id("item-status")).to_have_text("Draft", timeout=SLOW)
    press(ara, "j a Control+Enter")
    on_item(ara, "en-02")
    (found, *_) = derive(Workspace(workspace), "sample")
    assert found.pending == ("differ",)
    assert command_line(workspace, "check").returncode == 0


def give(page: Page) -> None:
    """Send the answer back from the adjudicator's page."""
    go_to(page, "Adjudication")
    expect(page.get_by_text(WHY)).to_be_visible(timeout=SLOW)
    picture(page, "ask-back-request")
    page.get_by_role("button", name="Send it back").click()
    expect(page.get_by_text("en-01 was sent back to Kim Ara")).to_be_visible(timeout=SLOW)
