"""Two people answer blind, talk, are sent back and agree; one asks for an answer back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.adjudication import disputes
from annotation.gold.derivation import derive
from annotation.people.members import list_people
from annotation.work.threads import thread
from storage.db.workspace import Workspace
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    decisions,
    fill_in,
    go_to,
    on_item,
    open_from_queue,
    picture,
    press,
    require_sound,
    saved,
    take_back,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
FIRST, SECOND = "Article 5 names the exit width.", "I read it otherwise."
ASKED = "Does the second provision answer it, or only set the scene?"
WHY, AGAIN, RIGHT = "I pressed the wrong key", "I meant 2.2.4", "It is right as it stands"


def seat(browser: Browser, address: str, name: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    come_in(page, address, name)
    return page


def test_answers_are_talked_over_and_asked_for_back(
    browser: Browser, address: str, workspace: Path
) -> None:
    ws = Workspace(workspace)
    ara, jun = seat(browser, address, "Kim Ara"), seat(browser, address, "Park Jun")
    answers_and_says_how_sure(ara)
    reads_nothing_before_submitting(jun)
    replies(jun)
    reads_the_reply(ara)
    notes_how_sure_each_was(ws)
    sora = seat(browser, address, "Lee Sora")
    sends_back(sora)
    keeps(jun)
    revises(ara)
    found = derive(ws, "sample")[0]
    assert (found.outcome, len(found.units)) == ("consensus", 1)
    reads_consensus(sora)
    asks_back(ara)
    declines(sora)
    sees_why_and_asks_again(ara)
    gives(sora)
    is_sent_back(ara)
    is_told_nothing(jun)
    changes(ara)
    assert derive(ws, "sample")[1].pending == ("differ",)
    require_sound(ws)


def message_is(page: Page, words: str) -> None:
    expect(page.get_by_test_id("message")).to_contain_text(words, timeout=SLOW)


def said(page: Page) -> Locator:
    return page.get_by_test_id("message-said")


def answers_and_says_how_sure(page: Page) -> None:
    on_item(page, "en-01")
    press(page, "a j a Alt+4")
    expect(page.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("t")
    page.get_by_test_id("thread-text").fill(FIRST)
    page.keyboard.press("Control+Enter")
    saved(page)
    expect(page.get_by_test_id("thread-text")).to_have_value("")
    press(page, "Escape Control+Enter")
    on_item(page, "en-02")
    press(page, "a Control+Enter")
    on_item(page, "en-03")


def reads_nothing_before_submitting(page: Page) -> None:
    on_item(page, "en-01")
    expect(page.get_by_test_id("thread-count")).to_be_hidden()
    page.keyboard.press("t")
    expect(page.get_by_test_id("thread-lead")).to_contain_text("once all answers to this item")
    saved(page)
    assert "exit width" not in page.locator("body").inner_text()
    press(page, "Escape a Alt+2 Control+Enter")
    on_item(page, "en-02")
    press(page, "a Control+Enter")
    on_item(page, "en-03")


def replies(page: Page) -> None:
    at_rest(page)  # what comes later closes the queue
    press(page, "g")
    expect(page.get_by_test_id("queue-entry").first).to_contain_text("en-01", timeout=SLOW)
    page.get_by_test_id("entry-thread").first.click()
    on_item(page, "en-01")
    expect(said(page)).to_have_count(1, timeout=SLOW)
    expect(said(page)).to_contain_text("Kim Ara")
    expect(page.get_by_test_id("sure-2")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("reply").click()
    page.keyboard.insert_text(SECOND)
    page.keyboard.press("Control+Enter")
    expect(said(page)).to_have_count(2, timeout=SLOW)
    picture(page, "thread")


def reads_the_reply(page: Page) -> None:
    press(page, "g")
    page.get_by_test_id("entry-thread").first.click(timeout=SLOW)
    on_item(page, "en-01")
    expect(said(page)).to_have_count(2, timeout=SLOW)
    expect(said(page).last).to_contain_text(SECOND)
    expect(said(page).last.locator("blockquote")).to_contain_text("exit width")
    expect(page.get_by_test_id("thread-count")).to_have_text("2")


def notes_how_sure_each_was(ws: Workspace) -> None:
    """The adjudicator reads it beside each side, and the thread with all that was said."""
    judge = next(each for each in list_people(ws, "sample") if each.role == "adjudicator")
    item = disputes.queue(ws, judge.id)[0].item_id
    sides = disputes.open_case(ws, judge.id, item).sides
    assert {side.person.name: side.confidence for side in sides} == {"Kim Ara": 4, "Park Jun": 2}
    told = [(each.person, each.text) for each in thread(ws, judge.id, item)]
    assert told == [("Kim Ara", FIRST), ("Park Jun", SECOND)]


def sends_back(page: Page) -> None:
    expect(page.get_by_role("heading", name="Question en-01")).to_be_visible(timeout=SLOW)
    fill_in(page.get_by_role("textbox", name="Reason (required)"), ASKED)
    page.keyboard.press("Control+b")
    expect(page.get_by_text("was sent back to its annotators")).to_be_visible(timeout=SLOW)


def opens_what_is_to_be_discussed(page: Page) -> None:
    page.keyboard.press("Escape")
    page.reload()
    saved(page)
    page.keyboard.press("g")
    first = page.get_by_test_id("queue-entry").first
    expect(first).to_contain_text("To be discussed", timeout=SLOW)
    first.click()
    on_item(page, "en-01")


def keeps(page: Page) -> None:
    opens_what_is_to_be_discussed(page)
    expect(page.get_by_test_id("discussion")).to_contain_text(ASKED)
    expect(page.get_by_test_id("voice")).to_contain_text("Kim Ara")
    expect(page.get_by_test_id("said").first).to_have_text("Kim Ara: Accept")
    picture(page, "discussion")
    page.get_by_test_id("keep").click()
    on_item(page, "en-03")


def revises(page: Page) -> None:
    opens_what_is_to_be_discussed(page)
    expect(page.get_by_test_id("voice")).to_contain_text("after discussion")
    take_back(page, "en-01")
    assert decisions(page)[:2] == ["accept", "accept"]
    press(page, "z")
    assert decisions(page)[:2] == ["accept", ""]
    expect(page.get_by_test_id("discussion")).to_be_visible()
    press(page, "Control+Enter")
    on_item(page, "en-03")


def reads_consensus(page: Page) -> None:
    page.reload()
    at_rest(page)
    page.get_by_text("Agreed since 1").click(timeout=SLOW)
    expect(page.get_by_text("counts by consensus")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(ASKED).first).to_be_visible()
    expect(page.get_by_text("Answers before discussion")).to_be_visible()


def asks_back(page: Page) -> None:
    open_from_queue(page, "en-02")
    press(page, "Shift+Z")
    message_is(page, "All answers are in, so yours is final.")
    expect(page.get_by_test_id("take-back")).to_be_disabled()
    page.get_by_test_id("ask-back").click()
    page.get_by_test_id("ask_back-confirm").click()
    expect(page.get_by_test_id("ask_back-needs")).to_have_text("Say what was wrong with it.")
    expect(page.get_by_role("textbox", name="Ask the adjudicator")).to_be_focused()
    page.get_by_text(WHY).click()
    page.get_by_test_id("ask_back-confirm").click()
    message_is(page, "Asked for your answer to en-02 back")
    page.mouse.move(200, 200)  # a notice stays until a while after somebody is there to read it
    message_is(page, "You asked for it back")
    expect(page.get_by_test_id("ask-back")).to_have_count(0)
    press(page, "t")
    expect(page.get_by_test_id("message-kind")).to_have_text("asks for their answer back")


def requests(page: Page, words: str) -> None:
    """Read on the adjudicator's page what is asked for, which is folded above the case."""
    go_to(page, "Gold")
    go_to(page, "Adjudication")
    page.get_by_text("Requests to have an answer back (1)").click(timeout=SLOW)
    expect(page.get_by_text(words)).to_be_visible(timeout=SLOW)


