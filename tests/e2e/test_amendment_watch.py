"""The amendment watch in a real browser: a lead reads both wordings, confirms and sends back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from services.law.watch import law_watch
from storage.law.corpus import load_statutes
from storage.law.imports import keep_statutes
from tests.e2e.people import SLOW, at_rest, come_in, picture
from tests.e2e.ready import command_line, running_app
from tests.e2e.test_law_as_data import TRIES, click_first_row
from tests.projects.mcq_project import PEOPLE, SLUG, McqHouse, build, submitted

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
LEAD = next(name for name, role in PEOPLE if role == "researcher")


def amended(folder: Path) -> McqHouse:
    """Return a project of three questions, one done by two, whose decree was reworded."""
    house = build(folder, number=3)
    for person in (house.ann, house.ben):
        submitted(house, person, house.items[0])
    submitted(house, house.ann, house.items[1])
    with house.ws.reading() as session:
        act, decree = load_statutes(session, 1)
    units = tuple(
        replace(unit, text=f"{unit.text} 다만, 눈이 오면 그러하지 아니하다.")
        for unit in decree.units
    )
    keep_statutes(house.ws, SLUG, [act, replace(decree, units=units)], "second")
    return house


def test_a_lead_confirms_one_and_sends_another_back(page: Page, tmp_path: Path) -> None:
    house = amended(tmp_path / "quay")
    with running_app(house.ws.folder) as address:
        come_in(page, f"{address}/?project={SLUG}", f"{LEAD} ·", "compare")
        waiting = page.get_by_text("Also answered on law that was amended, and not confirmed yet")
        expect(waiting).to_contain_text("2 multiple-choice questions", timeout=SLOW)
        select_first(page)
        words = page.locator(".st-key-watch-new-0 .inserted")
        expect(words).to_contain_text("눈이 오면", timeout=SLOW)
        picture(page, "amendment-watch")
        page.get_by_role("button", name="Send back to be redone").click()
        expect(page.get_by_text("Enter a reason")).to_be_visible(timeout=SLOW)
        reason = page.get_by_label("Reason (required to send back or set aside)")
        reason.fill("Snow changes the answer.")
        page.get_by_role("button", name="Send back to be redone").click()
        expect(page.get_by_text("is sent back to be redone")).to_be_visible(timeout=SLOW)
        at_rest(page)
        expect(waiting).to_contain_text("1 multiple-choice question", timeout=SLOW)
    states = [each.state for each in law_watch(house.ws, SLUG, task="mcq").entries]
    assert states == ["sent_back", "waiting", "waiting"]
    done = command_line(house.ws.folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def select_first(page: Page) -> None:
    """Tick the first entry of the queue, and wait for its words side by side."""
    table = page.locator(".st-key-compare-rechecks").get_by_test_id("stDataFrame")
    for _ in range(TRIES):
        click_first_row(table, 16)
        try:
            expect(page.locator(".st-key-watch-old")).to_be_visible(timeout=SLOW / TRIES)
        except AssertionError:
            continue
        return
    raise AssertionError("no entry opened")
