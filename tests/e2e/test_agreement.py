"""Reading the agreement: two annotators have submitted, and every figure opens its questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.mapping.commands import label
from annotation.people.members import list_people
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from storage.db.workspace import Workspace
from storage.projects import list_projects
from tests.e2e.people import SLOW, at_rest, box_of, go_to, picture
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_every_figure_opens_its_questions(page: Page, workspace: Path) -> None:
    annotate(Workspace(workspace))
    with running_app(workspace) as address:
        come_in_as_judge(page, address)
        cards(page)
        pairs(page)


def annotate(ws: Workspace) -> None:
    """Let two people answer six questions and differ on the last three."""
    slug = list_projects(ws)[0].slug
    people = {each.name: each.id for each in list_people(ws, slug)}
    for name in ("Kim Ara", "Park Jun"):
        person = people[name]
        for at, entry in enumerate(queue(ws, person)[:6]):
            candidates = open_item(ws, person, entry.item_id).candidates
            place = 1 if at >= 3 and name == "Park Jun" else 0
            label(ws, person, entry.item_id, candidates[place].unit_id, "accept")
            submit(ws, person, entry.item_id)
    ws.engine.dispose()


def come_in_as_judge(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Lee Sora").click(timeout=SLOW)
    go_to(page, "Agreement")
    expect(page.get_by_text("Agreement between annotators")).to_be_visible(timeout=SLOW)


def cards(page: Page) -> None:
    """Select a figure in the table behind the picture: its questions open."""
    expect(page.get_by_text("Two annotators give the same answer on 50 %")).to_be_visible()
    at_rest(page)
    key = ".st-key-agreement-main-statistics_questions"
    page.locator(f"{key}-more").get_by_text("Table and files").click()
    table = page.locator(key)
    expect(table).to_be_visible(timeout=SLOW)
    at_rest(page)
    drawn = box_of(table.locator("canvas").first)
    page.mouse.click(drawn["x"] + 15, drawn["y"] + 50)
    expect(page.get_by_text("What to do next.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Questions behind Raw agreement")).to_be_visible()
    at_rest(page)
    picture(page, "agreement-opened")


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
    picture(page, "agreement-pair")
