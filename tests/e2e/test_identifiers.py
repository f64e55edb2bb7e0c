"""A researcher looks at the words by which a model that writes found what it found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from services.runs.retrieving import retrieve
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, picture
from tests.e2e.ready import running_app
from tests.e2e.test_levels import gold_on_a_form
from tests.e2e.test_story import tick_first_row
from tests.projects.small_law import SLUG, small_workspace
from tests.retrieval.generative import tiny

TRIES = 4
# `tests/pages/runs/test_run_table.py` shows the same page in `make test`.
pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.timeout(600)]


def test_what_was_written_is_shown_where_it_stands(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    ws = small_workspace(tmp_path / "workspace", clock)
    lead = gold_on_a_form(ws)
    model = tiny.seq2seq(tmp_path / "tiny")
    spec = {"method": "legalsearchlm", "model": str(model), "weighting": "likelihood"}
    retrieve(ws, SLUG, spec)
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        page.goto(f"{address}/leaderboard?project={SLUG}&person={lead}&lang=en")
        page.get_by_text(re.compile("^Questions of run")).click(timeout=SLOW)
        _open_first_question(page, "Identifiers found")
        page.get_by_text("Identifiers found", exact=True).click()
        first = page.locator(".plain-text .match").first
        expect(first).to_be_visible(timeout=SLOW)
        at_rest(page)
        first.scroll_into_view_if_needed()
        picture(page, "identifiers-en")


def _open_first_question(page: Page, words: str) -> None:
    """Tick the first question, and again where the tick missed a table that was still moving."""
    for _ in range(TRIES):
        tick_first_row(page)
        try:
            expect(page.get_by_text(words, exact=True)).to_be_visible(timeout=SLOW / TRIES)
        except AssertionError:
            continue
        return
    raise AssertionError("no question opened")
