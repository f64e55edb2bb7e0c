"""A researcher words options as yes/no questions, approves them, and reads the bounds of recall."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.mapping.commands import add_unit
from annotation.people.members import add_person
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from corpus.model import Choice
from services.mapping.candidates import build_candidates
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions, unit_ids
from storage.law.imports import keep_questions
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, lead_to
from tests.e2e.ready import running_app
from tests.projects.small_law import SLUG, questions, small_workspace
from tests.services.small_gold import LAMP, LIFE_JACKETS

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
OPTIONS = ("A ferry at night", "A ferry by day", "All of the above")
PICTURES = os.environ.get("TOUCHSTONE_PICTURES")


def _picture(page: Page, name: str) -> None:
    if PICTURES:
        at_rest(page)
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def test_options_become_questions_once_somebody_approves_them(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    ws = small_workspace(tmp_path / "workspace", clock)
    lead = _settled(ws)
    ws.engine.dispose()
    with running_app(ws.folder) as address:
        page.goto(f"{address}/reformulation?project={SLUG}&person={lead}&lang=en")
        page.get_by_role("button", name="Word 3 options with the template").click()
        expect(page.get_by_text("3 options were worded.")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("This option refers to other options.")).to_be_visible()
        _picture(page, "open")
        page.get_by_role("button", name="Approve").first.click()
        expect(page.get_by_text("q2-o1 is now a question of the project")).to_be_visible(
            timeout=SLOW
        )
        at_rest(page)
        words = page.get_by_role("textbox", name="Wording of option B")
        words.fill("Does a ferry need a lamp by day?")
        page.get_by_role("button", name="Approve").first.click()
        expect(page.get_by_text("q2-o2 is now a question of the project")).to_be_visible(
            timeout=SLOW
        )
        at_rest(page)
        page.get_by_role("textbox", name="Why it is refused").fill("means nothing alone")
        page.get_by_role("button", name="Refuse").click()
        expect(page.get_by_text("option C becomes no question")).to_be_visible(timeout=SLOW)
        page.get_by_text("Approved (2)").click()
        expect(page.get_by_text("q2-o2: reworded and approved by Lea")).to_be_visible(timeout=SLOW)
        page.get_by_text("Refused (1)").click()
        expect(page.get_by_text("means nothing alone")).to_be_visible(timeout=SLOW)
        _picture(page, "approved")
        retrieve(Workspace(ws.folder, clock), SLUG)
        lead_to(page, f"/leaderboard?project={SLUG}&person={lead}&lang=en")
        bounds = "Recall@10 on questions made from options: between these bounds"
        page.get_by_text(bounds).click(timeout=SLOW)
        expect(page.get_by_test_id("stDataFrame").nth(1)).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Internal error")).to_have_count(0)
        _picture(page, "leaderboard")
    with Workspace(ws.folder, clock).reading() as session:
        asked = load_questions(session, find_project(session, SLUG).id)
    assert asked["q2-o2"].text == "Does a ferry need a lamp by day?"
    assert "q2-o3" not in asked


def _settled(ws: Workspace) -> int:
    """Give the second question options and two gold units; return the id of a researcher."""
    choices = tuple(Choice("ABC"[at], text) for at, text in enumerate(OPTIONS))
    keep_questions(ws, SLUG, [replace(questions()[1], choices=choices)], "questions.jsonl")
    build_candidates(ws, SLUG)
    with ws.reading() as session:
        units = unit_ids(session, 1)
    for name in ("Ann", "Ben"):
        person = add_person(ws, SLUG, name, "annotator").id
        item = queue(ws, person)[1].item_id
        open_item(ws, person, item)
        for unit in (LAMP, LIFE_JACKETS):
            add_unit(ws, person, item, units[unit])
        submit(ws, person, item)
    return add_person(ws, SLUG, "Lea", "researcher").id
