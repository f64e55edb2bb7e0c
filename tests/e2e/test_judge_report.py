"""A researcher asks a judge in the app, watches it, stops it, goes on, and reads the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.judging.answered import SLUG, Answered, build, case, jsonl
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, visit
from tests.e2e.ready import running_app
from tests.llm.server import Server, Step

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
MORE = 30


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock, server: Server) -> Answered:
    found = build(tmp_path, clock)
    server.delay = 0.2
    server.on("q1", Step(text="1"))
    server.on("", Step(text="0"))
    server.plays(found.ws.folder, "concurrency = 2\n")
    for question, correct in (("q1", True), ("q2", True), ("q3", False)):
        found.rate(found.ann, correct, question)
        found.rate(found.ben, correct, question)
    found.ws.engine.dispose()
    return found


def test_asking_a_judge(page: Page, answered: Answered, server: Server) -> None:
    with running_app(answered.ws.folder) as address:
        visit(page, address, "judge_report", SLUG, answered.researcher)
        at_rest(page)
        page.get_by_role("tab", name="Import and run").click()
        at_rest(page)
        _bring_in(page, answered.folder)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("progressbar").first).to_be_visible(timeout=SLOW)
        page.get_by_role("button", name="Stop").click(timeout=SLOW)
        expect(
            page.get_by_text("Stopped before it was done; start again to continue.").first
        ).to_be_visible(timeout=SLOW)
        assert 0 < sum(server.counts.values()) < 6 + MORE
        at_rest(page)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text(f"{6 + MORE} answered").first).to_be_visible(timeout=SLOW)
        page.get_by_role("tab", name="Report", exact=True).click()
        alike = page.get_by_text("gpt and people find 2 of 3 answers alike.")
        expect(alike).to_be_visible(timeout=SLOW)
    assert set(server.counts.values()) == {1}
    assert answered.state("q2").verdicts == {"gpt": False}


def _bring_in(page: Page, folder: Path) -> None:
    file = jsonl(folder / "more.jsonl", [case(f"r{number}", "small") for number in range(MORE)])
    page.locator('[data-testid="stFileUploader"] input').set_input_files(file)
    expect(page.get_by_text("more.jsonl")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(f"{MORE} new, 0 already here.")).to_be_visible(timeout=SLOW)
    at_rest(page)
