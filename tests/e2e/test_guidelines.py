"""A guideline is edited while somebody works by it, and answers are taken over to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import SLOW, at_rest, choose, come_in, fill_in, picture, press, saved
from tests.e2e.ready import command_line, running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
NEW = "10. A provision that only **defines** a word is rejected, <b>always</b>."
WHY = "definitions are now rejected"


def test_from_an_edit_to_answers_given_again(browser: Browser, workspace: Path) -> None:
    done = command_line(workspace, "person", "add", "Han Lead", "--role", "researcher")
    assert done.returncode == 0, done.stderr
    with running_app(workspace) as address:
        lead = browser.new_page(viewport={"width": 1440, "height": 900})
        ara = browser.new_page(viewport={"width": 1440, "height": 900})
        come_in(ara, address, "Kim Ara", "citation_mapping")
        submitted = begin(ara)
        come_in(lead, address, "Han Lead", "guidelines")
        edit(lead)
        reads_what_changed(ara)
        take_over(lead)
        answer_again(ara, submitted)


def begin(page: Page) -> str:
    """Submit one question, and begin the next."""
    saved(page)
    first = page.get_by_test_id("item-id").inner_text()
    press(page, "a Control+Enter")
    expect(page.get_by_test_id("item-id")).not_to_have_text(first, timeout=SLOW)
    saved(page)
    press(page, "r")
    return first


def edit(page: Page) -> None:
    """Add a point to the guideline, and see it beside the text before it is saved."""
    page.get_by_text("Edit", exact=True).click()
    at_rest(page)
    text = page.locator("textarea").first
    expect(text).to_be_visible(timeout=SLOW)
    fill_in(text, f"{text.input_value().rstrip()}\n{NEW}\n")
    fill_in(page.get_by_label("Why it was changed"), WHY)
    expect(page.get_by_text("<b>always</b>.", exact=False).last).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 2 is now in use")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_text("Versions", exact=True).click()
    expect(page.locator(".plain-text .inserted").first).to_contain_text("10", timeout=SLOW)
    picture(page, "guidelines-versions")


def reads_what_changed(page: Page) -> None:
    """Whoever has a draft from before is told, and reads what is new."""
    press(page, "r")
    expect(page.get_by_test_id("newer")).to_be_visible(timeout=SLOW)
    page.get_by_test_id("read-newer").click()
    expect(page.get_by_test_id("guideline-news").locator("ins")).to_contain_text("defines")
    expect(page.get_by_test_id("guideline-news")).to_contain_text(WHY)
    assert page.get_by_test_id("guideline-news").locator("b").count() == 0
    works_beside_it(page)


def works_beside_it(page: Page) -> None:
    """It stays open, at the clause of what is in hand, and goes by its key."""
    guide = page.get_by_test_id("guide")
    clause = guide.locator("[aria-current]")
    expect(clause).to_contain_text("if the answer rests on it")  # nothing is said yet
    press(page, "r")
    expect(clause).to_contain_text("only shares words with the question")
    press(page, "x")
    expect(clause).to_contain_text("No provision in this corpus")
    expect(clause).to_be_in_viewport()
    press(page, "x h")
    expect(guide).to_be_hidden()
    press(page, "r")  # again, so that nothing is said


def take_over(page: Page) -> None:
    """Give accepted provisions back to be answered again, after a look at what that does."""
    at_rest(page)
    page.get_by_text("Take answers over", exact=True).click()
    at_rest(page)
    expect(page.get_by_text("Result", exact=True).or_(page.get_by_text("The same"))).to_be_visible(
        timeout=SLOW
    )
    box = page.locator(".st-key-guidelines-answer-guideline-accept")
    choose(box.get_by_role("combobox"), re.compile("to be answered again"))
    fill_in(page.get_by_label("Reason"), WHY)
    picture(page, "guidelines-migrate")
    page.get_by_role("button", name="Take over 1 submission").click()
    expect(page.get_by_text("to be answered again.", exact=False).first).to_be_visible(timeout=SLOW)


def answer_again(page: Page, submitted: str) -> None:
    """The question is back in the queue, and says why."""
    press(page, "g")
    page.get_by_test_id("dialog-queue").get_by_text(submitted, exact=True).click()
    expect(page.get_by_test_id("item-id")).to_have_text(submitted, timeout=SLOW)
    expect(page.get_by_test_id("again")).to_contain_text(WHY, timeout=SLOW)
    saved(page)
    press(page, "a Control+Enter")
    expect(page.get_by_test_id("item-id")).not_to_have_text(submitted, timeout=SLOW)
