"""A researcher runs a method that the operator wrote, and reads why another cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.people.members import add_person
from retrieval.core.own import FOLDER
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest
from tests.e2e.ready import app_alone
from tests.e2e.test_levels import gold_on_a_form
from tests.projects.small_law import SLUG, small_workspace
from tests.retrieval.core.test_own import TEMPLATE

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_a_method_of_the_operators_own_is_run_on_the_leaderboard(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    ws = small_workspace(tmp_path / "workspace", clock)
    lead = gold_on_a_form(ws)
    assert add_person(ws, SLUG, "Max", "researcher").id != lead
    ws.engine.dispose()
    (ws.folder / FOLDER).mkdir()
    (ws.folder / FOLDER / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    (ws.folder / FOLDER / "lost.py").write_text("import nothing_there\n", "utf-8")
    with app_alone(ws.folder) as address:
        page.goto(f"{address}/leaderboard?project={SLUG}&person={lead}&lang=en")
        expect(page.get_by_test_id("stExpander").first).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_text("1 method of your own cannot be used").click()
        expect(page.get_by_text("It cannot be imported: ModuleNotFoundError")).to_be_visible()
        shot(page, "own-broken")
        page.locator(".st-key-run-preset").get_by_role("combobox").click()
        page.keyboard.type("word_overlap")
        page.get_by_role("option", name="word_overlap (a method of your own)").click()
        weight = page.get_by_role("spinbutton", name="heading_weight")
        expect(weight).to_have_value("2.00", timeout=SLOW)
        at_rest(page)
        page.get_by_test_id("stButton").get_by_role("button", name="Run", exact=True).click()
        expect(page.get_by_text("Run 1 is stored and scored.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        shot(page, "own-run")


def shot(page: Page, name: str) -> None:
    """Take a picture where somebody wants to look."""
    if folder := os.environ.get("TOUCHSTONE_LOOK"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
