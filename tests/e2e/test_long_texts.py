"""Texts that are far too long: refused when they come in, folded where a workspace holds them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, at_rest, come_in, on_item, press
from tests.e2e.ready import command_line, running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WORDS = "소방시설 설치 및 관리에 관한 법률에 따라 관계인이 갖추어야 하는 것은 무엇인가 "
LONG = (WORDS * 6_000)[:197_999] + "?"  # on one line, which is the worst
HELD_MS = 2_500  # that the page may stand still, on a machine with other work to do
# How long the page stood still at most since it was asked to watch.
WATCH = """() => {
  window.held = 0;
  const note = (list) => list.getEntries().forEach((each) => {
    window.held = Math.max(window.held, each.duration);
  });
  new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
}"""


def file_of(path: Path, text: str) -> Path:
    good = {"question_id": "good", "question": "Why?", "answer": "So."}
    rows = [good, {"question_id": "long", "question": text, "answer": "So."}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def require_awake(page: Page, what: str) -> None:
    """Fail if the page stood still for long since it was watched."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("window.held") < HELD_MS, what


def test_a_workspace_that_holds_such_texts_leaves_the_page_awake(
    page: Page, workspace: Path, tmp_path: Path
) -> None:
    comes_in(workspace, file_of(tmp_path / "fine.jsonl", LONG[:20_000]))
    with sqlite3.connect(workspace / "touchstone.db") as database:
        database.execute(
            "UPDATE question SET text = ?, answer = answer || ? WHERE external_id = 'en-01'",
            (LONG, LONG),
        )
        database.execute(
            "UPDATE unit SET text = ? || char(10) || text WHERE id IN (SELECT c.unit_id FROM"
            " candidate c JOIN candidate_set s ON s.id = c.candidate_set_id JOIN item i ON"
            " i.id = s.item_id JOIN question q ON q.id = i.question_id WHERE q.external_id ="
            " 'en-01' ORDER BY c.rank LIMIT 2)",
            (LONG,),
        )
    with running_app(workspace) as address:
        come_in(page, address, "Kim Ara")
        page.evaluate(WATCH)
        on_item(page, "en-01")
        question = page.get_by_test_id("question")
        assert 5_000 < len(question.text_content() or "") < 10_000
        require_awake(page, "opening")
        card = page.get_by_test_id("candidate").first
        press(page, "a")
        expect(card).to_have_attribute("data-decision", "accept")
        page.set_viewport_size({"width": 1100, "height": 800})
        press(page, "j r")
        require_awake(page, "deciding and resizing")
        question.locator("xpath=following-sibling::button[1]").click()
        assert question.text_content() == LONG
        card.get_by_test_id("expand").click()
        require_awake(page, "showing all of it")
        assert len(card.get_by_test_id("unit-text").text_content() or "") > 190_000
        page.keyboard.press("g")
        row = page.get_by_test_id("queue-entry").filter(has_text="en-01")
        expect(row).to_be_visible(timeout=SLOW)
        assert len(row.text_content() or "") < 700
        page.keyboard.press("Escape")
        at_rest(page)  # what is drawn anew closes a dialog
        press(page, "s")
        page.get_by_test_id("skip-confirm").click()
        on_item(page, "en-02")
        require_awake(page, "going on to the next item")
        a_long_question_below_the_limit_folds(page)


def comes_in(workspace: Path, file: Path) -> None:
    """Bring in questions that are long, but below the limit."""
    done = command_line(workspace, "import", "questions", str(file))
    assert done.returncode == 0, done.stderr
    assert command_line(workspace, "candidates").returncode == 0


def a_long_question_below_the_limit_folds(page: Page) -> None:
    at_rest(page)
    page.keyboard.press("g")
    name = page.locator(".id").get_by_text("long", exact=True)
    page.get_by_test_id("queue-entry").filter(has=name).click(timeout=SLOW)
    on_item(page, "long")
    question = page.get_by_test_id("question")
    more = question.locator("xpath=following-sibling::button[1]")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    assert question.text_content() == LONG[:20_000].strip()
    press(page, "a")
    require_awake(page, "a question of 20,000 characters")
