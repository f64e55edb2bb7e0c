"""A researcher sees what the typology leaves out, puts a title in, and another typology over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from storage.db.workspace import utc_now
from tests.construction.cases.small_typology import SMALL
from tests.e2e.people import SLOW, at_rest, open_part
from tests.e2e.ready import running_app
from tests.services.cases.grouped_cases import SLUG, build

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_from_a_title_left_out_to_every_case_in_a_group(page: Page, tmp_path: Path) -> None:
    house = build(tmp_path / "workspace", utc_now)
    house.ws.engine.dispose()
    with running_app(house.ws.folder) as address:
        page.goto(f"{address}/case_groups?project={SLUG}&person={house.researcher}&lang=en")
        expect(page.get_by_text("4 / 6", exact=True)).to_be_visible(timeout=SLOW)
        at_rest(page)
        open_part(page, "Left out")
        expect(page.get_by_text("Cases in no group: 2")).to_be_visible(timeout=SLOW)
        table = page.get_by_test_id("stDataFrame").first
        table.click(position={"x": 18, "y": 88})  # the box of the second row: 무고
        charge = page.get_by_role("combobox", name="The charge")
        expect(charge).to_be_visible(timeout=SLOW)
        at_rest(page)
        charge.click()
        page.get_by_role("option", name="Insult (Honour)").click(timeout=SLOW)
        expect(page.get_by_text("1 case would move.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_role("button", name="Add it").click()
        expect(page.get_by_text("Cases in no group: 1")).to_be_visible(timeout=SLOW)
        at_rest(page)

        open_part(page, "Typology")
        mine = tmp_path / "mine.yaml"
        mine.write_text(SMALL.replace("ko: 모욕}", "ko: 무고}"), "utf-8")
        page.locator('[data-testid="stFileUploader"] input').set_input_files(mine)
        expect(page.get_by_text("2 of 6 cases would move.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_role("button", name="Save version 4").click()
        expect(page.get_by_text("Saved version 4")).to_be_visible(timeout=SLOW)
        at_rest(page)
        open_part(page, "Coverage")
        expect(page.get_by_text("4 / 6", exact=True)).to_be_visible(timeout=SLOW)
