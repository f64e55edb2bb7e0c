"""Answers to a form are taken over to a new codebook: one stays, one comes back and is given."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.work.commands import submit
from storage.tasks import Task
from tests.e2e.people import SLOW, at_rest, come_in, fill_in, go_to, on_item, picture, press
from tests.e2e.ready import running_app
from tests.projects.tagging_project import SLUG, TaggingHouse, answer, build, value

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
TASK = str(Task.FACTOR_TAGGING)
WHY = "settlements in writing only"


def test_what_was_reworded_comes_back_to_its_person(browser: Browser, tmp_path: Path) -> None:
    house = build(tmp_path / "tagging", number=3, overlap=2)
    answered(house)
    with running_app(house.ws.folder) as address:
        lead = browser.new_page(viewport={"width": 1440, "height": 1000})
        come_in(lead, address, "Dora")
        compared(lead)
        take_over(lead)
        ann = browser.new_page(viewport={"width": 1440, "height": 1000})
        come_in(ann, address, "Ann · annotator")
        answer_again(ann, address, house)


def answered(house: TaggingHouse) -> None:
    """Let two people answer two cases, then reword a sub-factor that one case answers."""
    for item, settled in zip(house.items[:2], ("yes", None), strict=True):
        for person in (house.ann, house.ben):
            said = [("deceived", value("no")), ("insanity", value("not_mentioned"))]
            more = [("settled", value(settled))] if settled else []
            answer(house, person, item, [*said, *more])
            submit(house.ws, person, item)
    text = read_document(house.ws, SLUG, "codebook", TASK, "mul").text
    text = text.replace("About Settled with the victim.", "A settlement in writing.")
    new_version(house.ws, SLUG, "codebook", TASK, {"mul": text}, WHY, 2)
    house.ws.engine.dispose()


def compared(page: Page) -> None:
    """The agreement of the task, field by field."""
    go_to(page, "Agreement")
    choose(page, "agreement-task", "Factor tagging")
    expect(page.get_by_text("Per field of the form")).to_be_visible(timeout=SLOW)
    picture(page, "agreement-form")


def choose(page: Page, key: str, name: str) -> None:
    """Choose from a box."""
    page.locator(f".st-key-{key}").get_by_role("combobox").click()
    page.get_by_role("option", name=name, exact=True).click()
    at_rest(page)


def take_over(page: Page) -> None:
    """Look at what taking over would do, and do it."""
    go_to(page, "Guidelines")
    choose(page, "guidelines-task", "Factor tagging")
    page.get_by_text("Codebook", exact=True).first.click()
    at_rest(page)
    expect(page.get_by_text("Answers to give again")).to_be_visible(timeout=SLOW)
    fill_in(page.get_by_label("Reason"), WHY)
    picture(page, "guidelines-migrate-form")
    page.get_by_role("button", name="Take over 4 submissions").click()
    expect(page.get_by_text("2 of them have to be answered again")).to_be_visible(timeout=SLOW)


def answer_again(page: Page, address: str, house: TaggingHouse) -> None:
    """The case says why it is back, keeps all else, and is submitted."""
    page.goto(f"{address}/factor_tagging?project={SLUG}&person={house.ann}&item={house.items[0]}")
    on_item(page, "case-001")
    expect(page.get_by_test_id("again")).to_contain_text(WHY, timeout=SLOW)
    picture(page, "factor-tagging-again")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("item-id")).not_to_have_text("case-001", timeout=SLOW)
