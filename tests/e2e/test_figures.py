"""A researcher draws figures for a paper from the gold and a run, and takes the files along."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.projects import list_projects
from tests.e2e.people import SLOW, at_rest, go_to, picture
from tests.e2e.ready import running_app
from tests.e2e.test_agreement import annotate

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_figures_are_drawn_and_taken_along(page: Page, workspace: Path) -> None:
    ws = Workspace(workspace)
    annotate(ws)
    retrieve(ws, list_projects(ws)[0].slug)
    ws.engine.dispose()
    with running_app(workspace) as address:
        page.goto(address)
        page.get_by_role("button", name="Lee Sora").click(timeout=SLOW)
        go_to(page, "Figures")
        neighbourhood(page)
        hits(page)
        runs(page)
        datasets(page)


def neighbourhood(page: Page) -> None:
    open_tab(page, "Neighbourhood")
    page.get_by_role("button", name="Draw").click(timeout=SLOW)
    expect(drawn(page, "Nearest neighbours by cosine")).to_be_visible(timeout=SLOW)
    at_rest(page)
    picture(page, "figures")
    page.get_by_role("button", name="Download the report").click()
    assert taken(page, "Pictures as SVG").startswith(b"<svg")
    assert taken(page, "Pictures as PNG").startswith(b"\x89PNG")
    assert b"section,row,column,value" in taken(page, "CSV, one figure")
    page.keyboard.press("Escape")


def hits(page: Page) -> None:
    open_tab(page, "1-hop hit rate")
    page.get_by_role("button", name="Compute").click(timeout=SLOW)
    expect(drawn(page, "1-hop hit rate")).to_be_visible(timeout=SLOW)
    picture(page, "figures-hits")


def runs(page: Page) -> None:
    open_tab(page, "Lexical similarity")
    expect(drawn(page, "Recall@10 by lexical similarity")).to_be_visible(timeout=SLOW)
    open_tab(page, "Bars")
    expect(drawn(page, "Runs by measure")).to_be_visible(timeout=SLOW)
    picture(page, "figures-bars")


def datasets(page: Page) -> None:
    open_tab(page, "Data sets")
    page.get_by_role("button", name="Compute").click(timeout=SLOW)
    expect(drawn(page, "TF-IDF cosines: Question and gold")).to_be_visible(timeout=SLOW)
    picture(page, "figures-datasets")


def open_tab(page: Page, name: str) -> None:
    at_rest(page)
    page.get_by_role("tab", name=name).click(timeout=SLOW)
    at_rest(page)


def drawn(page: Page, words: str) -> Locator:
    """Return the picture of which these words are told."""
    return page.locator(f'[role="graphics-document"][aria-label*="{words}"]')


def taken(page: Page, name: str) -> bytes:
    """Return the file that the button gives."""
    at_rest(page)
    with page.expect_download(timeout=SLOW) as started:
        page.get_by_role("button", name=name).first.click()
    return Path(started.value.path()).read_bytes()
