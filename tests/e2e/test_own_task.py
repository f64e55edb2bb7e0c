"""A task of one's own: from a template, handed out, labelled by keys, settled and measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, ViewportSize, expect

from annotation.people.members import add_person
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.e2e.people import (
    SLOW,
    at_rest,
    box_of,
    choose,
    come_in,
    fill_in,
    keys_are_heard,
    on_item,
    press,
)
from tests.e2e.ready import running_app

pytestmark = pytest.mark.e2e
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
TITLE = "Relevance of a provision to a question"
ROWS = "id,question,provision\np1,How high?,A railing is 1.2 metres high. A fence is lower.\n"


def test_from_a_template_to_a_figure(browser: Browser, tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "workspace")
    migrate(ws)
    create_project(ws, "own", "Own", 2)
    for name, role in (("Ann", "annotator"), ("Ben", "annotator"), ("Cho", "adjudicator")):
        add_person(ws, "own", name, role)
    add_person(ws, "own", "Dora", "administrator")
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        lead = browser.new_page(viewport=WIDE)
        adds(lead, address)
        hands_out(lead)
        marks_by_keys(browser.new_page(viewport=WIDE), address)
        differs_on_a_phone(browser.new_page(viewport=PHONE), address)
        settles(browser.new_page(viewport=WIDE), address)
        measures(lead, address, tmp_path)


def adds(page: Page, address: str) -> None:
    """Take a template, change it here, try it, and add it with its rows."""
    come_in(page, address, "Dora ·", "overview")
    page.get_by_role("link", name="Add a task of your own").click()
    at_rest(page)
    choose(page.get_by_label("Begin from"), TITLE)
    text = page.get_by_label("What is asked")
    fill_in(text, text.input_value().replace("[evidence]", "[evidence, exception]"))
    expect(page.get_by_text("the columns id, question, provision")).to_be_visible(timeout=SLOW)
    rows: FilePayload = {"name": "rows.csv", "mimeType": "text/csv", "buffer": ROWS.encode()}
    page.locator(".st-key-own-task-files-rows input[type=file]").set_input_files(rows)
    page.get_by_role("button", name="Add this task").click()
    expect(page.get_by_text(f"{TITLE} added with 1 item.")).to_be_visible(timeout=SLOW)


def hands_out(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Assignment").click()
    at_rest(page)
    fill_in(page.locator(".st-key-assign-name input"), "Round 1")
    page.get_by_role("button", name="Make the batch (1").click()
    expect(page.get_by_text('The batch "Round 1" has been made.')).to_be_visible(timeout=SLOW)


def marks_by_keys(page: Page, address: str) -> None:
    """Answer, choose a sentence less a word, and label it: without a mouse."""
    come_in(page, address, "Ann ·", "own_task")
    on_item(page, "p1")
    expect(page.get_by_text(TITLE)).to_be_visible()
    keys_are_heard(page)
    press(page, "3 ] ] Shift+ArrowLeft")
    expect(page.get_by_test_id("chosen-words")).to_have_text("Chosen: A railing is 1.2 metres")
    press(page, "2")
    expect(page.get_by_test_id("span")).to_have_text("exception: A railing is 1.2 metres")
    press(page, "Control+Enter")
    expect(page.get_by_text("All done")).to_be_visible(timeout=SLOW)


def differs_on_a_phone(page: Page, address: str) -> None:
    """Find nothing that is cut at 390 px, and give another answer by touch."""
    come_in(page, address, "Ben ·", "own_task")
    on_item(page, "p1")
    keys_are_heard(page)
    answer = page.get_by_test_id("relevance-0")
    box = box_of(answer)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    answer.click()
    page.get_by_test_id("submit").click()
    expect(page.get_by_text("All done")).to_be_visible(timeout=SLOW)


def settles(page: Page, address: str) -> None:
    """Read the marked words, take a side, and say why."""
    come_in(page, address, "Cho ·", "adjudication")
    expect(page.get_by_text("exception: A railing is 1.2 metres")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Take this side").first.click()
    at_rest(page)
    fill_in(page.get_by_role("textbox", name="Reason (required)"), "It names the height.")
    page.get_by_role("button", name="Decide and go on").click()
    expect(page.get_by_text("p1 is decided.")).to_be_visible(timeout=SLOW)


def measures(page: Page, address: str, tmp_path: Path) -> None:
    """Read the figure of the task, and take its labels as a file."""
    come_in(page, address, "Dora ·", "agreement")
    expect(page.get_by_label("Task").first).to_have_value(TITLE)
    expect(page.get_by_text("2 of 2 are submitted.")).to_be_visible(timeout=SLOW)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Gold").click()
    at_rest(page)
    expect(page.get_by_text("1 of 1 complete, 0 in dispute")).to_be_visible(timeout=SLOW)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Labels (.jsonl)").click()
    taken.value.save_as(tmp_path / "labels.jsonl")
    line = json.loads((tmp_path / "labels.jsonl").read_text("utf-8"))
    assert (line["state"], line["agreed"]["relevance"]) == ("agreed", 3)
