"""Deciding whole cases by keyboard alone, in every task, and withdrawing a decision."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.adjudication.tasks import Dispute, disputes_of
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.annotation.judging import answered
from tests.conftest import FakeClock
from tests.e2e.keyboard import keys_alone
from tests.e2e.people import SLOW, at_rest, box_of, come_in, go_to
from tests.e2e.ready import command_line, running_app
from tests.pages import small_project
from tests.projects import mcq_project, tagged_project

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


def sit_down(page: Page, address: str, project: str, name: str, case: str) -> None:
    come_in(page, f"{address}/?project={project}", f"{name} ·", "adjudication")
    on_case(page, case)


def on_case(page: Page, case: str) -> None:
    expect(page.get_by_role("heading", name=re.compile(case)).first).to_be_visible(timeout=SLOW)
    at_rest(page)


def press(page: Page, *keys: str) -> None:
    """Press keys, waiting after each for what it asked of the server."""
    for key in keys:
        page.keyboard.press(key)
        at_rest(page)


def give_reason(page: Page, words: str) -> None:
    page.keyboard.press("w")
    page.keyboard.type(words)
    press(page, "Escape")


def found(ws: Workspace, task: Task, by: int) -> list[Dispute]:
    return list(disputes_of(task).queue(ws, by))


def sound(ws: Workspace) -> None:
    done = command_line(ws.folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr


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
        sit_down(page, address, small_project.SLUG, "Lee Sora", "q2")
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
            press(page, "Escape", "Control+Enter")
            on_case(page, "q4")
            assert found(small.workspace, Task.CITATION_MAPPING, small.sora.id)[0].decision
            press(page, "Shift+Z")
            expect(page.get_by_role("button", name="Withdraw q2? Press again")).to_be_visible()
            [q2, _] = found(small.workspace, Task.CITATION_MAPPING, small.sora.id)
            assert q2.decision, "one press asks"
            press(page, "Shift+Z")
            on_case(page, "q2")
            expect(page.get_by_text("The decision on q2 is withdrawn")).to_be_visible(timeout=SLOW)
            [q2, _] = found(small.workspace, Task.CITATION_MAPPING, small.sora.id)
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
        [_, q4] = found(small.workspace, Task.CITATION_MAPPING, small.sora.id)
        assert q4.state == "sent_back"
    sound(small.workspace)


def test_an_mcq_is_decided(page: Page, tmp_path: Path) -> None:
    house = mcq_project.build(tmp_path / "mcq", number=2)
    for item in house.items:
        mcq_project.submitted(house, house.ann, item)
        mcq_project.submitted(house, house.ben, item, "drop", cause="unclear", reason="Why?")
    with running_app(house.ws.folder) as address:
        sit_down(page, address, mcq_project.SLUG, "Cho", "mcq-001")
        with keys_alone(page):
            press(page, "j", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")  # keep, fix, drop
            press(page, "j", "ArrowRight", "Enter")  # the first cause
            give_reason(page, "A says it already.")
            press(page, "Control+Enter")
            on_case(page, "mcq-002")
            press(page, "1")
            give_reason(page, "It needs both.")
            press(page, "Control+Enter")
            expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)
        made = [each.decision for each in found(house.ws, Task.MCQ_SOLVABILITY, house.judge)]
        assert [each.answers["verdict"] for each in made if each] == ["drop", "keep"]  # type: ignore[attr-defined]
        with keys_alone(page):
            press(page, "Shift+Z", "Shift+Z")
            on_case(page, "mcq-002")
    assert found(house.ws, Task.MCQ_SOLVABILITY, house.judge)[1].state == "open"
    sound(house.ws)


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


def test_tags_are_decided(page: Page, tmp_path: Path) -> None:
    house = tagged_project.build(tmp_path / "tags", FakeClock(), number=1)
    tagged_project.tag(house, house.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(house, house.ben, 0, weapon="gun", motives="fear")
    with running_app(house.ws.folder) as address:
        sit_down(page, address, tagged_project.SLUG, "Cho", "case-1")
        with keys_alone(page):
            press(page, "j", "2")  # of this part alone the second side
            press(page, "j", "ArrowRight", "Enter")
            give_reason(page, "So the judgment says.")
            press(page, "Control+Enter")
            expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)
            [made] = found(house.ws, Task.FACTOR_TAGGING, house.judge)
            answers = made.decision.answers  # type: ignore[union-attr]
            assert (answers["weapon"]["options"], answers["motives"]["options"]) == (
                ["gun"],
                ["money"],
            )
            press(page, "Shift+Z", "Shift+Z")
            on_case(page, "case-1")
    assert found(house.ws, Task.FACTOR_TAGGING, house.judge)[0].state == "open"
    sound(house.ws)


def test_a_rating_is_decided(page: Page, tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    house = answered.build(tmp_path / "answers", FakeClock())
    house.rate(house.ann, True)
    house.rate(house.ben, False)
    with running_app(house.ws.folder) as address:
        sit_down(page, address, answered.SLUG, "Ada", "q1")
        with keys_alone(page):
            press(page, "r")
            give_reason(page, "Article 1 asks for a lamp.")
            press(page, "Control+Enter")
            expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)
            assert house.state().outcome == "settled"
            press(page, "Shift+Z", "Shift+Z")
            on_case(page, "q1")
    assert house.state().outcome == "differ"
    sound(house.ws)
