"""A lead asks a model, an adjudicator settles what people differ on, and the report says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, at_rest, fill_in, on_item, press
from tests.e2e.ready import running_app
from tests.llm.server import scripted
from tests.llm.serving import point_at
from tests.projects import tagged_project
from tests.projects.tagged_project import SLUG, TagHouse
from tests.services.tagging.test_suggestions import speaks

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture
def house(tmp_path: Path) -> TagHouse:
    made = tagged_project.build(tmp_path / "workspace", number=3)
    for at in (0, 1):
        tagged_project.tag(
            made, made.ann, at, {"weapon": [("knife", "with a knife")]} if not at else {}
        )
        tagged_project.tag(made, made.ben, at, weapon="gun")
    made.ws.engine.dispose()
    return made


def test_from_suggestions_to_settled_factors(page: Page, house: TagHouse) -> None:
    with scripted() as server, running_app(house.ws.folder) as address:
        speaks(server)
        point_at(house.ws, server)
        _visit(page, address, "factor_report", house.lead)
        page.get_by_role("tab", name="Suggestions").click()
        at_rest(page)
        page.get_by_role("button", name="Ask for suggestions").click()
        expect(page.get_by_text("12 new suggestions")).to_be_visible(timeout=SLOW)
        _visit(page, address, "adjudication", house.judge)
        _settle(page, "Knife", "The court found a blade.")
        expect(page.get_by_text("Still to decide for case-1: 1.")).to_be_visible(timeout=SLOW)
        page.keyboard.press("n")  # the blade of the first case waits
        expect(page.get_by_role("heading", name="case-2")).to_be_visible(timeout=SLOW)
        at_rest(page)
        _settle(page, "None", "")  # the reason is offered again
        expect(page.get_by_text("case-2 is decided.")).to_be_visible(timeout=SLOW)
        _what_is_settled_stays(page, address, house)
        _visit(page, address, "factor_report", house.lead)
        expect(page.get_by_text("factors need work, first Means")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Cases decided by an adjudicator: 2.")).to_be_visible(timeout=SLOW)
    assert sum(server.counts.values()) == 6


def _visit(page: Page, address: str, name: str, who: int) -> None:
    page.goto(f"{address}/{name}?project={SLUG}&person={who}&lang=en")
    at_rest(page)


def _what_is_settled_stays(page: Page, address: str, house: TagHouse) -> None:
    page.goto(f"{address}/factor_tagging?project={SLUG}&person={house.ann}&item={house.items[0]}")
    on_item(page, "case-1")
    expect(page.get_by_test_id("message")).to_contain_text("no longer be changed")
    expect(page.get_by_test_id("undo")).to_be_hidden()
    expect(page.get_by_test_id("take-back")).to_be_disabled()
    press(page, "z Shift+Z")  # neither is it taken back, nor the case that was left last
    expect(page.get_by_test_id("dialog-take-back")).to_have_count(0)
    on_item(page, "case-1")


def _settle(page: Page, option: str, reason: str) -> None:
    choices = page.get_by_test_id("stButtonGroup").get_by_text(option, exact=True)
    choices.click(timeout=SLOW)
    at_rest(page)
    decide = page.get_by_role("button", name="Decide and go on")
    expect(decide).to_be_enabled(timeout=SLOW)
    if reason:
        fill_in(page.get_by_role("textbox", name="Reason (required)"), reason)
        decide.click(timeout=SLOW)
    else:
        page.keyboard.press("Control+Enter")  # the focus is on the choice
    at_rest(page)
