"""Court cases come in from somebody's own file, and are found and read in their sections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.corpus.cases.texts import ENGLISH
from tests.e2e.people import SLOW, at_rest, come_in, fill_in, picture

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
HOSTILE = "<img src=x onerror=\"document.title='planted'\">"


def test_a_file_is_mapped_brought_in_and_read(page: Page, address: str, tmp_path: Path) -> None:
    come_in(page, address, "Choi Yuna", "court_cases")
    expect(page.get_by_text("12 of 12 court cases")).to_be_visible(timeout=SLOW)
    picture(page, "court-cases")
    bring_in(page, own_file(tmp_path))
    search(page, "repayment")
    expect(page.get_by_text("1 of 13 court cases")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(HOSTILE)).to_be_visible(timeout=SLOW)
    assert page.title() != "planted"
    at_rest(page)
    page.get_by_test_id("stButtonGroup").get_by_text("Claims", exact=True).click()
    expect(page.get_by_text(HOSTILE)).to_have_count(0, timeout=SLOW)
    expect(page.locator(".plain-text .match")).to_have_text("repayment")


def own_file(folder: Path) -> Path:
    row = {"no": "own-1", "ruling": ENGLISH.replace("No earlier conviction.", HOSTILE)}
    file = folder / "own.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    return file


def bring_in(page: Page, file: Path) -> None:
    """Name the file, say which columns are id and text, and keep what the preview shows."""
    at_rest(page)
    page.get_by_text("Import", exact=True).click()
    fill_in(page.get_by_label("Path"), str(file))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text('No column is mapped to "id"')).to_be_visible(timeout=SLOW)
    choose(page, "Id", "no")
    expect(page.get_by_text("No column is mapped to the full text")).to_be_visible(timeout=SLOW)
    choose(page, "Full text", "ruling")
    expect(page.get_by_text("1 judgment (en 1)")).to_be_visible(timeout=SLOW)
    at_rest(page)
    picture(page, "court-cases-bring")
    page.get_by_role("button", name="Import all of the file").click()
    expect(page.get_by_text("1 new court case, 0 already here.")).to_be_visible(timeout=SLOW)


def choose(page: Page, field: str, column: str) -> None:
    at_rest(page)
    box = page.get_by_role("combobox", name=field, exact=True)
    box.evaluate("node => node.scrollIntoView({ block: 'center' })")  # scrolling shuts a list
    at_rest(page)
    box.click()
    page.get_by_role("option", name=column, exact=True).click()


def search(page: Page, words: str) -> None:
    at_rest(page)
    page.get_by_test_id("stButtonGroup").get_by_text("Cases", exact=True).click()
    at_rest(page)
    field = page.get_by_role("textbox", name="Search")
    field.fill(words)
    field.press("Enter")
