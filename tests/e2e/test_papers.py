"""A lead runs a paper, stops it, runs it on, and sees its tables; an annotator sees none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from services.sample.loading import load_worked_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, come_in
from tests.e2e.ready import running_app

pytestmark = pytest.mark.e2e
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


def test_a_paper_is_run_stopped_and_run_on(browser: Browser, tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "workspace")
    migrate(ws)
    assert load_worked_sample(ws)
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        page = browser.new_page(viewport=WIDE)
        come_in(page, address, "Han Bora", "papers")
        expect(page.get_by_text(re.compile(r"^0 of \d+ cells of"))).to_be_visible(timeout=SLOW)
        page.get_by_label("Paper", exact=True).click()
        page.get_by_role("option", name=re.compile("^RegOps")).click()
        at_rest(page)
        page.get_by_role("button", name="Run what is missing").click()
        page.get_by_role("button", name="Stop").click(timeout=SLOW)
        page.get_by_role("button", name="Run what is missing").click(timeout=SLOW)
        expect(page.get_by_text("The paper was run")).to_be_visible(timeout=4 * SLOW)
        expect(page.get_by_text(re.compile(r"^[1-9]\d* of \d+ cells of"))).to_be_visible(
            timeout=SLOW
        )
        page.get_by_text("What it needs and what is missing").click()
        expect(page.get_by_text(re.compile(r"steps? can run here"))).to_be_visible(timeout=SLOW)
        other = browser.new_page(viewport=PHONE)
        come_in(other, address, "Kim Ara", "papers")
        expect(other.get_by_text(re.compile(r"\d+ of \d+ cells"))).to_have_count(0)
