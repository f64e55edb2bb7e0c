"""Deciding whole cases by keyboard alone, and withdrawing a decision."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.adjudication.disputes import queue
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.keyboard import keys_alone
from tests.e2e.people import SLOW, at_rest, box_of, go_to, require_sound
from tests.e2e.ready import running_app
from tests.pages import small_project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
AT_ONCE = 150  # milliseconds in which a key moves the focus
_MOVED = """() => new Promise((done) => {
  const [begun, before] = [performance.now(), document.querySelector("[data-focused]")];
  const look = () => {
    if (document.querySelector("[data-focused]") !== before) done(performance.now() - begun);
    else requestAnimationFrame(look);
  };
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "j", code: "KeyJ", bubbles: true }));
  look();
})"""


def on_case(page: Page, case: str) -> None:
    expect(page.get_by_role("heading", name=re.compile(case)).first).to_be_visible(timeout=SLOW)
    at_rest(page)


def press(page: Page, *keys: str) -> None:
    """Press keys, waiting after each for what it asked of the server."""
    for key in keys:
        page.keyboard.press(key)
        at_rest(page)


def the_question_stays_beside_the_provisions(page: Page) -> None:
    before = page.viewport_size
    for width, height in ((1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        bar = box_of(page.locator(".st-key-decision-bar"))["y"]
        marks = page.locator("[class*=st-key-part-]").first.get_by_text(": accept").first
        assert box_of(marks)["y"] < bar, "both sides' marks are there without scrolling"
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, 160)")
        heading = page.get_by_role("heading", name=re.compile("Question q2"))
        assert 0 < box_of(heading)["y"] < bar
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.set_viewport_size(before or {"width": 1280, "height": 720})


def test_a_question_is_decided_and_taken_back(page: Page, tmp_path: Path) -> None:
    small = small_project.annotated_project(Workspace(tmp_path / "ws", FakeClock()))
    focus, ticked = page.locator("[data-focused]"), page.get_by_role("checkbox", name="Gold:")
    with running_app(small.workspace.folder) as address:
        place = f"adjudication?project={small_project.SLUG}&person={small.sora.id}"
        the_bar_leaves_a_phone_to_the_case(page, f"{address}/{place}")
        on_case(page, "q2")
        the_question_stays_beside_the_provisions(page)
        assert page.evaluate(_MOVED) < AT_ONCE
        with keys_alone(page):
            told = page.get_by_test_id("case-told")
            page.keyboard.press("n")
            page.keyboard.press(
                "Control+Enter"
            )  # before the next case is drawn: it decides no other
            on_case(page, "q4")
            expect(page.get_by_text("Enter a reason")).to_have_count(0)
            press(page, "p")
            on_case(page, "q2")
            press(page, "Shift+Z")
            expect(told).to_contain_text("no decision of yours to withdraw")
            press(page, "j", "k")
            expect(told).to_be_hidden()
            expect(focus).to_contain_text("제2조")  # on which the sides differ
            press(page, "a")
            expect(ticked.first).to_be_checked(timeout=SLOW)
            press(page, "z")
            expect(ticked.first).not_to_be_checked(timeout=SLOW)
            press(page, "2")  # the second side accepts both
            expect(ticked.first).to_be_checked(timeout=SLOW)
            press(page, "r", "a")
            press(page, "?")
            keys = page.get_by_test_id("dialog-keys")
            expect(keys).to_contain_text("Accept the current candidate")
            press(page, "Escape", "w")
            page.keyboard.type("jkarn")  # while writing, letters are letters
            expect(page.get_by_role("textbox", name="Reason")).to_have_value("jkarn")
            press(page, "Escape", "z")
            expect(page.get_by_role("textbox", name="Reason")).to_have_value("")
            press(page, "Control+Enter")
            expect(page.get_by_text("Enter a reason")).to_be_visible(timeout=SLOW)
            expect(page.get_by_role("textbox", name="Reason")).to_be_focused()
            page.keyboard.type("Article 2 asks for the check.")
            expect(page.get_by_text("Enter a reason")).to_be_hidden()
            press(page, "Escape", "n")
            on_case(page, "q4")
            expect(page.get_by_role("textbox", name="Reason")).to_have_value("")
            press(page, "p")
            on_case(page, "q2")
            press(page, "Control+Enter")
            on_case(page, "q4")
            kept = "Object.keys(sessionStorage).some((key) => key.includes('case-'))"
            assert not page.evaluate(kept), "what was decided is not kept as typed"
            assert queue(small.workspace, small.sora.id)[0].decision
            press(page, "Shift+Z")
            expect(page.get_by_role("button", name="Withdraw q2? Press again")).to_be_visible()
            [q2, _] = queue(small.workspace, small.sora.id)
            assert q2.decision, "one press asks"
            press(page, "Shift+Z")
            on_case(page, "q2")
            expect(page.get_by_text("The decision on q2 is withdrawn")).to_be_visible(timeout=SLOW)
            [q2, _] = queue(small.workspace, small.sora.id)
            assert (q2.state, q2.decision) == ("open", None)
            expect(page.get_by_role("textbox", name="Reason")).to_have_value(
                "Article 2 asks for the check."
            )
            press(page, "Control+Enter")
            on_case(page, "q4")
            press(page, "p", "n")
        go_to(page, "Gold")
        go_to(page, "Adjudication")
        on_case(page, "q4")
        page.keyboard.press("w")
        page.keyboard.type("Is the flag right?")
        page.reload()  # while it is being typed
        on_case(page, "q4")
        reason = page.get_by_role("textbox", name="Reason")
        expect(reason).to_have_value("Is the flag right?", timeout=SLOW)
        ticked.first.check(force=True)
        at_rest(page)
        page.reload()
        on_case(page, "q4")
        expect(ticked.first).to_be_checked(timeout=SLOW)
        expect(reason).to_have_value("Is the flag right?")
        page.keyboard.press("w")
        page.keyboard.press("End")
        page.keyboard.type("?")
        expect(page.get_by_text("to apply")).to_be_hidden()
        page.keyboard.press("Control+b")  # with the cursor in the reason
        expect(page.get_by_text("q4 was sent back")).to_be_visible(timeout=SLOW)
        [_, q4] = queue(small.workspace, small.sora.id)
        assert q4.state == "sent_back"
    require_sound(small.workspace)


def the_bar_leaves_a_phone_to_the_case(page: Page, link: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(link)
    on_case(page, "q2")
    bar, decide = page.locator(".st-key-decision-bar"), page.get_by_role("button", name="Decide")
    assert box_of(bar)["height"] < 844 / 4
    expect(decide).to_be_in_viewport()
    expect(page.get_by_role("button", name="Undo entry")).to_be_in_viewport()
    page.set_viewport_size({"width": 844, "height": 390})  # on its side
    expect(decide).not_to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    message = page.get_by_role("textbox", name="Write to the annotators")
    expect(message).not_to_be_in_viewport()
    page.get_by_test_id("open-discussion").click()
    expect(message).to_be_in_viewport(timeout=SLOW)
    assert box_of(message)["y"] < box_of(bar)["y"], "above the bar"
    page.set_viewport_size({"width": 1440, "height": 900})
