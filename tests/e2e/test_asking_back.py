"""Once all answers are in, one is asked for, given back by the adjudicator, changed and final."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.gold.derivation import derive
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, come_in, go_to, on_item, picture, press, saved
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WHY, AGAIN, RIGHT = "I pressed the wrong key", "I meant 2.2.4", "It is right as it stands"


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
    ara.get_by_test_id("ask_back-confirm").click()
    expect(ara.get_by_test_id("ask_back-needs")).to_have_text("Say what was wrong with it.")
    expect(ara.get_by_role("textbox", name="Ask the adjudicator")).to_be_focused()
    picture(ara, "ask-back-empty")
    ara.get_by_text(WHY).click()
    picture(ara, "ask-back-dialog")
    ara.get_by_test_id("ask_back-confirm").click()
    says(ara, "Asked for your answer to en-01 back")
    ara.mouse.move(200, 200)  # a notice stays until a while after somebody is there to read it
    expect(ara.get_by_test_id("message")).to_contain_text("You asked for it back", timeout=SLOW)
    expect(ara.get_by_test_id("ask-back")).to_have_count(0)
    press(ara, "t")
    expect(ara.get_by_test_id("message-kind")).to_have_text("asks for their answer back")
    picture(ara, "ask-back-asked")
    sora = seat(browser, address, "Lee Sora")
    decline(sora)
    declined(ara)
    ara.get_by_test_id("ask-back").click()
    ara.get_by_role("textbox", name="Ask the adjudicator").fill(AGAIN)
    ara.get_by_test_id("ask_back-confirm").click()
    says(ara, "Asked for your answer to en-01 back")
    give(sora)
    ara.reload()
    on_item(ara, "en-01")
    expect(ara.get_by_test_id("sent-back")).to_contain_text("Lee Sora sent this", timeout=SLOW)
    says(ara, "Sent back to you: keep it or change it.")
    expect(ara.get_by_test_id("declined")).to_be_hidden()
    in_one_block(ara)
    go_to(ara, "Gold")
    expect(ara.get_by_text("sent back to its annotator").first).to_be_visible(timeout=SLOW)
    nothing_told(jun)
    change(ara)
    found = derive(Workspace(workspace), "sample")[0]
    assert found.pending == ("differ",)
    expect(ara.get_by_test_id("item-status")).to_have_text("Submitted", timeout=SLOW)
    says(ara, "All answers are in, so yours is final.")
    picture(ara, "ask-back-changed")
    assert command_line(workspace, "check").returncode == 0


def decline(page: Page) -> None:
    """Decline on the adjudicator's page, which wants a reason."""
    go_to(page, "Adjudication")
    page.get_by_text("Requests to have an answer back (1)").click(
        timeout=SLOW
    )  # folded above the case
    expect(page.get_by_text(WHY)).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("Write why you decline.")).to_be_visible(timeout=SLOW)
    picture(page, "ask-back-decline-empty")
    page.get_by_label("What to tell them").fill(RIGHT)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("will see why en-01 stays as it is")).to_be_visible(timeout=SLOW)


def declined(page: Page) -> None:
    """See on the item that and why it was declined, and that one may ask again."""
    page.reload()
    on_item(page, "en-01")
    told = page.get_by_test_id("declined")
    expect(told).to_contain_text("declined by Lee Sora:", timeout=SLOW)
    expect(told).to_contain_text(f"“{RIGHT}”")
    expect(page.get_by_test_id("ask-back")).to_have_text("Ask again")
    picture(page, "ask-back-declined")


def nothing_told(page: Page) -> None:
    """Read nothing of it as the other annotator, though the item is complete."""
    page.reload()
    saved(page)
    press(page, "q")
    on_item(page, "en-01")
    press(page, "t")
    expect(page.get_by_test_id("thread-lead")).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("message-said")).to_have_count(0)
    expect(page.get_by_test_id("thread-count")).to_be_hidden()
    expect(page.get_by_test_id("declined")).to_be_hidden()
    picture(page, "ask-back-other")


def in_one_block(page: Page) -> None:
    """See what was sent back as lines below each other, at every width."""
    for width in (1440, 1024, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        # all at one moment: the sidebar may still be moving away
        lefts = (
            page.get_by_test_id("sent-back")
            .locator("p")
            .evaluate_all("all => all.map(each => Math.round(each.getBoundingClientRect().left))")
        )
        assert (len(lefts), len(set(lefts))) == (3, 1), width
        picture(page, f"ask-back-sent-{width}")
    page.set_viewport_size({"width": 1440, "height": 900})


def change(page: Page) -> None:
    """Take the answer that was sent back, change it and submit it; then look at it again."""
    go_to(page, "Citation mapping")
    on_item(page, "en-01")
    press(page, "Shift+Z")
    page.get_by_test_id("take-back-confirm").click()
    expect(page.get_by_test_id("item-status")).to_have_text("Draft", timeout=SLOW)
    told = page.get_by_test_id("sent-back")
    expect(told).to_have_text(
        f"Lee Sora sent this back to you:As you asked: {AGAIN}Submit again when you have decided."
    )
    picture(page, "ask-back-changing")
    press(page, "j a Control+Enter")
    on_item(page, "en-02")
    press(page, "q")
    on_item(page, "en-01")
    expect(page.get_by_test_id("sent-back")).to_be_hidden()


def give(page: Page) -> None:
    """Send the answer back from the adjudicator's page."""
    go_to(page, "Gold")
    go_to(page, "Adjudication")
    page.get_by_text("Requests to have an answer back (1)").click(timeout=SLOW)
    expect(page.get_by_text(AGAIN)).to_be_visible(timeout=SLOW)
    picture(page, "ask-back-request")
    page.get_by_role("button", name="Send it back").click()
    expect(page.get_by_text("en-01 was sent back to Kim Ara")).to_be_visible(timeout=SLOW)
