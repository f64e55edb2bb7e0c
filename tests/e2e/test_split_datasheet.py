"""A lead splits the gold, fills in the datasheet, and exports both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from services.bundle import exports_folder
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, come_in, fill_in, picture
from tests.e2e.ready import running_app
from tests.projects.split_project import SLUG, harbour

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
FUNDING = "Grant <b>12</b> of *somebody*"


def test_gold_is_split_described_and_exported(page: Page, tmp_path: Path) -> None:
    ws = harbour(tmp_path / "workspace", FakeClock())
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        come_in(page, address, "Rae", "gold")
        splits(page)
        fills_in(page)
        exports(page, ws)
        fits_a_phone(page)


def splits(page: Page) -> None:
    """Divide by statute into two halves, and look at what they share."""
    page.get_by_text("Train, dev and test").first.click()
    for part, share in (("train", "50"), ("dev", "0"), ("test", "50")):
        box = page.get_by_label(f"Per cent in {part}")
        box.fill(share)
        box.press("Enter")
        at_rest(page)
    picture(page, "split-form")
    page.get_by_role("button", name="Split", exact=True).click()
    expect(page.get_by_text("Version 1: 6 questions placed")).to_be_visible(timeout=SLOW)
    at_rest(page)
    opened(page, "Train, dev and test")
    page.get_by_role("button", name="Check for leaks").click()
    expect(page.get_by_text("train and test: 0 pairs")).to_be_visible(timeout=SLOW)
    picture(page, "split-made")


def fills_in(page: Page) -> None:
    """Answer a field of the form; the others say that they are open."""
    page.get_by_text("19 of 19 fields are still open").first.click()
    fill_in(page.get_by_label("Funding"), FUNDING)
    at_rest(page)
    picture(page, "datasheet-form")
    page.get_by_role("button", name="Save version 2").click()
    expect(page.get_by_text("Saved version 2 of the datasheet")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("18 of 19 fields are still open").first).to_be_visible(timeout=SLOW)


def exports(page: Page, ws: Workspace) -> None:
    """Export, and find parts and answer in the files."""
    page.get_by_role("button", name="Export gold").click()
    expect(page.get_by_text("qrels/train.tsv")).to_be_attached(timeout=SLOW)
    folder = exports_folder(ws, SLUG)
    facts = json.loads((folder / "datasheet.json").read_text("utf-8"))
    assert facts["motivation"]["funding"] == FUNDING
    assert facts["composition"]["questions by part"] == {"train": 4, "test": 2}


def fits_a_phone(page: Page) -> None:
    """Nothing is wider than the window of a phone."""
    opened(page, "Train, dev and test")
    opened(page, "Datasheet ·")
    page.set_viewport_size({"width": 390, "height": 844})
    at_rest(page)
    picture(page, "split-phone")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def opened(page: Page, name: str) -> None:
    """Open a part unless it is."""
    part = page.locator("details").filter(has_text=name).first
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    at_rest(page)
