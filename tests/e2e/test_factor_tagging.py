"""Tagging court cases in a real browser: by keys alone, by selecting words, factor by factor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlmodel
from playwright.sync_api import Page, expect

from annotation.forms.submissions import answers_in
from storage.projects import find_project
from storage.tables.core import Annotation
from storage.tasks import Task, of_task
from tests.e2e.keyboard import keys_alone
from tests.e2e.people import SLOW, come_in, on_item, press, require_sound, saved
from tests.e2e.ready import running_app
from tests.projects.tagging_project import (
    CLAIMS,
    FACTS,
    HOSTILE,
    REASONS,
    SLUG,
    TaggingHouse,
    build,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCREEN = "factor_tagging"
PLACE = """(words) => {
  const home = document.querySelector("[data-testid=tagging-viewer]")?.getRootNode()
    || [...document.querySelectorAll("*")].map((each) => each.shadowRoot)
      .find((root) => root && root.querySelector("[data-testid=tagging-viewer]"));
  const lines = [...home.querySelectorAll(".court-text .line")];
  const line = lines.find((each) => each.textContent.includes(words));
  const range = document.createRange();
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let at = line.textContent.indexOf(words), left = words.length, node;
  while ((node = walker.nextNode())) {
    if (at < node.length) {
      range.setStart(node, at);
      range.setEnd(node, at + left);
      break;
    }
    at -= node.length;
  }
  const boxes = [...range.getClientRects()];
  const [first, last] = [boxes[0], boxes.at(-1)];
  return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2];
}"""


def sit_down(page: Page, address: str, name: str = "Ann") -> None:
    page.context.clear_cookies()
    come_in(page, f"{address}/?project={SLUG}", f"{name} ·", SCREEN)


def select(page: Page, words: str, away: bool = False) -> None:
    """Drag the mouse over words of the judgment; with `away`, let go beside it."""
    left, top, right, bottom = page.evaluate(PLACE, words)
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, (top + bottom) / 2, steps=3)
    page.mouse.move(right, bottom, steps=3)
    if away:
        page.get_by_test_id("asked").hover()
    page.mouse.up()


def submitted(house: TaggingHouse) -> list[dict[str, Any]]:
    """Return the answers of every submission, oldest first."""
    with house.ws.reading() as session:
        project_id = find_project(session, SLUG).id
        found = answers_in(session, of_task(project_id, Task.FACTOR_TAGGING))
    return [found[number] for number in sorted(found)]


def asked(page: Page, label: str) -> None:
    expect(page.get_by_test_id("asked")).to_have_text(label, timeout=SLOW)


def test_a_lawyer_tags_a_case_and_goes_on_factor_by_factor(page: Page, tmp_path: Path) -> None:
    long = "\n".join([FACTS, *("증거를 본다." for _ in range(60))])
    house = build(tmp_path / "tagging", number=3, overlap=1, body=(long, CLAIMS, REASONS))
    with running_app(house.ws.folder) as address:
        sit_down(page, address)
        with keys_alone(page):
            suggestions_come_after_answering(page)
            evidence_is_pointed_at_by_keys(page)
            the_rest_is_answered_and_submitted(page)
        words_are_selected_with_the_mouse(page)
        with keys_alone(page):
            evidence_begins_at_the_match_found_and_goes_on_to_likely_sentences(page)
            the_judgment_is_searched_and_folded(page)
            one_sub_factor_goes_through_the_cases(page)
        another_window_has_answered_meanwhile(page)
    first, second = submitted(house)
    for proof in first["deceived"]["evidence"]:
        assert house.text[proof["start"] : proof["end"]] == proof["quote"]
    assert [each["quote"] for each in first["deceived"]["evidence"]] == [
        "피고인은 2024. 3. 5. 피해자에게 𠮷田 명의의 차용증을 보여 주며 3,000만 원을",
        "갚을 의사가 없었다",
    ]
    assert first["manner"]["options"] == ["manner_02", "manner_10"]
    (proof,) = second["deceived"]["evidence"]
    assert proof["quote"] == "e\u0301clat 상사"
    assert house.text[proof["start"] : proof["end"]] == proof["quote"]
    require_sound(house.ws)


def test_cases_in_which_nothing_is_stated_are_asked_about_when_they_come_too_quick(
    page: Page, tmp_path: Path
) -> None:
    house = build(tmp_path / "quick", number=3, overlap=1)
    with running_app(house.ws.folder) as address:
        sit_down(page, address)
        for name in ("case-001", "case-002", "case-003"):
            on_item(page, name)
            page.keyboard.press("Shift+D")
            press(page, "Control+Enter Control+Enter")
        asks = page.get_by_test_id("dialog-quick")
        expect(asks).to_contain_text("Nothing is stated in 3 cases in a row", timeout=SLOW)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)
        with house.ws.reading() as session:
            flags = session.exec(sqlmodel.select(Annotation.flag)).all()
        assert [flag[:20] for flag in flags if flag] == ["3 cases in a row wit"]


def suggestions_come_after_answering(page: Page) -> None:
    on_item(page, "case-001")
    viewer = page.get_by_test_id("tagging-viewer")
    expect(page.get_by_test_id("court-text")).to_contain_text(HOSTILE)
    asked(page, "Deceived")
    expect(page.locator(".more.below")).to_be_visible()  # the judgment goes on below
    expect(viewer).not_to_contain_text("little-model")
    press(page, "a")  # nothing to take yet
    press(page, "z 1 Enter")  # nor to take back: it brings nothing in hand later
    asked(page, "Manner of deceit")
    press(page, "k 1")
    expect(page.get_by_test_id("case-progress")).to_contain_text("0 of 3")
    press(page, "1")
    expect(page.get_by_test_id("suggested")).to_contain_text("갚을 의사가 없었다", timeout=SLOW)
    press(page, "a")
    expect(page.get_by_test_id("evidence")).to_have_text(["갚을 의사가 없었다"])


def evidence_is_pointed_at_by_keys(page: Page) -> None:
    page.keyboard.press("e")
    pointed = page.locator("mark.pointed")
    expect(pointed).to_contain_text(["피고인은 2024. 3. 5."])  # the case opens at its facts
    press(page, "ArrowLeft Enter")
    quoted = page.get_by_test_id("evidence")
    expect(quoted).to_have_count(2)
    press(page, "e J")
    page.keyboard.press("Escape")
    expect(pointed).to_have_count(0)
    press(page, "e 1")  # a digit attaches what is pointed at
    expect(quoted).to_have_count(3)
    press(page, "z")
    expect(quoted).to_have_count(2)


def the_rest_is_answered_and_submitted(page: Page) -> None:
    press(page, "Enter")
    asked(page, "Manner of deceit")
    press(page, "2 0")
    press(page, "ArrowLeft ArrowLeft Enter")  # the last, which no digit chooses
    expect(page.get_by_test_id("option-manner_12")).to_have_attribute("aria-checked", "true")
    press(page, "z")
    press(page, "Enter")
    asked(page, "Diminished capacity")
    press(page, "z")  # what is taken back comes in hand
    asked(page, "Manner of deceit")
    press(page, "0 Enter")
    asked(page, "Diminished capacity")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("message")).to_contain_text("Diminished capacity")
    press(page, "x Enter x Enter Enter")  # a rhythm of Enter submits nothing
    expect(page.get_by_test_id("message")).to_contain_text("4 of 4 · Ctrl ↵ submits")
    press(page, "z")
    expect(page.get_by_test_id("message")).to_be_hidden()  # three of four now
    press(page, "x Enter")
    expect(page.get_by_test_id("message")).to_contain_text("4 of 4")
    for key in ("Control+Enter", *["Enter", "1", "Enter", "2"]):
        page.keyboard.press(key)
        page.wait_for_timeout(100)  # nor does it answer anything of the next case
    on_item(page, "case-002")
    expect(page.get_by_test_id("case-progress")).to_contain_text("0 of ")


def words_are_selected_with_the_mouse(page: Page) -> None:
    asked(page, "Deceived")
    select(page, "\u0301clat 상사")  # begins within a letter
    expect(page.get_by_test_id("message")).to_contain_text("Choose the option")
    waiting = page.get_by_test_id("waiting-evidence")
    expect(waiting).to_have_text(["e\u0301clat 상사"])
    select(page, "대표이다")  # more than one may wait
    expect(waiting).to_have_count(2)
    page.get_by_test_id("drop-waiting-evidence").last.click()
    press(page, "2")  # the option that it shows
    expect(waiting).to_have_count(0)
    expect(page.get_by_test_id("evidence")).to_have_text(["e\u0301clat 상사"])
    select(page, "차용증", away=True)  # the option is in hand: attached at once, in one drag
    expect(page.get_by_test_id("evidence")).to_have_text(["차용증", "e\u0301clat 상사"])
    page.get_by_test_id("drop-evidence").first.click()
    expect(page.get_by_test_id("evidence")).to_have_text(["e\u0301clat 상사"])
    saved(page)
    page.locator("mark.evidence").first.click()
    asked(page, "Deceived")
    expect(page.get_by_test_id("court-text")).to_be_focused()


def evidence_begins_at_the_match_found_and_goes_on_to_likely_sentences(page: Page) -> None:
    pointed = page.locator("mark.pointed")
    page.keyboard.press("/")
    page.keyboard.type("초범")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(pointed).to_contain_text(["초범"])
    page.keyboard.press("Escape")
    expect(pointed).to_have_count(0)
    press(page, "[ [ [ [ j")
    asked(page, "Diminished capacity")
    expect(page.get_by_test_id("likely")).to_contain_text("likely sentence")
    page.keyboard.press("e")
    expect(page.get_by_test_id("message")).to_contain_text("Suggestion 1 of")
    expect(pointed).to_have_text(["판결"])  # where one reads
    page.keyboard.press("e")
    expect(page.get_by_test_id("message")).to_contain_text("Suggestion 2 of")
    expect(pointed).to_contain_text(["주장한다"])
    expect(page.locator(".more.above")).to_be_visible()  # the judgment goes on above
    press(page, "2")
    expect(page.get_by_test_id("evidence")).to_contain_text(["주장한다"])
    press(page, "z")
    press(page, "[ [ [ [ k")
    asked(page, "Deceived")


def the_judgment_is_searched_and_folded(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("피해자")
    expect(page.get_by_test_id("found")).to_have_text("1 of 3")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("found")).to_have_text("2 of 3")
    expect(page.locator("mark.match")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("part-head")).to_have_attribute("aria-expanded", "true")
    press(page, "o")
    expect(page.get_by_test_id("part-head")).to_have_attribute("aria-expanded", "false")
    press(page, "+")
    expect(page.get_by_test_id("court-text")).to_have_attribute("style", "--letters: 16px;")


def one_sub_factor_goes_through_the_cases(page: Page) -> None:
    press(page, "j")
    asked(page, "Diminished capacity")
    expect(page.get_by_test_id("to-claims")).not_to_have_attribute("aria-current", "true")
    press(page, "] ] N x Enter")
    on_item(page, "case-003")
    expect(page.get_by_test_id("to-claims")).to_have_attribute("aria-current", "true")
    asked(page, "Diminished capacity")
    expect(page.get_by_test_id("part-head")).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_test_id("court-text")).to_have_attribute("style", "--letters: 16px;")
    press(page, "2 n")
    expect(page.get_by_test_id("message")).to_contain_text("No other case")
    press(page, "p")
    on_item(page, "case-002")
    page.keyboard.press("m")
    expect(page.get_by_test_id("over-insanity")).to_contain_text("3 of 3", timeout=SLOW)
    page.keyboard.press("Enter")  # picks nothing that is not chosen
    expect(page.get_by_test_id("dialog-progress")).to_be_visible()
    page.keyboard.press("m")
    expect(page.get_by_test_id("dialog-progress")).to_be_hidden()
    expect(page.get_by_test_id("factor-wise")).to_contain_text("Diminished capacity")
    press(page, "N Control+Enter")
    on_item(page, "case-003")


def another_window_has_answered_meanwhile(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    on_item(other, "case-003")
    asked(other, "Settled with the victim")
    press(other, "1")
    other.close()
    page.get_by_test_id("row-settled").click()
    press(page, "2")
    expect(page.get_by_test_id("met-text")).to_contain_text("Settled with the victim", timeout=SLOW)
    expect(page.get_by_test_id("option-yes")).to_have_attribute("aria-checked", "true")
    press(page, "Shift+T")
    expect(page.get_by_test_id("met")).to_be_hidden()
    expect(page.get_by_test_id("option-yes")).to_have_attribute("aria-checked", "true")
    for key in "2z1z":
        press(page, key)
    expect(page.get_by_test_id("met")).to_be_hidden()
    expect(page.get_by_test_id("option-yes")).to_have_attribute("aria-checked", "true")
