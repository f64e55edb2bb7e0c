"""A researcher has questions written and solved in the app, stops, goes on, and reads figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.people.members import add_person
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, open_part, visit
from tests.e2e.ready import running_app
from tests.llm.server import Server, scripted
from tests.llm.serving import point_at
from tests.services.mcq.mcq_project import SLUG, days, knows, make, written

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
PAIRS = 8


def writes_and_solves(said: str) -> str:
    """Write a question on the pair that is shown; solve one that is asked."""
    if "객관식 문항 하나를" not in said:
        return knows(said)
    number = next(n for n in range(1, PAIRS + 1) if f"{days(n)}일을 말한다" in said)
    return written(number)


@pytest.fixture
def server() -> Iterator[Server]:
    with scripted(delay=0.3) as running:
        running.says = writes_and_solves
        yield running


def test_from_provisions_to_figures(page: Page, tmp_path: Path, server: Server) -> None:
    ws = Workspace(tmp_path / "workspace")
    make(ws, PAIRS)
    lead = add_person(ws, SLUG, "Han Bora", "researcher")
    point_at(ws, server, "concurrency = 2")
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        visit(page, address, "mcq_report", SLUG, lead.id)
        expect(page.get_by_text("There are no questions yet")).to_be_visible(timeout=SLOW)
        open_part(page, "Make and solve")
        _write(page)
        _solve(page, server)
        open_part(page, "Report")
        expect(page.get_by_text("Model safety").first).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Waiting for people").first).to_be_visible(timeout=SLOW)
        open_part(page, "Questions")
        expect(page.get_by_text("Select a question").first).to_be_visible(timeout=SLOW)
    assert set(server.counts.values()) == {1}  # nothing was asked twice
    assert len(server.counts) == PAIRS + 4 * PAIRS


def _write(page: Page) -> None:
    page.get_by_role("button", name="Count pairs").click(timeout=SLOW)
    expect(page.get_by_text(f"{PAIRS} linked pairs meet the conditions.")).to_be_visible(
        timeout=SLOW
    )
    at_rest(page)
    page.get_by_role("button", name="Write", exact=False).last.click()
    expect(page.get_by_text(f"{PAIRS} questions kept")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Count pairs")).to_be_visible(timeout=SLOW)
    at_rest(page)


def _solve(page: Page, server: Server) -> None:
    """Start, stop while it is under way, and go on until it is done."""
    start = page.get_by_role("button", name="Solve", exact=False).last
    start.click(timeout=SLOW)
    page.get_by_role("button", name="Stop").click(timeout=SLOW)
    stopped = page.get_by_text("Stopped before it was done")
    expect(stopped).to_be_visible(timeout=SLOW)
    at_rest(page)
    assert server.asked < 5 * PAIRS
    page.get_by_role("button", name="Close").click()
    expect(stopped).to_be_hidden(timeout=SLOW)  # the page is drawn anew: a press before is lost
    at_rest(page)
    start.click(timeout=SLOW)
    expect(page.get_by_text(f"{4 * PAIRS} of {4 * PAIRS} calls made: ")).to_be_visible(timeout=SLOW)
