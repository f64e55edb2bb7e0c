"""The tasks of the sample: answers rated blind, questions and cases tried, judges reviewed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.keyboard import keys_alone
from tests.e2e.people import SLOW, come_in, go_to, keys_are_heard, picture, press, saved
from tests.e2e.test_factor_tagging import select

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
RATING, REVIEW = "rating-viewer", "review-viewer"
WHY = "Six hours: Article 9(3) has the station chief told, and the answer leaves it out."


def open_item(page: Page, identity: str) -> None:
    """Go to an item through the queue, by keyboard."""
    page.keyboard.press("g")
    expect(page.get_by_test_id("dialog-queue")).to_be_visible(timeout=SLOW)
    page.keyboard.type(identity)
    page.keyboard.press("Enter")
    on_place(page, identity)


def on_place(page: Page, identity: str) -> None:
    expect(page.get_by_test_id("item-id")).to_contain_text(identity, timeout=SLOW)
    keys_are_heard(page)


def test_the_other_tasks_of_the_sample(page: Page, address: str) -> None:
    come_in(page, address, "Kim Ara", "answer_rating")
    with keys_alone(page):
        rate_blind(page)
    mcqs_of_the_sample(page)
    cases_of_the_sample(page)
    come_in(page, address, "Lee Sora", "judge_review")
    review_a_case_of_a_cell(page)
    what_the_judges_were_asked_is_one_key_away(page)
    a_reload_keeps_the_draft(page)
    korean_words(page)


def rate_blind(page: Page) -> None:
    on_place(page, "ko-14·2fb1")
    viewer = page.get_by_test_id(RATING)
    expect(viewer.get_by_test_id("question")).to_contain_text("정기점검")
    for word in ("judge-one", "model-small", "Park Jun"):
        assert word not in viewer.inner_text()
    press(page, "a")
    expect(viewer.get_by_test_id("rating-correct")).to_have_attribute("aria-pressed", "true")
    press(page, "r z")
    expect(viewer.get_by_test_id("rating-correct")).to_have_attribute("aria-pressed", "true")
    press(page, "Control+Enter")
    on_place(page, "ko-14·6b6d")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("message")).to_contain_text("not rated yet", timeout=SLOW)
    press(page, "a")
    expect(page.get_by_test_id("message")).to_be_hidden()
    picture(page, "answer-rating")
    press(page, "Control+Enter")


def review_a_case_of_a_cell(page: Page) -> None:
    """Open the judge's overestimates from the matrix and settle one of them."""
    cell = page.get_by_test_id("cell-fp")
    expect(cell).to_contain_text("2", timeout=SLOW)
    fold = page.get_by_test_id("matrix-fold")
    expect(fold).to_contain_text("κ 0.", timeout=SLOW)
    fold.click()
    expect(cell).to_be_hidden()
    press(page, "m")  # which opens it, too
    for _ in range(3):  # the focus starts in the cell of the open case
        focused = cell.evaluate("each => each.getRootNode().activeElement.dataset.cell")
        if focused != "fp":
            page.keyboard.press("ArrowRight" if focused == "tp" else "ArrowUp")
    page.keyboard.press("Enter")
    dialog = page.get_by_test_id("dialog-queue")
    expect(dialog).to_contain_text("overestimated", timeout=SLOW)
    expect(dialog.get_by_test_id("queue-entry")).to_have_count(2)
    page.keyboard.type("en-09")
    page.keyboard.press("Enter")
    on_place(page, "en-09 · model-small")
    viewer = page.get_by_test_id(REVIEW)
    expect(viewer.get_by_test_id("rater")).to_have_count(2)
    expect(viewer.locator(".answer").get_by_test_id("alone").first).to_be_visible()
    press(page, "a")  # as the judge said, which was fair then
    expect(viewer.get_by_test_id("estimate-fair")).to_have_attribute("aria-pressed", "true")
    press(page, "F")  # what the machine chose is confirmed
    expect(viewer.get_by_test_id("estimate-fair")).to_have_attribute("aria-pressed", "true")
    press(page, "r")
    expect(viewer.get_by_test_id("estimate-over")).to_have_attribute("aria-pressed", "true")
    press(page, "O")  # what came along is confirmed, not switched off
    expect(viewer.get_by_test_id("estimate-over")).to_have_attribute("aria-pressed", "true")
    press(page, "F F")  # what one said oneself goes back to what came along
    expect(viewer.get_by_test_id("estimate-over")).to_have_attribute("aria-pressed", "true")
    press(page, "Control+Enter")
    what_is_missing_is_said_where_it_is_missing(page)
    page.keyboard.type(WHY)
    expect(viewer.get_by_test_id("ask-rationale").get_by_test_id("missed")).to_be_hidden()
    expect(page.get_by_test_id("message")).to_be_hidden()
    picture(page, "judge-review")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-id")).not_to_contain_text("en-09", timeout=SLOW)
    open_item(page, "en-09")
    expect(viewer.get_by_test_id("rationale")).to_have_value(WHY)
    pressed = viewer.locator("[data-testid^=categories-][aria-pressed=true]")
    expect(pressed).to_have_text("6Missing condition or exception")


