"""A researcher sets what is searched, and runs methods, also one that the operator wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.mapping.commands import add_unit
from annotation.people.members import add_person
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from retrieval.core.own import FOLDER
from services.law.levels import read_levels
from services.mapping.candidates import build_candidates
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, lead_to, visit
from tests.e2e.ready import app_alone
from tests.projects.small_law import SLUG, small_workspace
from tests.retrieval.core.test_own import TEMPLATE
from tests.services.small_gold import FORM

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_what_is_searched_is_set_and_methods_are_run(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    ws = small_workspace(tmp_path / "workspace", clock)
    lead = gold_on_a_form(ws)
    retrieve(ws, SLUG)
    ws.engine.dispose()
    (ws.folder / FOLDER).mkdir()
    (ws.folder / FOLDER / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    (ws.folder / FOLDER / "lost.py").write_text("import nothing_there\n", "utf-8")
    with app_alone(ws.folder) as address:
        visit(page, address, "leaderboard", SLUG, lead)
        missed = "Gold not searched, which counts as missed: 1 unit of 1 question (1 form)."
        expect(page.get_by_text(missed)).to_be_visible(timeout=SLOW)
        lead_to(page, f"/data?project={SLUG}&person={lead}&lang=en")
        page.get_by_text("Searched: articles, sections, annexes", exact=True).click()
        page.get_by_role("button", name="Form (1)").click()
        page.get_by_role("button", name="Search these").click()
        told = "From now on retrieval searches: articles, sections, annexes, forms."
        expect(page.get_by_text(told)).to_be_visible(timeout=SLOW)
        at_rest(page)
        lead_to(page, f"/leaderboard?project={SLUG}&person={lead}&lang=en")
        page.get_by_text("Run a method", exact=True).click()
        at_rest(page)
        a_method_of_the_operators_own_is_run(page)
        both = "These runs did not search the same:"
        expect(page.get_by_text(both)).to_be_visible(timeout=SLOW)
    assert read_levels(ws, SLUG).said.person == "Lea"


def a_method_of_the_operators_own_is_run(page: Page) -> None:
    page.get_by_text("1 method of your own cannot be used").click()
    expect(page.get_by_text("It cannot be imported: ModuleNotFoundError")).to_be_visible()
    page.locator(".st-key-run-preset").get_by_role("combobox").click()
    page.keyboard.type("word_overlap")
    page.get_by_role("option", name="word_overlap (a method of your own)").click()
    weight = page.get_by_role("spinbutton", name="heading_weight")
    expect(weight).to_have_value("2.00", timeout=SLOW)
    at_rest(page)
    page.get_by_test_id("stButton").get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Run 2 is stored and scored.")).to_be_visible(timeout=SLOW)
    at_rest(page)


def gold_on_a_form(ws: Workspace) -> int:
    """Let two annotators agree on a form; return the id of a researcher."""
    people = [add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben")]
    build_candidates(ws, SLUG)
    with ws.reading() as session:
        unit = unit_ids(session, 1)[FORM]
    for person in people:
        item = queue(ws, person)[0].item_id
        open_item(ws, person, item)
        add_unit(ws, person, item, unit)
        submit(ws, person, item)
    return add_person(ws, SLUG, "Lea", "researcher").id
