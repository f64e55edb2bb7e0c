"""Closure in a real browser: a lead reads what gold lacks, dismisses one and sends one back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.work.discussions import open_discussions
from services.closure.report import check
from tests.e2e.people import SLOW, at_rest, box_of, come_in, picture
from tests.e2e.ready import command_line, running_app
from tests.e2e.test_law_as_data import TRIES
from tests.projects.closure_law import FINE, INSPECTION
from tests.projects.closure_project import SLUG, ferry

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_a_lead_dismisses_one_and_sends_another_back(page: Page, tmp_path: Path) -> None:
    made = ferry(tmp_path / "ferry")
    with running_app(made.ws.folder) as address:
        come_in(page, f"{address}/?project={SLUG}", "Lee ·", "closure")
        expect(page.get_by_text("By rule").first).to_be_visible(timeout=SLOW)
        select(page, 2, "q2")
        picture(page, "closure-queue")
        page.get_by_role("button", name="Dismiss these").click()
        expect(page.get_by_text("A reason is missing")).to_be_visible(timeout=SLOW)
        page.get_by_label("Reason (required to dismiss").fill("Rafts were not asked about.")
        page.get_by_role("button", name="Dismiss these").click()
        expect(page.get_by_text("q2: dismissed.")).to_be_visible(timeout=SLOW)
        at_rest(page)
        select(page, 1, "q1")
        marked = page.locator(f".st-key-closure-question-{made.items['q1']}-question .match")
        expect(marked).to_have_text("과태료", timeout=SLOW)
        box = page.get_by_role("checkbox", name="나루법 시행령 제7조 과태료의 부과기준")
        page.get_by_text(
            "나루법 시행령 제7조 과태료의 부과기준"
        ).last.click()  # the criteria stay out
        expect(box).not_to_be_checked(timeout=SLOW)
        picture(page, "closure-proposal")
        page.get_by_role("button", name="Send back with these").click()
        expect(page.get_by_text("q1 is sent back with the proposal")).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_role("radio", name="Paragraph references").click()
        expect(page.get_by_text("have such a reference.")).to_be_visible(timeout=SLOW)
        picture(page, "closure-audit")
        page.get_by_role("radio", name="Rules", exact=True).click()
        expect(page.get_by_text("Version 1 is in use.")).to_be_visible(timeout=SLOW)
        picture(page, "closure-rules")
    found = {
        each.case.external_id: {one.unit: one.state for one in each.proposals}
        for each in check(made.ws, SLUG).queue
    }
    assert found["q1"] == {FINE: "sent_back"} and found["q2"] == {INSPECTION: "dismissed"}
    with made.ws.reading() as session:
        talk = open_discussions(session, 1)[made.items["q1"]]
    assert "나루법 제10조" in talk.row.reason
    done = command_line(made.ws.folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def select(page: Page, number: int, question: str) -> None:
    """Tick a row of the queue, and wait for its question."""
    table = page.locator("[class*=st-key-closure-sets-]").get_by_test_id("stDataFrame")
    for _ in range(TRIES):
        at_rest(page)
        table.scroll_into_view_if_needed()
        box = box_of(table)
        page.mouse.click(box["x"] + 16, box["y"] + 17 + 35 * number)
        try:
            shown = page.get_by_text(f"{question} · question")
            expect(shown).to_be_visible(timeout=SLOW / TRIES)
        except AssertionError:
            continue
        return
    raise AssertionError("no gold set opened")
