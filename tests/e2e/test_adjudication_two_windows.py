"""An adjudicator enters quickly while a second window works, and nothing entered is lost.

``TOUCHSTONE_FORM_REPEATS=200`` asks for more than the usual run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.adjudication.tasks import disputes_of
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest
from tests.e2e.ready import command_line, running_app
from tests.projects import mcq_project
from tests.projects.mcq_project import SLUG, McqHouse
from tests.support.examples import repeats

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
REPEATS = repeats(4)
SAID = (
    ("drop", "Something else"),
    ("fix", "Badly worded"),
)  # what the first side takes, and the second
FIX = {"query": "난간은 몇 미터까지인가?", "options": ["1", "2", "3", "4"], "answer": 2}


def differing(folder: Path, number: int) -> McqHouse:
    """Return questions that Ann drops and Ben corrects."""
    house = mcq_project.build(folder, FakeClock(), number=number)
    for item in house.items:
        mcq_project.submitted(house, house.ann, item, "drop", cause="other", reason="No.")
        mcq_project.submitted(house, house.ben, item, "fix", cause="unclear", fix=FIX)
    return house


def seat(browser: Browser, address: str, house: McqHouse, item: int) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    link = f"?project={SLUG}&person={house.judge}&task=mcq_solvability&item={house.items[item]}"
    page.goto(f"{address}/adjudication{link}")
    name = re.compile(f"mcq-00{item + 1}")
    expect(page.get_by_role("heading", name=name)).to_be_visible(timeout=SLOW)
    at_rest(page)
    return page


def entered(page: Page) -> tuple[str, ...]:
    """Return what the page shows as chosen, and the reason."""
    chosen = page.locator(
        '[class*="st-key-part-"] [data-testid="stButtonGroup"] [aria-checked=true]'
    )
    reason = page.get_by_role("textbox", name="Reason").input_value()
    return *(each.split("\n")[-1] for each in chosen.all_inner_texts()), reason


def test_what_is_entered_stands_while_another_window_works(
    browser: Browser, tmp_path: Path
) -> None:
    house = differing(tmp_path / "mcq", 2)
    with running_app(house.ws.folder) as address:
        page, other = seat(browser, address, house, 0), seat(browser, address, house, 1)
        for turn in range(REPEATS):
            words = f"As article {turn} says."
            other.keyboard.press(str(1 + turn % 2))  # and nobody waits for it
            for key in ("1", "2") if turn % 2 else ("2", "1"):  # the last one stands
                page.keyboard.press(key)
            page.keyboard.press("w")  # while what was taken is still to be drawn
            page.keyboard.press("Control+a")
            page.keyboard.type(words)
            page.keyboard.press("Escape")
            other.keyboard.press(str(2 - turn % 2))
            at_rest(page)
            assert entered(page) == (*SAID[turn % 2], words), f"turn {turn}"
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("mcq-001 is decided.")).to_be_visible(timeout=SLOW)
        a_decision_made_meanwhile_costs_nothing_that_was_written(page, other)
    first, second = disputes_of(Task.MCQ_SOLVABILITY).queue(house.ws, house.judge)
    assert first.decision is not None and second.decision is not None
    assert first.decision.reason == words
    assert first.decision.answers["verdict"] == ("fix" if turn % 2 else "drop")
    assert second.decision.reason == "Ben put it right."
    done = command_line(house.ws.folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def a_decision_made_meanwhile_costs_nothing_that_was_written(page: Page, other: Page) -> None:
    expect(page.get_by_role("heading", name=re.compile("mcq-002"))).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.keyboard.press("2")
    page.get_by_role("textbox", name="Reason").fill("Ben put it right.")
    page.get_by_role("textbox", name="Reason").press("Tab")
    at_rest(page)
    other.keyboard.press("1")
    other.get_by_role("textbox", name="Reason").fill("Ann is right.")
    other.keyboard.press("Control+Enter")
    expect(other.get_by_text("mcq-002 is decided.")).to_be_visible(timeout=SLOW)
    page.keyboard.press("Control+Enter")
    told = page.get_by_text("Cho has decided this case since you opened it")
    expect(told).to_be_in_viewport(timeout=SLOW)
    at_rest(page)
    assert entered(page) == (*SAID[1], "Ben put it right.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("mcq-002 is decided.")).to_be_visible(timeout=SLOW)
    expect(told).to_have_count(0)
