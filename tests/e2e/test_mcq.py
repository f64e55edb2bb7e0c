"""Solvability of multiple-choice questions in a real browser: two people, and who settles."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.mcq.state import Fate, McqState, mcq_states
from storage.projects import find_project
from tests.e2e.keyboard import ITEMS, keys_alone, work_through
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    fill_in,
    on_item,
    picture,
    press,
    saved,
    take_back,
)
from tests.e2e.ready import command_line, running_app
from tests.projects.mcq_project import HOSTILE, SECOND, SLUG, WHY, McqHouse, build, vote

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCREEN = "mcq_solvability"
PATIENCE = 5.0  # seconds of an item for keys pressed as fast as the screen takes them
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


def test_what_is_not_answered_is_said_at_its_row_and_covers_no_other(
    page: Page, tmp_path: Path
) -> None:
    house = build(tmp_path / "mcq", number=2)
    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        for number, width in enumerate((390, 1440), 1):
            on_item(page, f"mcq-00{number}")
            page.set_viewport_size({"width": width, "height": 900})
            what_is_missing_is_said(page)
            press(page, "Control+Enter")


def what_is_missing_is_said(page: Page) -> None:
    """Submit the open item too early at every step, and write the reason that it wants."""
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
    done = command_line(house.ws.folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr


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
    answer(page, KEEP)
    press(page, "Enter")
    on_item(page, "mcq-003")
    answer(page, KEEP)
    press(page, "Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)


def settle(page: Page) -> None:
    expect(page.get_by_text("Open 2")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("heading", name="mcq-002")).to_be_visible(timeout=SLOW)
    choose(page, "fix", "Ann's wording is better.", "More than one option is right")
    expect(page.get_by_role("heading", name="mcq-003")).to_be_visible(timeout=SLOW)
    choose(page, "drop", "A says it already.", "Answerable from A alone")
    expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)


def choose(page: Page, verdict: str, reason: str, cause: str) -> None:
    at_rest(page)
    buttons = page.get_by_test_id("stButtonGroup")
    for chosen in (verdict, cause):
        buttons.get_by_text(chosen, exact=True).click(timeout=SLOW)
        at_rest(page)
    fill_in(page.get_by_role("textbox", name="Reason (required)"), reason)
    page.get_by_role("button", name="Decide and go on").click(timeout=SLOW)
    at_rest(page)


def test_the_sample_shows_good_and_bad_questions(page: Page, address: str) -> None:
    come_in(page, address, "Kim Ara", SCREEN)
    on_item(page, "mcq-en-1")
    answer(page, ("2 4", "1 3 5", "1"))
    picture(page, "mcq-solvability")
    press(page, "1 Enter")
    for name in ("mcq-en-2", "mcq-en-3"):
        on_item(page, name)
        press(page, "s")
        press_through(page, "Enter")
    on_item(page, "mcq-ko-1")
    expect(page.get_by_test_id("curtain")).to_contain_text("second provision")


def press_through(page: Page, key: str) -> None:
    """Press a key in a dialog, and wait until what it did is saved."""
    expect(page.locator("dialog[open]")).to_be_visible(timeout=SLOW)
    page.keyboard.press(key)
    expect(page.locator("dialog[open]")).to_have_count(0)
    saved(page)


@pytest.mark.long  # the first story does three by keys alone
def test_many_items_by_keyboard_alone(page: Page, tmp_path: Path) -> None:
    house = build(tmp_path / "many", number=ITEMS, overlap=1)
    names = [f"mcq-{number:03d}" for number in range(1, ITEMS + 1)]
    drops = set(names[::7])

    def work(at: Page, name: str) -> None:
        answer(at, ("1 2 5", "1 2 5", "1 3 1") if name in drops else KEEP)
        if name == names[-1]:
            press(at, "z 1")  # no waiting between the two: it answers what undo leaves open
        press(at, "Enter")

    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        took = work_through(page, names, work)
    expected = [Fate.DROPPED if name in drops else Fate.KEPT for name in names]
    assert [each.fate for each in states(house)] == expected
    assert statistics.median(took) < PATIENCE, "eleven keys and their three answers"
