"""Solvability of multiple-choice questions in a real browser: two people, and who settles."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.mcq.state import Fate, McqState, mcq_states
from storage.projects import find_project
from tests.e2e.keyboard import keys_alone
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    on_item,
    press,
    require_sound,
    saved,
    take_back,
)
from tests.e2e.ready import running_app
from tests.projects.mcq_project import HOSTILE, SECOND, SLUG, WHY, McqHouse, build, vote

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCREEN = "mcq_solvability"
KEEP = "2 4", "1 2 5", "1 1"  # the keys of each step: alone, both, compared


def sit_down(page: Page, address: str, name: str, screen: str = SCREEN) -> None:
    page.context.clear_cookies()
    come_in(page, f"{address}/?project={SLUG}", f"{name} ·", screen)


def on_step(page: Page, name: str) -> None:
    """Wait until the server has told what belongs to the step."""
    viewer = page.get_by_test_id("mcq-viewer")
    expect(viewer).to_have_attribute("data-stage", name, timeout=SLOW)
    saved(page)


def answer(page: Page, keys: tuple[str, str, str]) -> None:
    """Answer every step of the open item with these keys, and leave it unsubmitted."""
    on_step(page, "alone")
    for step, after in zip(keys[:2], ("both", "compared"), strict=True):
        press(page, f"{step} Enter")
        on_step(page, after)
    press(page, keys[2])


COVERED = """() => {
  const root = [...document.querySelectorAll("*")].map((each) => each.shadowRoot)
    .find((found) => found?.querySelector("[data-testid=mcq-viewer]"));
  const box = (each) => each.getBoundingClientRect();
  const lines = [...root.querySelectorAll("[data-testid=missed]")];
  const line = box(lines.find((each) => each.checkVisibility()));
  return [...root.querySelectorAll(".ask button")].filter((each) => each.checkVisibility()).map(box)
    .filter((each) => each.left < line.right - 1 && line.left < each.right - 1)
    .filter((each) => each.top < line.bottom - 1 && line.top < each.bottom - 1).length;
}"""


def what_is_missing_is_said(page: Page) -> None:
    """Submit too early at every step: it is said at the row, and covers no other.

    Then write the reason that it wants.
    """
    on_step(page, "alone")
    said = page.get_by_test_id("missed").locator("visible=true")
    for keys in ("", "1", "2"):
        press(page, f"{keys} Control+Enter")
        expect(said).to_contain_text("Not answered yet")
        assert page.evaluate(COVERED) == 0
    press(page, "4 Enter")
    on_step(page, "both")
    press(page, "1 2 5 Enter")
    on_step(page, "compared")
    press(page, "1 1 Control+Enter")  # kept, although it was answered from A alone
    expect(said).to_contain_text("you could answer it from A alone")
    expect(page.get_by_role("textbox", name="Reason")).to_be_focused()
    page.keyboard.type("The names give it away.")
    expect(said).to_have_count(0)


def states(house: McqHouse) -> list[McqState]:
    with house.ws.reading() as session:
        return list(mcq_states(session, find_project(session, SLUG).id).values())


def test_two_people_answer_and_an_adjudicator_settles(page: Page, tmp_path: Path) -> None:
    house = build(tmp_path / "mcq", number=3)
    vote(house, house.mcqs[0], "little-model", "ab", 1)
    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        with keys_alone(page):
            first_is_kept_step_by_step(page)
            second_is_fixed(page)
            third_is_dropped_and_brought_back(page)
        models_are_shown_once_it_is_submitted(page)
        sit_down(page, address, "Ben")
        other_person_starts_from_nothing(page)
        assert [each.fate for each in states(house)] == [Fate.KEPT, Fate.DISPUTED, Fate.DISPUTED]
        sit_down(page, address, "Cho", "adjudication")
        settle(page)
    found = states(house)
    assert [each.fate for each in found] == [Fate.KEPT, Fate.FIXED, Fate.DROPPED]
    assert found[1].disputes == ("verdict",)
    assert found[1].fix is not None
    assert found[1].fix.options[3] == "아홉 미터"
    require_sound(house.ws)


def first_is_kept_step_by_step(page: Page) -> None:
    on_item(page, "mcq-001")
    on_step(page, "alone")
    viewer = page.get_by_test_id("mcq-viewer")
    expect(viewer).to_contain_text(HOSTILE)
    expect(viewer).not_to_contain_text(SECOND)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("message")).to_contain_text("Not answered yet")
    asked = page.get_by_test_id("ask-alone_answerable")
    expect(asked).to_be_focused()
    expect(asked.get_by_test_id("missed")).to_contain_text("Not answered yet: Answerable?")
    page.keyboard.press("2")
    expect(asked.get_by_test_id("missed")).to_be_hidden()
    expect(page.get_by_test_id("message")).to_be_hidden()
    expect(page.get_by_test_id("alone_choice-4")).to_have_attribute("aria-checked", "true")
    press(page, "4 k 3")  # how sure, once more: fairly
    expect(page.get_by_test_id("alone_sure-3")).to_have_attribute("aria-checked", "true")
    enter_reveals_by_its_button_alone(page)
    on_step(page, "both")
    expect(viewer).to_contain_text(SECOND)
    expect(viewer).not_to_contain_text(WHY)
    press(page, "z z")
    expect(page.get_by_test_id("undo")).to_be_disabled()
    expect(viewer).to_contain_text(SECOND)
    press(page, "1 5 5 Enter")
    expect(page.get_by_test_id("message")).to_contain_text("undetermined")
    press(page, "k k 2 Enter")
    on_step(page, "compared")
    expect(page.get_by_test_id("explanation")).to_contain_text(WHY)
    expect(page.get_by_test_id("votes")).to_have_count(0)
    press(page, "1 1 Enter")
    on_item(page, "mcq-002")


def enter_reveals_by_its_button_alone(page: Page) -> None:
    button = page.get_by_role("button", name="Reveal B (can't be undone)")
    expect(button).to_be_focused()
    expect(page.get_by_test_id("sum-alone")).to_have_text("not answerable · option 5 · fairly sure")
    press(page, "4")  # one too many: refused aloud
    expect(page.get_by_test_id("message")).to_contain_text("this digit changes nothing")
    button.evaluate("(element) => element.blur()")
    press(page, "Enter")
    expect(button).to_be_focused()
    expect(page.get_by_test_id("mcq-viewer")).not_to_contain_text(SECOND)
    press(page, "Enter")


def second_is_fixed(page: Page) -> None:
    answer(page, ("2 4", "1 2 5", "2"))
    page.keyboard.press("2")
    expect(page.get_by_test_id("dialog-fix")).to_be_visible()
    page.keyboard.type("22")  # by the rhythm of the digits: no text
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("fix-told")).to_contain_text("changes nothing")
    press(page, "3 Enter")
    expect(page.get_by_test_id("message")).to_contain_text("changes nothing")
    page.keyboard.press("i")
    page.get_by_test_id("fix-option-4").press("Control+a")
    page.keyboard.type("아홉 미터")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("fix-told")).to_contain_text("Your edits are not saved yet")
    page.keyboard.press("i")
    expect(page.get_by_test_id("fix-option-4")).to_have_value("아홉 미터")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("dialog-fix")).to_have_count(0)
    saved(page)
    expect(page.get_by_test_id("fix-told")).to_contain_text("option 4")
    expect(page.get_by_test_id("fix-diff")).to_contain_text("아홉 미터")
    press(page, "Control+Enter")
    on_item(page, "mcq-003")


def third_is_dropped_and_brought_back(page: Page) -> None:
    answer(page, ("1 2 5", "1 2 5", "1 3 7"))
    expect(page.get_by_test_id("reason")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("reason")).to_be_focused()  # what is missing is written at once
    page.keyboard.type("말이 안 됨")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)
    take_back(page, "mcq-003")
    expect(page.get_by_test_id("reason")).to_have_value("말이 안 됨")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)


def models_are_shown_once_it_is_submitted(page: Page) -> None:
    page.keyboard.press("g")
    page.get_by_test_id("queue-entry").first.press("Enter", timeout=SLOW)
    on_step(page, "done")
    expect(page.get_by_test_id("votes")).to_contain_text("little-model")


def other_person_starts_from_nothing(page: Page) -> None:
    on_item(page, "mcq-001")
    on_step(page, "alone")
    expect(page.get_by_test_id("mcq-viewer")).not_to_contain_text(SECOND)
    press(page, "2 4 Enter")
    on_step(page, "both")
    page.reload()
    on_item(page, "mcq-001")
    on_step(page, "both")
    press(page, "1 2 5 Enter")
    on_step(page, "compared")
    press(page, "1 1 Enter")
    on_item(page, "mcq-002")
    page.set_viewport_size({"width": 390, "height": 900})
    what_is_missing_is_said(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    press(page, "Control+Enter")
    on_item(page, "mcq-003")
    answer(page, KEEP)
    press(page, "Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)


def settle(page: Page) -> None:
    """By keys alone: take a side, choose what nobody said, withdraw a decision, decide again."""
    expect(page.get_by_text("Open 2")).to_be_visible(timeout=SLOW)
    on_case(page, "mcq-002")
    with keys_alone(page):
        keys(page, "1")  # Ann's side
        decide(page, "Ann's wording is better.")
        on_case(page, "mcq-003")
        keys(page, "j", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")  # keep, fix, drop
        keys(page, "j", "ArrowRight", "Enter")  # the first cause
        decide(page, "A says it already.")
        expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)
        keys(page, "Shift+Z", "Shift+Z")
        on_case(page, "mcq-003")
        keys(page, "Control+Enter")
        expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)


def on_case(page: Page, case: str) -> None:
    expect(page.get_by_role("heading", name=case).first).to_be_visible(timeout=SLOW)
    at_rest(page)


def keys(page: Page, *pressed: str) -> None:
    """Press keys, waiting after each for what it asked of the server."""
    for key in pressed:
        page.keyboard.press(key)
        at_rest(page)


def decide(page: Page, reason: str) -> None:
    page.keyboard.press("w")
    page.keyboard.type(reason)
    keys(page, "Escape", "Control+Enter")