def declines(page: Page) -> None:
    """Decline, which wants a reason."""
    requests(page, WHY)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("Write why you decline.")).to_be_visible(timeout=SLOW)
    page.get_by_label("What to tell them").fill(RIGHT)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("will see why en-02 stays as it is")).to_be_visible(timeout=SLOW)


def sees_why_and_asks_again(page: Page) -> None:
    page.reload()
    on_item(page, "en-02")
    told = page.get_by_test_id("declined")
    expect(told).to_contain_text("declined by Lee Sora:", timeout=SLOW)
    expect(told).to_contain_text(f"“{RIGHT}”")
    expect(page.get_by_test_id("ask-back")).to_have_text("Ask again")
    page.get_by_test_id("ask-back").click()
    page.get_by_role("textbox", name="Ask the adjudicator").fill(AGAIN)
    page.get_by_test_id("ask_back-confirm").click()
    message_is(page, "Asked for your answer to en-02 back")


def gives(page: Page) -> None:
    requests(page, AGAIN)
    page.get_by_role("button", name="Send it back").click()
    expect(page.get_by_text("en-02 was sent back to Kim Ara")).to_be_visible(timeout=SLOW)


def is_sent_back(page: Page) -> None:
    """See what was sent back as lines below each other, also on a phone."""
    page.reload()
    on_item(page, "en-02")
    expect(page.get_by_test_id("sent-back")).to_contain_text("Lee Sora sent this", timeout=SLOW)
    message_is(page, "Sent back to you: keep it or change it.")
    expect(page.get_by_test_id("declined")).to_be_hidden()
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        # all at one moment: the sidebar may still be moving away
        lefts = (
            page.get_by_test_id("sent-back")
            .locator("p")
            .evaluate_all("all => all.map(each => Math.round(each.getBoundingClientRect().left))")
        )
        assert (len(lefts), len(set(lefts))) == (3, 1), width


def is_told_nothing(page: Page) -> None:
    """Read nothing of it as the other annotator, though the item is complete."""
    page.reload()
    saved(page)
    open_from_queue(page, "en-02")
    press(page, "t")
    expect(page.get_by_test_id("thread-lead")).to_be_visible(timeout=SLOW)
    expect(said(page)).to_have_count(0)
    expect(page.get_by_test_id("thread-count")).to_be_hidden()
    expect(page.get_by_test_id("declined")).to_be_hidden()


def changes(page: Page) -> None:
    """Take the answer that was sent back, change it and submit it; then look at it again."""
    press(page, "Shift+Z")
    page.get_by_test_id("take-back-confirm").click()
    expect(page.get_by_test_id("item-status")).to_have_text("Draft", timeout=SLOW)
    expect(page.get_by_test_id("sent-back")).to_have_text(
        f"Lee Sora sent this back to you:As you asked: {AGAIN}Submit again when you have decided."
    )
    press(page, "j a Control+Enter")
    on_item(page, "en-03")
    press(page, "q")
    on_item(page, "en-02")
    expect(page.get_by_test_id("sent-back")).to_be_hidden()
    expect(page.get_by_test_id("item-status")).to_have_text("Submitted", timeout=SLOW)
    message_is(page, "All answers are in, so yours is final.")
