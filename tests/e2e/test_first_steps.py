"""Somebody who leads alone takes a new project from nothing to its first batch by the guide."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.people.members import add_person
from messages import say
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.conftest import ROOT
from tests.e2e.people import SLOW, at_rest, fill_in, go_to, picture, visit
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_from_nothing_to_the_first_batch(browser: Browser, tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "new")
    migrate(ws)
    create_project(ws, "fire", "Fire safety")
    lead = add_person(ws, "fire", "Kim Jin", "administrator").id
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        visit(page, address, "overview", "fire", lead)
        places = page.get_by_test_id("stSidebar").get_by_test_id("stPageLink")
        assert places.count() <= 10
        imports_law(page)
        imports_questions(page)
        proposes_candidates(page)
        adds_two_people(page)
        hands_out_a_batch(page)


def overview(page: Page) -> None:
    go_to(page, say("app.pages.overview"))
    expect(page.get_by_role("heading", name=say("overview.title"), exact=True)).to_be_visible()
    at_rest(page)


def next_step(page: Page, words: str) -> None:
    """Press the one primary button of the guide, and wait for the place that it leads to."""
    overview(page)
    button = page.locator(".st-key-next-step").get_by_role("button")
    expect(button).to_contain_text(words)
    button.click()
    at_rest(page)


def imports_law(page: Page) -> None:
    next_step(page, say("overview.next.law"))
    fill_in(page.locator(".st-key-data-statutes-path input"), str(ROOT / "sample" / "statutes"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The first units")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Import statutes").click()
    expect(page.get_by_text(re.compile("Imported .* statutes"))).to_be_visible(timeout=2 * SLOW)


def imports_questions(page: Page) -> None:
    next_step(page, say("overview.next.questions"))
    questions = ROOT / "sample" / "questions.jsonl"
    fill_in(page.locator(".st-key-data-questions-path input"), str(questions))
    page.get_by_role("button", name="Import questions").click()
    expect(page.get_by_text("new questions").first).to_be_visible(timeout=SLOW)


def proposes_candidates(page: Page) -> None:
    next_step(page, say("overview.next.candidates", count="24"))
    assert "form=candidates" in page.url
    page.get_by_role("button", name=say("data.candidates.run")).click()
    done = page.get_by_text("24 questions", exact=False)
    expect(done.first).to_be_visible(timeout=SLOW)


def adds_two_people(page: Page) -> None:
    next_step(page, say("overview.next.people", count="48"))
    add(page, "Ara")
    next_step(page, say("overview.next.annotators", count="1"))
    add(page, "Ben")


def add(page: Page, name: str) -> None:
    fill_in(page.get_by_label(say("people.name"), exact=True).last, name)
    page.get_by_role("button", name=say("people.add_send"), exact=True).click()
    expect(page.get_by_text(say("people.saved"))).to_be_visible(timeout=SLOW)


def hands_out_a_batch(page: Page) -> None:
    overview(page)
    expect(
        page.get_by_text(say("overview.guide.has.people", count="2", wanted="2"))
    ).to_be_visible()
    next_step(page, say("overview.next.first_batch", count="24"))
    picture(page, "assignment-form")
    fill_in(page.locator(".st-key-assign-name input"), "First batch")
    page.get_by_role("button", name="Make the batch").click()
    expect(page.get_by_text('The batch "First batch" has been made.')).to_be_visible(timeout=SLOW)
    overview(page)
    expect(page.get_by_text(say("overview.guide.title"))).to_have_count(0)
