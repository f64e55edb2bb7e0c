"""Readings in a real browser: beside the provision, then from the list of what was not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.people.members import add_person
from retrieval.readings.model import Kind
from services.readings import read_units
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, come_in, open_part, tick
from tests.e2e.ready import running_app
from tests.llm.serving import serving
from tests.projects.readings_law import ACT, SLUG, project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def says(asked: str) -> str:
    """Say nothing usable of one provision, nor when told so."""
    unfit = "배를 매어" in asked or "형식이 아닙니다" in asked
    return "I cannot" if unfit else '{"questions": ["누가 등불을 켜야 하는가?"]}'


def test_what_was_read_from_an_article_and_what_could_not_be(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    ws = Workspace(tmp_path / "workspace", clock)
    project(ws)
    add_person(ws, SLUG, "Kim Ara", "annotator")
    with serving(ws) as server:
        server.says = says
        read_units(ws, SLUG, Kind.ATOMS)
    with running_app(ws.folder) as address:
        come_in(page, f"{address}/?unit={ACT}_2조", "Kim Ara", "corpus")
        open_part(page, "What was read from it")
        open_part(page, "Questions")
        expect(page.get_by_text("Stand-in (rules, no model)")).to_be_visible(timeout=SLOW)
        expect(page.get_by_test_id("stDataFrame")).to_have_count(2, timeout=SLOW)
        open_part(page, "Readings")
        expect(page.get_by_test_id("stDataFrame")).to_have_count(2, timeout=SLOW)
        heading = page.locator("[data-testid=unit-view] h2")
        tick(page.get_by_test_id("stDataFrame").nth(1), 1, heading.filter(has_text="제3조"))
        at_rest(page)
        open_part(page, "Questions")
        expect(page.get_by_text("was not in the form asked for")).to_be_visible(timeout=SLOW)
