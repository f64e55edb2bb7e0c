"""A lead finds a question in the codebook of factors, mends an option of it and saves a version."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.people.members import add_person
from services.tagging.codebook import find_codebook
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.e2e.people import SLOW, at_rest, fill_in, picture
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SLUG = "bench"


def test_an_option_is_found_mended_and_saved(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    ws = Workspace(folder)
    migrate(ws)
    create_project(ws, SLUG, "Bench")
    lead = add_person(ws, SLUG, "Han Lead", "researcher")
    with running_app(folder) as address:
        page.goto(f"{address}/factor_codebook?project={SLUG}&person={lead.id}&lang=en")
        find(page)
        mend(page)
    book = find_codebook(ws, SLUG).book
    named = {e.key: e for factor in book.factors for e in factor.sub_factors}["two_way_assault"]
    assert [option.label["en"] for option in named.options] == ["Mutual", "One side"]
    assert len(book.order) == 102


def find(page: Page) -> None:
    """Search for a word of an option, and look at the question that has it."""
    at_rest(page)
    words = page.get_by_role("textbox", name="Search")
    words.fill("both sides")
    words.press("Enter")
    expect(page.get_by_text("1 of 102 sub-factors")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("heading", name="Two-way assault")).to_be_visible(timeout=SLOW)
    picture(page, "factor-codebook")


def mend(page: Page) -> None:
    """Type another label into the table of options; what it changes is told before it is saved."""
    at_rest(page)
    page.get_by_text("Edit", exact=True).click()
    expect(page.get_by_text("You are editing version 1")).to_be_visible(timeout=SLOW)
    at_rest(page)
    grid = page.get_by_test_id("stDataFrame")
    expect(grid).to_have_count(1, timeout=SLOW)
    opened(page, grid).fill("Mutual")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Changes from version 1: 1")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Two-way assault, Mutual: reworded (label.en)")).to_be_visible()
    at_rest(page)
    fill_in(page.get_by_label("Why it was changed"), "the word lawyers use")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 2 is now in use")).to_be_visible(timeout=SLOW)
    at_rest(page)
    picture(page, "factor-codebook-edit")


def opened(page: Page, grid: Locator) -> Locator:
    """Open the first label of the table; its cells are painted, so a click may come before them."""
    cell = page.get_by_role("textbox").and_(page.locator(".gdg-input"))
    for _ in range(5):
        grid.click(position={"x": 190, "y": 52})
        page.keyboard.press("Enter")
        with suppress(AssertionError):
            expect(cell).to_be_focused(timeout=SLOW // 5)
            return cell
    raise AssertionError("the cell does not open")
