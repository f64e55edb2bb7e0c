"""Downstream in a real browser: a lead reads the figures and opens a question behind one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, at_rest, box_of, picture
from tests.e2e.ready import running_app
from tests.e2e.test_law_as_data import TRIES
from tests.projects.downstream_project import SLUG, downstream

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_a_lead_opens_a_question_behind_a_figure(page: Page, tmp_path: Path) -> None:
    made = downstream(tmp_path / "ws")
    made.ws.engine.dispose()
    with running_app(made.ws.folder) as address:
        page.goto(f"{address}/downstream?project={SLUG}&person={made.lead}&lang=en")
        expect(page.get_by_text("Accuracy by context").first).to_be_visible(timeout=SLOW)
        at_rest(page)
        picture(page, "downstream-figure")
        page.get_by_text("Table and files").first.click()
        table = "downstream-accuracy"
        select(page, table, 7, page.get_by_text("Questions behind a figure"))
        select(
            page,
            "downstream-questions-",
            7,
            page.get_by_text("What the model was given"),
        )
        expect(page.get_by_text("answer used")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("alone: B")).to_be_visible(timeout=SLOW)
        assert page.locator("img[src='x']").count() == 0
        picture(page, "downstream-question")


def select(page: Page, key: str, number: int, opened: object) -> None:
    """Tick a row of a table, and wait for what it opens."""
    table = page.locator(f"[class*=st-key-{key}]").get_by_test_id("stDataFrame")
    for _ in range(TRIES):
        at_rest(page)
        table.scroll_into_view_if_needed()
        box = box_of(table)
        page.mouse.click(box["x"] + 16, box["y"] + 17 + 35 * number)
        try:
            expect(opened).to_be_visible(timeout=SLOW / TRIES)  # type: ignore[call-overload]
        except AssertionError:
            continue
        return
    raise AssertionError("nothing opened")
