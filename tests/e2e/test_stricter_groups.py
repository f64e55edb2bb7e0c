"""A researcher looks at the cases most alike, exports both benchmarks, and scores BM25."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, at_rest
from tests.e2e.ready import running_app
from tests.projects.stricter_project import SLUG, build

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_from_a_group_to_the_scores_of_a_run(page: Page, tmp_path: Path) -> None:
    house = build(tmp_path / "workspace")
    house.ws.engine.dispose()
    with running_app(house.ws.folder) as address:
        page.goto(f"{address}/stricter_groups?project={SLUG}&person={house.lead}&lang=en")
        expect(page.get_by_text("Nothing had to be left out.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_text("Effect of one changed tag").click(timeout=SLOW)
        expect(page.get_by_text("No single tag would move a case in")).to_be_visible(timeout=SLOW)

        at_rest(page)
        page.get_by_text("Benchmark", exact=True).first.click()
        at_rest(page)
        page.get_by_role("button", name="Prepare").click()
        expect(page.get_by_role("button", name="Download (zip)")).to_be_visible(timeout=SLOW)
        at_rest(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download (zip)").click(timeout=SLOW)
        download.value.save_as(tmp_path / "benchmark.zip")
        at_rest(page)
        page.get_by_role("button", name="Score", exact=False).click(timeout=SLOW)
        expect(page.get_by_role("heading", name="stricter groups (2 queries)")).to_be_visible(
            timeout=SLOW
        )
    with zipfile.ZipFile(tmp_path / "benchmark.zip") as archive:
        qrels = archive.read("qrels/stricter_graded.tsv").decode()
    assert "defamation.insult/c1\tc3\t2\n" in qrels or "defamation.insult/c3\tc1\t2\n" in qrels
