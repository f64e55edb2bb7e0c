"""A researcher compares systems, opens the answers behind a figure, takes the table away."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.annotation.judging.answered import SLUG, verdict
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, picture
from tests.e2e.ready import running_app
from tests.services.answers.answered_questions import COUNT, EVERYONE, build, rate

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
TRIES = 4


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> tuple[Path, int]:
    """Two systems, judged and rated."""
    made = build(tmp_path, clock)
    rate(made)
    made.judge(
        *(
            verdict(f"k{number:02}", system == "strong" or number > 9, "gpt", system)
            for system in EVERYONE
            for number in range(COUNT)
        )
    )
    made.ws.engine.dispose()
    return made.ws.folder, made.researcher


def test_from_a_figure_to_its_answers(
    page: Page, workspace: tuple[Path, int], tmp_path: Path
) -> None:
    folder, researcher = workspace
    with running_app(folder) as address:
        page.goto(f"{address}/answer_report?project={SLUG}&person={researcher}&lang=en")
        expect(page.get_by_text("Which score agrees with people")).to_be_visible(timeout=SLOW)
        at_rest(page)
        picture(page, "answer-report")
        box = page.get_by_role("combobox", name="System").first
        box.evaluate("node => node.scrollIntoView({ block: 'center' })")  # scrolling shuts a list
        at_rest(page)
        box.click()
        page.get_by_role("option", name="weak", exact=True).click()
        expect(page.get_by_text("Answers of weak, by ROUGE-1")).to_be_visible(timeout=SLOW)
        listed = page.locator("[class*=st-key-answer-list-weak]").get_by_test_id("stDataFrame")
        _until(page, listed, 16, 37 + 15, "words are the same in the same place")
        picture(page, "answer-beside")
        alone = page.locator(".plain-text .alone")
        expect(alone.first).to_be_visible(timeout=SLOW)
        assert "규정" in " ".join(alone.all_inner_texts())
        with page.expect_download() as fetched:
            page.get_by_text("Download the report").click()
            page.get_by_role("button", name="CSV, one figure a line").click()
        fetched.value.save_as(tmp_path / "answers.csv")
    with (tmp_path / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    scores = [row for row in rows if row["section"] == "scores"]
    judged = {row["row"]: row["value"] for row in scores if row["column"] == "judge"}
    assert judged["strong"] == "1.0"


def _until(page: Page, table: Locator, across: int, down: int, words: str) -> None:
    """Click into a table until the words are there: it moves while the page is being drawn."""
    for _ in range(TRIES):
        at_rest(page)
        table.scroll_into_view_if_needed()
        table.click(position={"x": across, "y": down})
        try:
            expect(page.get_by_text(words).first).to_be_visible(timeout=SLOW / TRIES)
        except AssertionError:
            continue
        return
    raise AssertionError(words)
