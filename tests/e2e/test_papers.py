"""A lead runs a paper, stops it, runs it on, and sees its tables; an annotator sees none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from services.papers.recipes import recipe
from services.papers.running import run_paper
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, choose, come_in
from tests.e2e.ready import running_app

pytestmark = pytest.mark.e2e
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PAPER = recipe("searchfiresafety")
LEFT = {"graph", "statistics"}  # commands of the paper that take seconds


def test_a_paper_is_run_stopped_and_run_on(browser: Browser, lived_in: Path) -> None:
    ws = Workspace(lived_in)
    failed = {"error": "x", "what": "It failed."}  # what failed is run again
    run_paper(ws, "sample", PAPER, lambda words: failed if words[0] in LEFT else {})
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        page = browser.new_page(viewport=WIDE)
        come_in(page, address, "Han Bora", "papers")
        choose(page.get_by_label("Paper", exact=True), PAPER.title)
        expect(page.get_by_text(re.compile(r"^0 of \d+ cells of"))).to_be_visible(timeout=SLOW)
        page.get_by_role("button", name="Run what is missing").click()
        page.get_by_role("button", name="Stop").click(timeout=SLOW)
        page.get_by_role("button", name="Run what is missing").click(timeout=SLOW)
        expect(page.get_by_text("The paper was run")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text(re.compile(r"^[1-9]\d* of \d+ cells of"))).to_be_visible(
            timeout=SLOW
        )
        page.get_by_text("What it needs and what is missing").click()
        expect(page.get_by_text(re.compile(r"steps? can run here"))).to_be_visible(timeout=SLOW)
        other = browser.new_page(viewport=PHONE)
        come_in(other, address, "Kim Ara", "papers")
        expect(other.get_by_text(re.compile(r"\d+ of \d+ cells"))).to_have_count(0)
