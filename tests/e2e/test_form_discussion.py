"""Tasks with a form: two people differ, are sent back, see each other's answers and agree."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.adjudication.tasks import refer, to_send
from annotation.mcq.state import Fate, mcq_states
from annotation.tagging.tags import tags
from storage.projects import find_project
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    fill_in,
    on_item,
    press,
    require_sound,
    saved,
    take_back,
)
from tests.e2e.ready import running_app
from tests.projects import mcq_project, tagged_project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ASKED = "Look at the second provision again: does it settle it?"


def seat(browser: Browser, address: str, slug: str, name: str, screen: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    come_in(page, f"{address}/?project={slug}", f"{name} ·", screen)
    return page


def send_back(page: Page) -> None:
    fill_in(page.get_by_role("textbox", name="Reason (required)"), ASKED)
    page.keyboard.press("Control+b")
    expect(page.get_by_text("was sent back to its annotators")).to_be_visible(timeout=SLOW)
    page.get_by_text("Sent back 1").click(timeout=SLOW)
    expect(page.get_by_text("Yet to answer: Ann, Ben")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Recall it")).to_be_visible()


def agreed(page: Page) -> None:
    page.reload()
    at_rest(page)
    page.get_by_text("Agreed since 1").click(timeout=SLOW)
    expect(page.get_by_text("counts by consensus")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(ASKED).first).to_be_visible()
    expect(page.get_by_text("Answers before discussion")).to_be_visible()


def test_a_question_is_talked_over(browser: Browser, tmp_path: Path) -> None:
    house = mcq_project.build(tmp_path / "mcq", number=2)
    mcq_project.submitted(house, house.ann, house.items[0])
    why = {"cause": "unclear", "reason": "B says nothing of it."}
    mcq_project.submitted(house, house.ben, house.items[0], "drop", **why)
    with running_app(house.ws.folder) as address:
        cho = seat(browser, address, mcq_project.SLUG, "Cho", "adjudication")
        send_back(cho)
        ann = seat(browser, address, mcq_project.SLUG, "Ann", "mcq_solvability")
        on_item(ann, "mcq-001")
        told = ann.get_by_test_id("discussion")
        expect(told).to_contain_text(ASKED)
        expect(told.get_by_test_id("voice")).to_contain_text("Ben")
        expect(told.locator(".differs").first).to_contain_text("drop")
        take_back(ann, "mcq-001")
        ann.get_by_test_id("verdict-drop").click()
        ann.get_by_test_id("cause-unclear").click()
        saved(ann)
        expect(told.locator(".differs")).to_have_count(0)
        press(ann, "Control+Enter")
        on_item(ann, "mcq-002")
        ben = seat(browser, address, mcq_project.SLUG, "Ben", "mcq_solvability")
        on_item(ben, "mcq-001")
        expect(ben.get_by_test_id("voice")).to_contain_text("after discussion")
        ben.set_viewport_size({"width": 1200, "height": 640})
        ben.reload()
        on_item(ben, "mcq-001")
        expect(ben.get_by_test_id("keep")).to_be_in_viewport()  # not scrolled away by the steps
        press(ben, "y")
        on_item(ben, "mcq-002")
        agreed(cho)
    with house.ws.reading() as session:
        states = mcq_states(session, find_project(session, mcq_project.SLUG).id)
    assert states[house.mcqs[0]].fate is Fate.DROPPED
    require_sound(house.ws)


def test_a_court_case_is_talked_over(browser: Browser, tmp_path: Path) -> None:
    house = tagged_project.build(tmp_path / "tags", number=2)
    tagged_project.tag(house, house.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(house, house.ben, 0, weapon="gun", comment="It says nothing of a blade.")
    shown = list(to_send(house.ws, house.judge, house.items[0]))
    refer(house.ws, house.judge, house.items[0], ASKED, shown)
    with running_app(house.ws.folder) as address:
        ann, ben = (
            seat(browser, address, tagged_project.SLUG, name, "factor_tagging")
            for name in ("Ann", "Ben")
        )
        on_item(ben, "case-1")
        told = ben.get_by_test_id("discussion")
        expect(told).to_contain_text(ASKED)
        row = told.locator("[data-field=weapon]")
        expect(row).to_contain_text("Knife")
        expect(row).to_contain_text("with a knife")
        take_back(ben, "case-1")
        row.get_by_role("button", name="Weapon").click()
        ben.get_by_test_id("option-knife").click()
        saved(ben)
        expect(told.locator("[data-field=weapon].differs")).to_have_count(0)
        told.locator("[data-field=blade]").get_by_role("button", name="Blade").click()
        ben.get_by_test_id("option-short").click()
        saved(ben)
        press(ben, "Control+Enter")
        on_item(ben, "case-2")
        on_item(ann, "case-1")
        ann.get_by_test_id("keep").click()
        on_item(ann, "case-2")
    with house.ws.reading() as session:
        found = tags(session, house.project_id)[house.cases[0]]
    assert (found.tags["weapon"].options, found.disputed) == (("knife",), frozenset())
    require_sound(house.ws)
