"""A researcher runs the cascade, reads a rejected question, restores it, and runs it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from services.cascade.report import list_questions
from storage.cascade.results import State
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, fill_in, open_part, require_sound, tick, visit
from tests.e2e.ready import running_app
from tests.llm.server import Step
from tests.projects.cascade_project import (
    CHINESE,
    GOOD,
    HOSTILE,
    LISTING,
    SLUG,
    add_questions,
    judging,
    project,
    set_layers,
    verdict,
    without,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
LATE = "The question is about one project of three partners."


def test_from_a_run_to_a_restored_question(page: Page, tmp_path: Path) -> None:
    ws, lead = project(tmp_path / "workspace", FakeClock())
    set_layers(ws, without("closure"))
    add_questions(ws, *(GOOD.format(n=n) for n in range(1, 9)), LISTING, CHINESE)
    add_questions(ws, GOOD.format(n=20), GOOD.format(n=30), level="L2")
    with judging(ws, "price_in = 1.0\nprice_out = 2.0") as server:
        server.on("3만 원", Step(text=verdict("concrete_context", reason=f"No facts. {HOSTILE}")))
        server.on("5만 원", Step("refuse", text="no"))
        ws.engine.dispose()
        with running_app(ws.folder) as address:
            visit(page, address, "cascade", SLUG, lead)
            _run(page, "Calls to the judge (m): 11")
            open_part(page, "Report")
            expect(page.get_by_text("Passed per layer")).to_have_count(1, timeout=SLOW)
            _restore(page)
            _run(page, "2 to go through")
            open_part(page, "Layers")
            expect(page.get_by_text("Version 2 is in use.")).to_be_visible(timeout=SLOW)
        asked = server.asked
    found = list_questions(Workspace(ws.folder), SLUG)
    assert found[8].state is State.RESTORED and "gate" in found[8].overruled
    assert asked == 12  # eleven, and the one that was restored; a refusal is asked once
    require_sound(Workspace(ws.folder))


def _run(page: Page, words: str) -> None:
    open_part(page, "Run")
    expect(page.get_by_text(words)).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Run the layers", exact=False).click(timeout=SLOW)
    expect(page.get_by_text("passed,")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Close").click()
    at_rest(page)


def _restore(page: Page) -> None:
    open_part(page, "Questions")
    page.get_by_role("radio", name="Rejected", exact=False).click(timeout=SLOW)
    table = page.get_by_test_id("stDataFrame").first
    tick(table, 1, page.get_by_text(HOSTILE, exact=False).first)
    tick(table, 2, page.get_by_text("Lists three or more kinds of institution"))
    at_rest(page)
    fill_in(page.get_by_role("textbox", name="Why (required)"), LATE)
    page.get_by_role("button", name="Restore", exact=True).click(timeout=SLOW)
    expect(page.get_by_text("aug-0009 is restored: Waiting.")).to_be_visible(timeout=SLOW)
    at_rest(page)
