"""What is typed beside the decisions outlives a page that goes away and a dialog that is closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.ocr_bench import bench
from tests.e2e.people import SLOW, at_rest, come_in
from tests.e2e.ready import running_app
from tests.pages.small_project import SLUG, annotated_project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ADDRESS = "http://bench.test/"
BLOCK: dict[str, Any] = {"kind": "paragraph", "text": "Lamps.", "box": None, "doubt": []}


def test_what_is_typed_is_there_again(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 800})
    page = context.new_page()
    body = bench([BLOCK])
    page.route(f"{ADDRESS}**", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.on("dialog", lambda asked: asked.accept())
    page.goto(ADDRESS)
    comment = page.get_by_test_id("comment")
    comment.click()
    page.keyboard.type("The seal hides a word")
    page.reload()  # before the pause after which it is sent
    expect(comment).to_have_value("The seal hides a word")
    page.wait_for_function("acts.some((act) => act.kind === 'comment')")
    expect(page.get_by_test_id("ocr-viewer")).to_have_attribute("data-save", "saved")
    assert page.evaluate("sessionStorage.length") == 0, "the server has it"

    page.get_by_test_id("flag").click()
    page.keyboard.type("half typed")
    page.keyboard.press("Escape")
    page.get_by_test_id("flag").click()
    reason = page.get_by_test_id("dialog-flag").get_by_role("textbox")
    expect(reason).to_have_value("half typed")
    page.keyboard.press("Enter")
    page.wait_for_function("acts.some((act) => act.reason === 'half typed')")
    page.get_by_test_id("skip").click()
    expect(page.get_by_test_id("dialog-skip").get_by_role("textbox")).to_have_value("")


def test_what_an_adjudicator_types_is_there_again(browser: Browser, tmp_path: Path) -> None:
    small = annotated_project(Workspace(tmp_path / "ws", FakeClock()))
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    reason = page.get_by_role("textbox", name="Reason")
    missing = page.get_by_text("Enter a reason")
    with running_app(small.workspace.folder) as address:
        come_in(page, f"{address}/?project={SLUG}", "Lee Sora ·", "adjudication")
        on_case(page, "q2")
        page.keyboard.press("Control+Enter")
        expect(missing).to_be_visible(timeout=SLOW)
        expect(reason).to_be_focused(timeout=SLOW)
        page.keyboard.type("Article 2")
        expect(missing).to_be_hidden()
        page.reload()  # while it is being typed
        on_case(page, "q2")
        expect(reason).to_have_value("Article 2", timeout=SLOW)
        at_rest(page)
        page.keyboard.press("n")
        on_case(page, "q4")
        expect(reason).to_have_value("")
        page.keyboard.press("p")
        on_case(page, "q2")
        expect(reason).to_have_value("Article 2", timeout=SLOW)
        page.keyboard.press("Control+Enter")
        on_case(page, "q4")
        assert not page.evaluate("Object.keys(sessionStorage).some((key) => key.includes('case-'))")


def on_case(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name).first).to_be_visible(timeout=SLOW)
    at_rest(page)
