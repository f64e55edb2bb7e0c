"""A researcher has answers cut and labelled by a judge and reads how precisely systems cite."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.people.members import add_person
from tests.annotation.house import SLUG
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, visit
from tests.e2e.ready import running_app
from tests.projects.attribution_project import judged_by, make, script

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_claims_are_cut_labelled_and_reported(page: Page, tmp_path: Path, clock: FakeClock) -> None:
    house = make(tmp_path / "workspace", clock)
    lead = add_person(house.ws, SLUG, "Lea", "researcher").id
    house.ws.engine.dispose()
    with judged_by(house.ws) as server, running_app(house.ws.folder) as address:
        script(server)
        visit(page, address, "attribution_report", SLUG, lead)
        expect(page.get_by_text("No claims are labelled yet")).to_be_visible(timeout=SLOW)
        page.get_by_role("tab", name="Split and label claims").click()
        expect(page.get_by_text("5 calls to make, 3 answers list claims")).to_be_visible(
            timeout=SLOW
        )
        page.get_by_role("button", name="Split into claims").click()
        expect(page.get_by_text("5 of 5 calls gave")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("6 calls to make, 0 done before")).to_be_visible(timeout=SLOW)
        page.get_by_role("button", name="Label claims").click()
        expect(page.get_by_text("6 of 6 calls gave")).to_be_visible(timeout=SLOW)
        page.get_by_role("tab", name="Report").click()
        expect(page.get_by_text("Labels of judge.")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Precision of citations by context")).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_text("Claims of one answer").click()
        expect(page.get_by_text("Claims of the official answer").first).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Internal error")).to_have_count(0)
