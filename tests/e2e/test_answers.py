"""A researcher counts the calls, asks under two contexts, and opens an answer by provision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, choose, tick, visit
from tests.e2e.ready import running_app
from tests.llm.server import Step, scripted
from tests.projects.answers_project import standing
from tests.projects.closure_law import REPORT
from tests.projects.closure_project import SLUG, ferry

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ANSWER = {
    REPORT: ["[제1항] 나룻배를 부리려는 자는 신고한다."],
    "나루법_99조": ["[제1항] 없는 조문이다."],
    "answer": "신고하지 않으면 과태료를 냅니다. <b>나루법 제1조</b>",
}


def test_a_model_is_asked_under_stated_contexts(page: Page, tmp_path: Path) -> None:
    found = ferry(tmp_path / "workspace")
    found.ws.engine.dispose()
    with scripted() as server, running_app(found.ws.folder) as address:
        server.plays(found.ws.folder)
        server.on("JSON:", Step(text=json.dumps(ANSWER, ensure_ascii=False)))
        server.on("", Step("refuse", text="답할 수 없습니다."))
        visit(page, address, "answers", SLUG, found.lead)
        expect(page.get_by_text("Count the calls first")).to_be_visible(timeout=SLOW)
        for label, option in (("Contexts", "Oracle"), ("Formats", "By provision (JSON)")):
            choose(page.get_by_role("combobox", name=label), option)
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Count the calls and the cost").click()
        expect(page.get_by_role("button", name="Ask (14 answers)")).to_be_visible(timeout=SLOW)
        assert not server.seen
        page.get_by_role("button", name="Ask (14 answers)").click()
        expect(page.get_by_text("14 answers wanted, 14 kept")).to_be_visible(timeout=SLOW)
        page.get_by_role("radio", name="Results").click()
        expect(page.get_by_text("Select a system to see its answers.")).to_be_visible(timeout=SLOW)
        tables = page.get_by_test_id("stDataFrame")
        tick(tables.first, 3, page.get_by_text("Select an answer to open it"))
        tick(tables.nth(1), 1, page.get_by_text("What the model was given (10)"))
        expect(page.locator(".plain-text", has_text="<b>나루법").first).to_be_visible(timeout=SLOW)
        visit(page, address, "answers", SLUG, found.ann)
        expect(page.get_by_text("read others' labels")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("gpt")).to_have_count(0)
    states = [each.state for each in standing(Workspace(found.ws.folder))]
    assert (states.count("refused"), states.count("answered")) == (10, 4)
