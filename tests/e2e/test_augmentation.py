"""A researcher picks cells on Augment, has a model write, and sees the matrix change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.people.members import add_person
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, open_part, tick, visit
from tests.e2e.ready import running_app
from tests.llm.server import Server, Step, scripted
from tests.llm.serving import point_at
from tests.projects.augmentation_project import SLUG, make, writes

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture
def server() -> Iterator[Server]:
    with scripted() as running:
        running.says = writes
        running.on("비상구 앞에", Step("refuse", text="no"))
        yield running


def test_from_cells_to_questions(page: Page, tmp_path: Path, server: Server) -> None:
    ws = Workspace(tmp_path / "workspace")
    make(ws)
    lead = add_person(ws, SLUG, "Han Bora", "researcher")
    point_at(ws, server, "concurrency = 2\nprice_in = 2\nprice_out = 8")
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        visit(page, address, "augment", SLUG, lead.id)
        expect(page.get_by_text("No question has been planned")).to_be_visible(timeout=SLOW)
        _choose(page, "single_clause-L1", 3)
        _choose(page, "exception_paired-L4", 1)
        _choose(page, "multi_facet-L3", 2)
        _write(page)
        _matrix(page)
        _read(page)
    assert set(server.counts.values()) == {1}  # nothing was asked twice
    assert len(server.counts) == 6


def _choose(page: Page, cell: str, target: int) -> None:
    box = page.get_by_label(f"Target: {cell}", exact=True)
    box.fill(str(target), timeout=SLOW)
    box.press("Enter")
    at_rest(page)


def _write(page: Page) -> None:
    page.get_by_role("button", name="Plan").click(timeout=SLOW)
    expect(page.get_by_text("At most 6 calls")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Write 6 questions").click()
    expect(page.get_by_text("questions written of 6 asked for")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Plan")).to_be_visible(timeout=SLOW)
    at_rest(page)


def _matrix(page: Page) -> None:
    """The matrix has what was planned and made, and the grid says it of each cell."""
    expect(page.get_by_text("Of 6 questions planned")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("made 1 · admitted 0 · missing 0")).to_be_visible(timeout=SLOW)


def _read(page: Page) -> None:
    open_part(page, "Questions")
    expect(page.get_by_text("Select a question to read it")).to_be_visible(timeout=SLOW)
    tick(page.get_by_test_id("stDataFrame").first, 1, page.get_by_text("Governing provisions"))
    open_part(page, "Attempts")
    expect(page.get_by_text("Select an attempt")).to_be_visible(timeout=SLOW)
