"""What two annotators' answers tell: agreement, whose figures open questions, and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.mapping.commands import label
from annotation.people.members import list_people
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, box_of, come_in, go_to, picture, tick
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_figures_open_their_questions_and_are_taken_along(page: Page, workspace: Path) -> None:
    ws = Workspace(workspace)
    annotate(ws)
    retrieve(ws, "sample")
    ws.engine.dispose()
    with running_app(workspace) as address:
        come_in(page, address, "Lee Sora", "agreement")
        cards(page)
        pairs(page)
        go_to(page, "Figures")
        neighbourhood(page)
        drawn_by_a_press(page)
        drawn_at_once(page)


def annotate(ws: Workspace) -> None:
    """Let two people answer six questions and differ on the last three."""
    people = {each.name: each.id for each in list_people(ws, "sample")}
    for name in ("Kim Ara", "Park Jun"):
        person = people[name]
        for at, entry in enumerate(queue(ws, person)[:6]):
            candidates = open_item(ws, person, entry.item_id).candidates
            place = 1 if at >= 3 and name == "Park Jun" else 0
            label(ws, person, entry.item_id, candidates[place].unit_id, "accept")
            submit(ws, person, entry.item_id)


def cards(page: Page) -> None:
    """Select a figure in the table behind the picture: its questions open."""
    expect(page.get_by_text("Two annotators give the same answer on 50 %")).to_be_visible()
    key = ".st-key-agreement-main-statistics_questions"
    page.locator(f"{key}-more").get_by_text("Table and files").click()
    tick(page.locator(key), 1, page.get_by_text("Questions behind Raw agreement"))
    expect(page.get_by_text("What to do next.")).to_be_visible(timeout=SLOW)


def pairs(page: Page) -> None:
    """Press a cell of the matrix: the questions of those two people open."""
    at_rest(page)
    page.get_by_text("Pairs", exact=True).click()
    chart = page.locator(".st-key-agreement-pairs_questions-chart")
    expect(chart).to_be_visible(timeout=SLOW)
    at_rest(page)
    chart.scroll_into_view_if_needed()
    cell = box_of(chart.locator(".mark-rect path").first)
    page.mouse.click(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    expect(page.get_by_text("Questions behind Kim Ara – Park Jun")).to_be_visible(timeout=SLOW)


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


def drawn_by_a_press(page: Page) -> None:
    for tab, words in (
        ("1-hop hit rate", "1-hop hit rate"),
        ("Data sets", "TF-IDF cosines: Question and gold"),
    ):
        open_tab(page, tab)
        page.get_by_role("button", name="Compute").click(timeout=SLOW)
        expect(drawn(page, words)).to_be_visible(timeout=SLOW)


def drawn_at_once(page: Page) -> None:
    for tab, words in (
        ("Lexical similarity", "Recall@10 by lexical similarity"),
        ("Bars", "Runs by measure"),
    ):
        open_tab(page, tab)
        expect(drawn(page, words)).to_be_visible(timeout=SLOW)


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