def what_is_missing_is_said_where_it_is_missing(page: Page) -> None:
    """At the field, which takes the focus, until it is there; nothing else moves."""
    viewer, told = page.get_by_test_id(REVIEW), page.get_by_test_id("message")
    categories = viewer.get_by_test_id("ask-categories")
    missed = categories.get_by_test_id("missed")
    expect(categories).to_have_class(re.compile("must"))
    expect(told).to_contain_text("No category", timeout=SLOW)
    expect(missed).to_contain_text("No category")
    expect(categories).to_be_focused()
    stands = viewer.get_by_test_id("rationale").bounding_box()
    page.keyboard.press("d")  # which answers nothing
    expect(missed).to_be_visible()
    press(page, "6")
    expect(missed).to_be_hidden()
    expect(told).to_be_hidden()
    press(page, "d")
    assert viewer.get_by_test_id("rationale").bounding_box() == stands
    press(page, "Control+Enter")
    missed = viewer.get_by_test_id("ask-rationale").get_by_test_id("missed")
    expect(missed).to_contain_text("rationale is missing", timeout=SLOW)
    expect(viewer.get_by_test_id("rationale")).to_be_focused()


def what_the_judges_were_asked_is_one_key_away(page: Page) -> None:
    page.keyboard.press("P")
    expect(page.get_by_test_id("prompts")).to_contain_text("judge-two", timeout=SLOW)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("prompts")).to_have_count(0)


def a_reload_keeps_the_draft(page: Page) -> None:
    open_item(page, "en-05")
    press(page, "a 2 w")
    page.keyboard.type("More detail than")
    page.on("dialog", lambda asked: asked.accept())  # the page warns of what is not sent yet
    page.reload()
    on_place(page, "en-05")
    viewer = page.get_by_test_id(REVIEW)
    expect(viewer.get_by_test_id("rationale")).to_have_value("More detail than", timeout=SLOW)
    saved(page)
    expect(viewer.get_by_test_id("estimate-under")).to_have_attribute("aria-pressed", "true")
    press(page, "z z")
    expect(viewer.get_by_test_id("rationale")).to_have_value("")
    expect(viewer.locator("[data-testid^=categories-][aria-pressed=true]")).to_have_count(0)
    press(page, "2 d d")


def korean_words(page: Page) -> None:
    open_item(page, "ko-09")
    alone = page.get_by_test_id(REVIEW).locator(".reference").get_by_test_id("alone")
    expect(alone.filter(has_text="보안을 위하여 필요한 경우에는")).to_have_count(1, timeout=SLOW)


def mcqs_of_the_sample(page: Page) -> None:
    go_to(page, "MCQ solvability")
    on_place(page, "mcq-en-1")
    saved(page)
    for keys, after in (("2 4", "both"), ("1 3 5", "compared")):
        press(page, f"{keys} Enter")
        step = page.get_by_test_id("mcq-viewer")
        expect(step).to_have_attribute("data-stage", after, timeout=SLOW)
        saved(page)
    press(page, "1")
    picture(page, "mcq-solvability")
    press(page, "1 Enter")
    for name in ("mcq-en-2", "mcq-en-3"):
        on_place(page, name)
        press(page, "s")
        expect(page.locator("dialog[open]")).to_be_visible(timeout=SLOW)
        press(page, "Enter")
    on_place(page, "mcq-ko-1")
    expect(page.get_by_test_id("curtain")).to_contain_text("second provision")


def cases_of_the_sample(page: Page) -> None:
    go_to(page, "Factor tagging")
    on_place(page, "drunk-1")
    asked = page.get_by_test_id("asked")
    expect(asked).to_have_text("Blood alcohol level", timeout=SLOW)
    press(page, "1")
    progress = page.get_by_test_id("case-progress")
    expect(progress).to_contain_text("1 of 29")
    select(page, "약 1.2km 구간")
    picture(page, "factor-tagging")
    expect(asked).to_have_text("Necessity?")  # Enter after an answer does not pass that by
    press(page, "Enter")
    expect(asked).to_have_text("Necessity?")
    page.keyboard.press("Shift+D")
    expect(page.get_by_test_id("dialog-rest")).to_contain_text("Not driving?")
    press(page, "Control+Enter")
    expect(progress).to_contain_text("29 of 29")
    press(page, "z")
    expect(progress).to_contain_text("1 of 29")
