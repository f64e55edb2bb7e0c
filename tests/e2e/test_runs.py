"""A researcher reads the leaderboard, puts a run aside, and follows a figure to what was missed."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from annotation.adjudication.disputes import decide
from services.runs.importing import import_run
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, picture
from tests.e2e.ready import command_line, running_app
from tests.e2e.test_story import tick_first_row
from tests.pages.small_project import SLUG, Small, annotated_project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
TRIES = 4


def test_from_the_table_of_runs_to_what_was_missed(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    small = annotated_project(Workspace(tmp_path / "workspace", clock))
    brought = _three_runs(small, tmp_path)
    small.workspace.engine.dispose()
    with running_app(small.workspace.folder) as address:
        page.goto(f"{address}/leaderboard?project={SLUG}&person={small.sora.id}&lang=en")
        left_out = page.get_by_text("Left out of the tests: 1 run (1 that lacks")
        expect(left_out).to_be_visible(timeout=SLOW)
        at_rest(page)
        left_out.scroll_into_view_if_needed()
        picture(page, "runs-left-out")
        _retire(page, brought)
        expect(left_out).to_have_count(0)
        expect(page.get_by_text("Not in the table: 1 retired run.")).to_be_visible()
        page.get_by_text(re.compile("^Questions of run")).click()
        _compare(page)
        page.get_by_role("radio", name="Missed (1)").click()
        at_rest(page)
        with page.expect_download() as told:
            page.get_by_role("button", name="These questions and what they missed (CSV)").click()
        rows = list(csv.DictReader(told.value.path().read_text("utf-8-sig").splitlines()))
        assert {row["question"] for row in rows} == {"q4"} and rows[0]["reason"]
        _open_first_question(page, "What moved from run")
        page.get_by_text("Citation path", exact=True).first.click()
        expect(page.get_by_text(re.compile("No citations lead here|From rank 1"))).to_be_visible(
            timeout=SLOW
        )
        at_rest(page)
        picture(page, "runs-moved")
        _fits_a_phone(page)
    again = command_line(small.workspace.folder, "run", "restore", str(brought))
    assert again.returncode == 0, again.stderr
    assert leaderboard(small.workspace, SLUG).retired == 0


def _fits_a_phone(page: Page) -> None:
    """Look at the leaderboard on a phone: its questions of a run fit, too."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.get_by_text(re.compile("^Questions of run")).click(timeout=SLOW)
    questions = page.get_by_text("Which questions", exact=True)
    expect(questions).to_be_visible(timeout=SLOW)
    at_rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    questions.scroll_into_view_if_needed()
    picture(page, "runs-phone-en")


def _three_runs(small: Small, folder: Path) -> int:
    """Make two runs, and bring in one over a single question; return the number of the last."""
    both = [small.unit("q1", "제1조"), small.unit("q1", "제3조")]
    decide(small.workspace, small.sora.id, small.items["q4"], both, False, "Both.", 1.0)
    retrieve(small.workspace, SLUG, k=1)
    words = {"method": "bm25", "tokeniser": "whitespace"}
    retrieve(small.workspace, SLUG, words, 1, by=small.sora.id, label="Words")
    file = folder / "their.run"
    file.write_text("q4 Q0 elsewhere 1 1.0 theirs\n", "utf-8")
    return import_run(small.workspace, SLUG, file, "Theirs", unknown="keep").run_id


def _retire(page: Page, run: int) -> None:
    page.get_by_text("Retire, tag or note runs", exact=True).click()
    chosen = page.get_by_role("combobox", name="Runs", exact=False).last
    chosen.click()
    page.get_by_role("option", name=f"{run} · Theirs").click()
    page.keyboard.press("Tab")  # Escape would close the whole form
    page.get_by_role("button", name="Retire", exact=True).click()
    expect(page.get_by_text(f"Retired: run {run}.")).to_be_visible(timeout=SLOW)
    at_rest(page)
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)  # it shuts when all is done


def _compare(page: Page) -> None:
    """Choose the other run, and again where the list closed as the page was still drawing."""
    field = page.get_by_role("combobox", name="Compare with run", exact=False)
    for _ in range(TRIES):
        at_rest(page)
        field.scroll_into_view_if_needed()
        field.click()
        option = page.get_by_role("option", name=re.compile(r"^1 · |^2 · "))
        try:
            option.first.click(timeout=SLOW / TRIES)
        except PlaywrightError:
            page.keyboard.press("Escape")
            continue
        expect(page.get_by_text("The greatest losses come first.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        return
    raise AssertionError("no run to compare with was chosen")


def _open_first_question(page: Page, words: str) -> None:
    """Tick the first question, and again where the tick missed a table that was still moving."""
    for _ in range(TRIES):
        tick_first_row(page)
        try:
            expect(page.get_by_text(words)).to_be_visible(timeout=SLOW / TRIES)
        except AssertionError:
            continue
        return
    raise AssertionError("no question opened")
