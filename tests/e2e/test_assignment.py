"""Giving out work: a practice round, then a batch, on the screens of both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import ROOT
from tests.e2e.people import SLOW, at_rest, box_of, come_in, decisions, picture, press, saved
from tests.e2e.ready import command_line, running_app

pytestmark = pytest.mark.e2e


def test_from_practice_to_a_batch(browser: Browser, workspace: Path, tmp_path: Path) -> None:
    prepare(workspace, tmp_path)
    with running_app(workspace) as address:
        ara = browser.new_page(viewport={"width": 1440, "height": 900})
        come_in(ara, address, "Kim Ara", "citation_mapping")
        practise(ara)
        lead = browser.new_page(viewport={"width": 1440, "height": 900})
        come_in(lead, address, "Han Lead", "assignment")
        holds_are_shown(lead)
        words_are_asked_for(lead)
        words_are_marked(ara)


def prepare(workspace: Path, tmp_path: Path) -> None:
    """Add who leads, a known answer, a practice round on it, a blind audit, a batch of the rest."""
    question = json.loads((ROOT / "sample" / "questions.jsonl").read_text("utf-8").splitlines()[0])
    known = {"question_id": str(question["question_id"]), "no_provision": True}
    file = tmp_path / "known.jsonl"
    file.write_text(json.dumps(known | {"explanation": "Nothing here answers it."}), "utf-8")
    for words in (
        ("person", "add", "Han Lead", "--role", "administrator"),
        ("assign", "known", str(file)),
        ("assign", "make", "Warming up", "--person", "Kim Ara", "--practice"),
        (
            *("assign", "make", "Audit", "--audit", "all", "--sample", "2"),
            *("--person", "Kim Ara", "--person", "Park Jun"),
        ),
        ("assign", "make", "First batch", "--person", "Kim Ara", "--person", "Park Jun"),
    ):
        done = command_line(workspace, *words)
        assert done.returncode == 0, done.stderr


def practise(page: Page) -> None:
    """Answer the practice question wrongly, read why, and go on to the blind audit."""
    expect(page.get_by_text("Practice: Warming up")).to_be_visible(timeout=SLOW)
    saved(page)
    first = page.get_by_test_id("item-id").inner_text()
    press(page, "a Control+Enter")
    expect(page.get_by_text("Feedback on your last practice question")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Nothing here answers it.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Batch: Audit")).to_be_visible(timeout=SLOW)
    assert page.get_by_test_id("item-id").inner_text() != first
    picture(page, "practice-feedback")
    saved(page)
    expect(page.get_by_text("To be judged").first).to_be_visible(timeout=SLOW)
    assert not page.get_by_text("Labelled by the data").count()


def holds_are_shown(page: Page) -> None:
    """Whoever leads sees that Kim Ara works on a question of the batch."""
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid).to_be_visible(timeout=SLOW)
    at_rest(page)
    box = box_of(grid)
    page.mouse.click(box["x"] + 16, box["y"] + 35 + 35 + 17)  # the second row's tick
    expect(page.get_by_text("Kim Ara works on")).to_be_visible(timeout=SLOW)


def words_are_asked_for(page: Page) -> None:
    page.get_by_text("Ask for the words of accepted provisions").click()
    at_rest(page)
    expect(page.get_by_role("switch", name="Ask for the words")).to_be_checked(timeout=SLOW)


def words_are_marked(page: Page) -> None:
    """By keys in one provision, with the mouse in another; a press on a chip takes one back."""
    page.reload()
    cards, marked = page.get_by_test_id("candidate"), page.get_by_test_id("evidence")
    expect(cards.first.get_by_test_id("mark")).to_be_visible(timeout=SLOW)
    saved(page)
    page.wait_for_timeout(1_000)  # keys do nothing at first on a new item
    press(page, "e")
    expect(page.get_by_test_id("message")).to_contain_text("Select words", timeout=9_000)
    press(page, "ArrowRight Shift+ArrowRight e")
    expect(marked).to_have_count(1)
    saved(page)
    assert decisions(page)[0] == "accept"
    words = cards.nth(1).locator(".piece").first
    words.scroll_into_view_if_needed()
    box = box_of(words)
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 8, steps=4)
    page.mouse.up()
    cards.nth(1).get_by_test_id("mark").click()
    expect(marked).to_have_count(2)
    saved(page)
    page.reload()
    expect(marked).to_have_count(2, timeout=SLOW)
    marked.last.click()
    expect(marked).to_have_count(1)
    saved(page)
    assert decisions(page)[:2] == ["accept", "accept"], "the provision stays accepted"
