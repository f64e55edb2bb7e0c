"""Two people annotate blind, then talk; whoever decides sees how sure each was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.adjudication import disputes
from annotation.people.members import list_people
from annotation.work.threads import thread
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, come_in, on_item, picture, press, saved, take_back
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCRIPT = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'
ODD = "\u202eright\u202c \u200bzero **bold** $x$"


@pytest.fixture
def ara(page: Page) -> Page:
    return page


@pytest.fixture
def jun(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 1440, "height": 900}).new_page()


def test_two_annotate_blind_and_talk_afterwards(
    ara: Page, jun: Page, address: str, workspace: Path
) -> None:
    come_in(ara, address, "Kim Ara")
    on_item(ara, "en-01")
    press(ara, "a Alt+4")
    expect(ara.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    write(ara, "Article 5 names the exit width.")
    picture(ara, "thread-before-submission")
    press(ara, "Escape Control+Enter")
    on_item(ara, "en-02")
    come_in(jun, address, "Park Jun")
    reads_nothing_before_submitting(jun)
    press(jun, "Escape x Alt+2 Control+Enter")
    on_item(jun, "en-02")
    jun_replies(jun)
    ara_reads_the_reply(ara)
    notes_how_sure_each_was(workspace)


def test_what_is_written_and_how_sure_one_is_does_no_harm_and_is_not_lost(
    ara: Page, address: str, workspace: Path, tmp_path: Path
) -> None:
    come_in(ara, address, "Kim Ara")
    no_text_does_harm_or_is_lost(ara)
    how_sure_one_is_outlives_a_reload_and_a_submission_taken_back(ara)
    a_reason_is_sent_with_the_keys_that_send_everything(ara)
    a_comment_on_a_question_that_was_closed_meanwhile_waits_for_it(ara, workspace, tmp_path)


def how_sure_one_is_outlives_a_reload_and_a_submission_taken_back(ara: Page) -> None:
    press(ara, "Escape a Alt+4")
    ara.reload()
    on_item(ara, "en-01")
    expect(ara.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    press(ara, "Control+Enter")
    on_item(ara, "en-02")
    expect(ara.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "false")
    take_back(ara, "en-01")
    expect(ara.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    press(ara, "Control+Enter")
    on_item(ara, "en-02")


def a_reason_is_sent_with_the_keys_that_send_everything(ara: Page) -> None:
    press(ara, "s")
    ara.keyboard.type("Later")
    press(ara, "Control+Enter")
    on_item(ara, "en-03")


def no_text_does_harm_or_is_lost(ara: Page) -> None:
    on_item(ara, "en-01")
    ara.keyboard.press("t")
    for text in (SCRIPT, ODD):
        write(ara, text)
        expect(said(ara).last).to_have_text(re.compile(re.escape(text[:20])), timeout=SLOW)
    fill_every_field(ara)
    box = ara.get_by_test_id("thread-text")
    box.fill("\u200b\u200b")
    box.press("Control+Enter")
    expect(ara.get_by_test_id("message")).to_contain_text("is empty", timeout=SLOW)
    expect(box).to_have_value("\u200b\u200b")
    box.fill("half a message")
    ara.reload()
    on_item(ara, "en-01")
    ara.keyboard.press("t")
    expect(ara.get_by_test_id("thread-text")).to_have_value("half a message")
    expect(ara.get_by_test_id("comment")).to_have_value(SCRIPT)
    expect(said(ara)).to_have_count(2, timeout=SLOW)
    assert ara.evaluate("window.harmed") is None
    assert ara.locator("img[src=x]").count() == 0


def a_comment_on_a_question_that_was_closed_meanwhile_waits_for_it(
    ara: Page, workspace: Path, tmp_path: Path
) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("en-03\n", "utf-8")
    assign(workspace, "make", "Third", "--person", "Kim Ara", "--overlap", "1", "--ids", str(ids))
    ara.reload()
    on_item(ara, "en-03")
    press(ara, "a")
    assign(workspace, "close", "Third")
    ara.keyboard.press("c")
    ara.keyboard.insert_text("half a thought")
    expect(ara.get_by_test_id("item-id")).not_to_have_text("en-03", timeout=SLOW)
    assign(workspace, "close", "Third", "--reopen")
    open_from_queue(ara, "en-03")
    expect(ara.get_by_test_id("comment")).to_have_value("half a thought")
    saved(ara)
    ara.reload()
    on_item(ara, "en-03")
    expect(ara.get_by_test_id("comment")).to_have_value("half a thought")


def assign(workspace: Path, *words: str) -> None:
    done = command_line(workspace, "assign", *words)
    assert done.returncode == 0, done.stderr


def open_from_queue(page: Page, identity: str) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.get_by_test_id("queue-entry").first).to_be_visible(timeout=SLOW)
    page.keyboard.type(identity)
    page.keyboard.press("Enter")
    on_item(page, identity)


def said(page: Page) -> Locator:
    return page.get_by_test_id("message-said")


def write(page: Page, text: str) -> None:
    """Write a message; the thread is opened if it is not."""
    if not page.get_by_test_id("thread").is_visible():
        page.keyboard.press("t")
    page.get_by_test_id("thread-text").fill(text)
    page.keyboard.press("Control+Enter")
    saved(page)
    expect(page.get_by_test_id("thread-text")).to_have_value("")


def fill_every_field(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.insert_text(SCRIPT)
    press(page, "Escape f")
    page.keyboard.insert_text(SCRIPT)
    press(page, "Enter")
    expect(page.get_by_test_id("flag")).to_have_attribute("title", re.compile("onerror"))
    page.keyboard.press("/")
    page.keyboard.insert_text(SCRIPT)
    expect(
        page.get_by_text("Nothing found").or_(page.get_by_test_id("search-hit")).first
    ).to_be_visible(timeout=SLOW)
    press(page, "Escape")


def reads_nothing_before_submitting(page: Page) -> None:
    on_item(page, "en-01")
    expect(page.get_by_test_id("thread-count")).to_be_hidden()
    page.keyboard.press("t")
    expect(page.get_by_test_id("thread-lead")).to_contain_text("once all answers to this item")
    saved(page)
    assert "exit width" not in page.locator("body").inner_text()


def jun_replies(page: Page) -> None:
    at_rest(page)  # what comes later closes the queue
    press(page, "g")
    entry = page.get_by_test_id("queue-entry").first
    expect(entry).to_contain_text("en-01", timeout=SLOW)
    picture(page, "queue-with-threads")
    page.get_by_test_id("entry-thread").first.click()
    on_item(page, "en-01")
    expect(said(page)).to_have_count(1, timeout=SLOW)
    expect(said(page)).to_contain_text("Kim Ara")
    expect(page.get_by_test_id("sure-2")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("reply").click()
    page.keyboard.insert_text("I read it otherwise.")
    page.keyboard.press("Control+Enter")
    expect(said(page)).to_have_count(2, timeout=SLOW)
    picture(page, "thread")


def ara_reads_the_reply(page: Page) -> None:
    press(page, "g")
    page.get_by_test_id("entry-thread").first.click(timeout=SLOW)
    on_item(page, "en-01")
    expect(said(page)).to_have_count(2, timeout=SLOW)
    expect(said(page).last).to_contain_text("I read it otherwise.")
    expect(said(page).last.locator("blockquote")).to_contain_text("exit width")
    expect(page.get_by_test_id("thread-count")).to_have_text("2")


def notes_how_sure_each_was(workspace: Path) -> None:
    """The adjudicator reads it beside each side, and the thread with all that was said."""
    ws = Workspace(workspace)
    judge = next(each for each in list_people(ws, "sample") if each.role == "adjudicator")
    item = disputes.queue(ws, judge.id)[0].item_id
    sides = disputes.open_case(ws, judge.id, item).sides
    assert {side.person.name: side.confidence for side in sides} == {"Kim Ara": 4, "Park Jun": 2}
    told = [(each.person, each.text) for each in thread(ws, judge.id, item)]
    assert told == [
        ("Kim Ara", "Article 5 names the exit width."),
        ("Park Jun", "I read it otherwise."),
    ]
