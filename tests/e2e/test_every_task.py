"""Every task as somebody finds it who sees little, hears it read, has no mouse or little room.

axe-core looks at every dialog and pane that opens over or beside the work. Narrow are a phone, and
200 % (1280 × 900 is then 640 × 450). No text is cut without a sign: it is whole, or fades above a
button for all of it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as Late

from tests.e2e.looks import (
    HEIGHT,
    WIDTHS,
    Walk,
    in_every_variant,
    require_usable_where_narrow,
    require_whole_or_signed,
    resized,
    size,
)
from tests.e2e.people import SLOW, at_rest, box_of, lead_to, on_item, press, saved
from tests.e2e.ready import running_app
from tests.e2e.screens import HOUSES

pytestmark = pytest.mark.e2e
NARROW = (390, 844), (640, 450)
AT_ONCE = 2  # widths of each of many items that differ in nothing but their texts
# What opens on every task, under its key: `make test` opens one of them on each task by turns, in
# one of the narrow windows, and looks at every eighth question; the long run does all.
DIALOGS = {"?": "keys", "g": "queue", "f": "flag", "s": "skip"}
BESIDE = {"h": "guide", "t": "thread"}


# What opens on one screen alone: does it, and looks at it.
Steps = Callable[[Walk], None]


def the_task_itself(walk: Walk) -> None:
    """Look at the task, where no screen of the sample shows it."""
    walk.look(walk.page.get_by_test_id(re.compile("^[a-z_]+-viewer$")))


def of_mapping(walk: Walk) -> None:
    walk.page.keyboard.press("/")
    walk.page.keyboard.type("exit")
    walk.look(walk.page.get_by_role("listbox"))
    walk.page.keyboard.press("Escape")
    walk.pane("v", "graph-pane")
    press(walk.page, "a Control+Enter")
    walk.page.keyboard.press("Z")
    walk.look(walk.page.get_by_test_id("dialog-take-back"))


def of_ocr(walk: Walk) -> None:
    walk.dialog("Control+Enter", "doubts")
    walk.page.keyboard.press("Control+Enter")
    walk.page.keyboard.press("Control+Enter")
    saved(walk.page)


def of_verification(walk: Walk) -> None:
    the_task_itself(walk)
    walk.dialog("S", "send_back")


def of_mcq(walk: Walk) -> None:
    for keys in ("2 4 Enter", "1 3 5 Enter", "2 2"):
        press(walk.page, keys)
    walk.look(walk.page.get_by_test_id("dialog-fix"))


def of_tagging(walk: Walk) -> None:
    walk.dialog("m", "progress")


def of_review(walk: Walk) -> None:
    walk.dialog("P", "prompt")


def of_curation(walk: Walk) -> None:
    the_task_itself(walk)
    press(walk.page, "1 1 1 1 2 Enter")
    press(walk.page, "1 2 /")
    walk.page.keyboard.type("기중기 검사")
    walk.look(walk.page.get_by_role("listbox"))
    walk.page.keyboard.press("Escape")
    press(walk.page, "2")
    walk.look(walk.page.get_by_test_id("dialog-edit"))


def of_research(walk: Walk) -> None:
    the_task_itself(walk)
    walk.page.get_by_test_id("query").fill("관계인")
    walk.page.get_by_test_id("query").press("Enter")
    walk.look(walk.page.get_by_test_id("results"))
    walk.page.get_by_test_id("hit").first.click()
    walk.look(walk.page.get_by_test_id("authority"))


# The screens of the sample in this order, by whom each is opened as, with what it has of its own.
TASKS: dict[int, dict[str, Steps | None]] = {
    1: {
        "citation_mapping": of_mapping,
        "ocr_correction": of_ocr,
        "mcq_solvability": of_mcq,
        "answer_rating": None,
        "factor_tagging": of_tagging,
    },
    2: {"ocr_verification": of_verification},
    4: {"judge_review": of_review},
}
OTHERS: dict[str, Steps] = {
    "curation": of_curation,
    "research": of_research,
    "attribution_review": the_task_itself,
}


class Visitor:
    """Somebody who goes through tasks, and looks at each once, or at everything of each."""

    def __init__(self, browser: Browser, language: str, theme: Any, everything: bool) -> None:
        self.page = browser.new_page(color_scheme=theme)
        self.language, self.everything = language, everything
        self.turn = 0
        self.faults: list[str] = []

    def come_in(self, address: str, project: str, person: int) -> Page:
        """Open the start page as a person of the project."""
        self.who = f"project={project}&person={person}&lang={self.language}"
        self.page.goto(f"{address}/start?{self.who}")
        return self.page

    def look_at(self, task: str, steps: Steps | None, narrow: bool) -> None:
        """Open a task, and look at it in a wide window and narrow ones, and at what opens on it."""
        page, walk = self.page, Walk(self.page)
        size(page, (1440, HEIGHT))
        lead_to(page, f"/{task}?{self.who}")
        page.get_by_test_id("submit").wait_for(timeout=SLOW)
        at_rest(page)
        if narrow:
            widths = islice(cycle(WIDTHS), self.turn, self.turn + AT_ONCE)
            resized(page, task, WIDTHS if self.everything else [*widths])
            turn = NARROW[self.turn % len(NARROW)]
            require_usable_where_narrow(page, task, NARROW if self.everything else [turn])
        page.get_by_test_id("open-guideline").focus()
        keys = [*DIALOGS, *BESIDE]
        for key in keys if self.everything else [keys[self.turn % len(keys)]]:
            if key in DIALOGS:
                walk.dialog(key, DIALOGS[key])
            else:
                walk.pane(key, BESIDE[key])
        if steps:
            steps(walk)
        self.faults += [f"{task} {each}" for each in walk.faults]
        self.turn += 1


@in_every_variant
def test_tasks_of_the_sample(
    browser: Browser, address: str, workspace: Path, language: str, theme: Any, everything: bool
) -> None:
    visitor = Visitor(browser, language, theme, everything)
    page = visitor.come_in(address, "sample", 1)
    the_next_item_on_a_phone_begins_at_its_top(page, visitor.who)
    every_text_is_whole_or_says_that_it_is_not(page, workspace, 1 if everything else 8)
    a_text_that_was_opened_stays_open_and_folds_again_by_keys_alone(page)
    a_text_is_measured_again_when_its_letters_change(page)
    for person, tasks in TASKS.items():
        if person != 1:
            visitor.come_in(address, "sample", person)
        for task, steps in tasks.items():
            visitor.look_at(task, steps, narrow=person == 1)
    assert visitor.faults == []


@in_every_variant
def test_other_tasks(
    browser: Browser, tmp_path: Path, language: str, theme: Any, everything: bool
) -> None:
    visitor = Visitor(browser, language, theme, everything)
    for task, (slug, build) in HOUSES.items():
        build(tmp_path / task)
        with running_app(tmp_path / task) as address:
            visitor.come_in(address, slug, 1)
            visitor.look_at(task, OTHERS[task], narrow=True)
    assert visitor.faults == []


def the_next_item_on_a_phone_begins_at_its_top(page: Page, who: str) -> None:
    size(page, NARROW[0])
    lead_to(page, f"/citation_mapping?{who}")
    third = page.get_by_test_id("candidate").nth(2)
    third.get_by_test_id("accept").click(timeout=SLOW)  # to which the page has to be scrolled
    at_rest(page)
    page.get_by_test_id("submit").click()
    page.get_by_test_id("overlooked-submit").click(timeout=SLOW)
    expect(page.get_by_test_id("item-id")).to_have_text("en-02", timeout=SLOW)
    expect(page.get_by_test_id("message")).to_contain_text("en-01")
    expect(page.get_by_test_id("message")).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": HEIGHT})


def open_by_queue(page: Page, identity: str) -> None:
    entry = page.get_by_test_id("queue-entry").filter(has_text=identity)
    for patience in (SLOW / 4, SLOW):
        page.keyboard.press("g")
        try:
            entry.first.click(timeout=patience)
            break
        except Late:  # the item was drawn anew beneath the queue, which closed it
            page.keyboard.press("Escape")
    on_item(page, identity)


# Press every button for more; return what then stands in each candidate's text by its unit.
OPENED = """(viewer) => {
  const more = viewer.querySelectorAll(".fold-more[aria-expanded=false]:not([hidden])");
  more.forEach((each) => each.click());
  const of = (card) => card.querySelector("[data-testid=unit-text]")?.textContent ?? "";
  const cards = viewer.querySelectorAll("[data-testid=candidate]");
  return Object.fromEntries([...cards].map((card) => [card.dataset.unit, of(card)]));
}"""


def every_text_is_whole_or_says_that_it_is_not(page: Page, workspace: Path, step: int) -> None:
    with sqlite3.connect(workspace / "touchstone.db") as database:
        texts = {str(each): text for each, text in database.execute("SELECT id, text FROM unit")}
        names = [name for (name,) in database.execute("SELECT external_id FROM question")]
    measured = 0
    by_turns = cycle(WIDTHS)
    for name in (chosen := sorted(names)[::step]):
        open_by_queue(page, name)
        measured += require_whole_or_signed(page, f"{name} as it opens")
        measured += resized(page, name, [*islice(by_turns, AT_ONCE)])
        page.keyboard.press("t")
        expect(page.get_by_test_id("thread")).to_be_visible()
        require_whole_or_signed(page, f"{name} beside the thread")
        page.keyboard.press("Escape")
        page.keyboard.press("t")
        expect(page.get_by_test_id("thread")).to_be_hidden()
        for unit, shown in page.get_by_test_id("mapping-viewer").evaluate(OPENED).items():
            assert "".join(shown.split()) == "".join(texts[unit].split()), (name, unit)
        assert page.locator(".fold-below, .fold-above").count() == 0
        require_whole_or_signed(page, f"{name} opened")
    assert measured > len(chosen) * (AT_ONCE + 2) * 3


def a_text_that_was_opened_stays_open_and_folds_again_by_keys_alone(page: Page) -> None:
    open_by_queue(page, "en-03")
    card = page.get_by_test_id("candidate").filter(has=page.locator(".fold-below")).first
    unit = card.get_attribute("data-unit")
    card = page.locator(f"[data-testid=candidate][data-unit='{unit}']")
    more, text = card.get_by_test_id("expand"), card.get_by_test_id("unit-text")
    low = box_of(text)
    more.focus()
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("u")  # the keys of the screen go on working from the button
    expect(card).to_have_attribute("data-decision", "unsure")
    page.set_viewport_size({"width": 900, "height": HEIGHT})
    expect(more).to_have_attribute("aria-expanded", "true")
    require_whole_or_signed(page, "narrower, opened")
    more.press(" ")
    expect(more).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 1440, "height": HEIGHT})
    require_whole_or_signed(page, "wide again, folded")
    assert low["height"] == box_of(text)["height"]


def a_text_is_measured_again_when_its_letters_change(page: Page) -> None:
    for letters in ("11px", "19px", "14px"):
        page.get_by_test_id("unit-text").evaluate_all(
            "(all, size) => all.forEach((each) => { each.style.fontSize = size; })", letters
        )
        require_whole_or_signed(page, f"letters of {letters}")
