"""What one wrote and submitted: nothing of it is lost or does harm, and a submission is taken back.

Undo stays on the open item; a submission is taken back by an act that names it and asks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.mapping.commands import label
from annotation.people.members import list_people
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from storage.db.workspace import Workspace
from tests.e2e.people import (
    SLOW,
    box_of,
    come_in,
    decisions,
    on_item,
    open_from_queue,
    press,
    saved,
    take_back,
)
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
DIALOG = "dialog-take-back"
SCRIPT = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'
ODD = "\u202eright\u202c \u200bzero **bold** $x$"
SPILL = "viewer => viewer.scrollWidth - viewer.clientWidth"
WHOLE = "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight"


def says(page: Page, words: str) -> None:
    expect(page.get_by_test_id("message")).to_contain_text(words, timeout=SLOW)


def stands(page: Page, status: str) -> None:
    expect(page.get_by_test_id("item-status")).to_have_text(status, timeout=SLOW)


def test_what_one_wrote_and_submitted_is_kept_or_taken_back(
    page: Page, address: str, workspace: Path, tmp_path: Path
) -> None:
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    nothing_to_take_back_is_said(page)
    no_text_does_harm_or_is_lost(page)
    press(page, "Escape a Alt+4")
    page.reload()
    on_item(page, "en-01")
    expect(page.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    press(page, "Control+Enter")
    on_item(page, "en-02")
    from_what_was_just_submitted_and_only_if_it_is_meant(page)
    press(page, "a Control+Enter")
    on_item(page, "en-02")
    a_message_is_whole_at_every_width(page)
    a_reload_forgets_the_notice_and_not_the_way_back(page)
    undo_reaches_no_other_item(page)
    what_was_skipped_is_gone_back_to_and_undone_there(page)
    who_leaves_it_submitted_is_back_at_their_draft(page)
    a_comment_on_a_question_that_was_closed_meanwhile_waits_for_it(page, workspace, tmp_path)
    all_but_the_last_are_submitted(workspace)
    page.reload()
    saved(page)
    from_the_end_of_the_queue(page)


def nothing_to_take_back_is_said(page: Page) -> None:
    press(page, "Shift+Z")
    says(page, "no submission that can be taken back")
    press(page, "z")
    expect(page.get_by_test_id("message")).to_have_text("Nothing to undo on this question.")
    expect(page.get_by_test_id(DIALOG)).to_have_count(0)


def no_text_does_harm_or_is_lost(page: Page) -> None:
    page.keyboard.press("t")
    box = page.get_by_test_id("thread-text")
    for text in (SCRIPT, ODD):
        box.fill(text)
        page.keyboard.press("Control+Enter")
        saved(page)
        expect(box).to_have_value("")
        written = re.compile(re.escape(text[:20]))
        expect(in_thread(page).last).to_have_text(written, timeout=SLOW)
    fill_every_field(page)
    box.fill("\u200b\u200b")
    box.press("Control+Enter")
    says(page, "is empty")
    expect(box).to_have_value("\u200b\u200b")
    box.fill("half a message")
    page.reload()
    on_item(page, "en-01")
    page.keyboard.press("t")
    expect(box).to_have_value("half a message")
    expect(page.get_by_test_id("comment")).to_have_value(SCRIPT)
    expect(in_thread(page)).to_have_count(2, timeout=SLOW)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img[src=x]").count() == 0


def in_thread(page: Page) -> Locator:
    return page.get_by_test_id("message-said")


def fill_every_field(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.insert_text(SCRIPT)
    press(page, "Escape f")
    page.keyboard.insert_text(SCRIPT)
    press(page, "Enter")
    expect(page.get_by_test_id("flag")).to_have_attribute("title", re.compile("onerror"))
    page.keyboard.press("/")
    page.keyboard.insert_text(SCRIPT)
    expect(
        page.get_by_text("Nothing found").or_(page.get_by_test_id("search-hit")).first
    ).to_be_visible(timeout=SLOW)
    press(page, "Escape")


def from_what_was_just_submitted_and_only_if_it_is_meant(page: Page) -> None:
    says(page, "Question en-01 submitted.")
    page.get_by_test_id("way-back").click()
    asked = page.get_by_test_id(DIALOG)
    expect(asked).to_contain_text("Take back your submission of en-01?", timeout=SLOW)
    expect(page.get_by_test_id("take-back-confirm")).to_be_focused()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    on_item(page, "en-02")  # where the person was
    expect(page.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "false")
    press(page, "q")
    on_item(page, "en-01")
    stands(page, "Submitted")
    page.get_by_test_id("take-back").click()
    page.get_by_test_id("take-back-keep").click()
    stands(page, "Submitted")
    take_back(page, "en-01")
    stands(page, "Draft")
    assert decisions(page)[0] == "accept"
    expect(page.get_by_test_id("sure-4")).to_have_attribute("aria-pressed", "true")
    press(page, "z")  # undo is the draft's again
    assert decisions(page)[0] == ""


def a_message_is_whole_at_every_width(page: Page) -> None:
    message = page.get_by_test_id("message")
    list_pane = page.locator(".panes")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        top = box_of(list_pane)
        press(page, "z")
        expect(message).to_contain_text("⇧ z", timeout=SLOW)
        assert message.evaluate(WHOLE), width
        if width > 1000:
            assert page.get_by_test_id("mapping-viewer").evaluate(SPILL) <= 0, width
        if width == 1440:
            assert box_of(list_pane) == top, "the work stays where it is"
    page.set_viewport_size({"width": 1440, "height": 900})


def a_reload_forgets_the_notice_and_not_the_way_back(page: Page) -> None:
    page.reload()
    on_item(page, "en-02")
    take_back(page, "en-01")
    press(page, "Control+Enter")
    on_item(page, "en-02")


def undo_reaches_no_other_item(page: Page) -> None:
    press(page, "z")
    says(page, "Nothing to undo")
    on_item(page, "en-02")
    press(page, "q")
    on_item(page, "en-01")
    press(page, "z")
    says(page, "Take it back to change it")
    stands(page, "Submitted")
    assert decisions(page)[0] == "accept"
    open_from_queue(page, "en-02")


def what_was_skipped_is_gone_back_to_and_undone_there(page: Page) -> None:
    page.keyboard.press("s")
    field = page.get_by_role("dialog").get_by_role("textbox")
    page.keyboard.press("2")
    expect(field).to_have_value("Want to ask somebody")  # a digit chooses a reason at hand
    page.keyboard.type(" more")
    expect(field).to_have_value("2 more")  # who types on meant the digit
    page.keyboard.press("Control+Enter")
    on_item(page, "en-03")
    says(page, "Question en-02 skipped.")
    press(page, "z")
    says(page, "Nothing to undo")
    press(page, "q")
    on_item(page, "en-02")
    stands(page, "Skipped")
    press(page, "z")
    stands(page, "To do")


def who_leaves_it_submitted_is_back_at_their_draft(page: Page) -> None:
    press(page, "a Control+Enter")
    on_item(page, "en-03")
    press(page, "r")
    for by_key in (True, False):
        page.keyboard.press("Shift+Z")
        expect(page.get_by_test_id(DIALOG)).to_contain_text("en-02", timeout=SLOW)
        if by_key:
            page.keyboard.press("Escape")
        else:
            page.get_by_test_id("take-back-keep").click()
        on_item(page, "en-03")
        stands(page, "Draft")
    assert decisions(page)[0] == "reject"


def a_comment_on_a_question_that_was_closed_meanwhile_waits_for_it(
    page: Page, workspace: Path, tmp_path: Path
) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("en-03\n", "utf-8")
    assign(workspace, "make", "Third", "--person", "Kim Ara", "--overlap", "1", "--ids", str(ids))
    page.reload()
    on_item(page, "en-03")
    press(page, "a")
    assign(workspace, "close", "Third")
    page.keyboard.press("c")
    page.keyboard.insert_text("half a thought")
    expect(page.get_by_test_id("item-id")).not_to_have_text("en-03", timeout=SLOW)
    assign(workspace, "close", "Third", "--reopen")
    page.keyboard.press("Escape")
    open_from_queue(page, "en-03")
    expect(page.get_by_test_id("comment")).to_have_value("half a thought")
    saved(page)
    page.reload()
    on_item(page, "en-03")
    expect(page.get_by_test_id("comment")).to_have_value("half a thought")


def assign(workspace: Path, *words: str) -> None:
    done = command_line(workspace, "assign", *words)
    assert done.returncode == 0, done.stderr


def all_but_the_last_are_submitted(workspace: Path) -> None:
    """Submit what Kim Ara has not, but for the last of her queue."""
    ws = Workspace(workspace)
    person = next(each.id for each in list_people(ws, "sample") if each.name == "Kim Ara")
    for entry in [each for each in queue(ws, person) if each.status != "submitted"][:-1]:
        first = open_item(ws, person, entry.item_id).candidates[0]
        label(ws, person, entry.item_id, first.unit_id, "accept")
        submit(ws, person, entry.item_id)
    ws.engine.dispose()


def from_the_end_of_the_queue(page: Page) -> None:
    while not page.get_by_test_id("finished").count():
        identity = page.get_by_test_id("item-id").inner_text()
        press(page, "x Control+Enter")
        expect(page.get_by_test_id("item-id")).not_to_have_text(identity, timeout=SLOW)
        saved(page)
    expect(page.get_by_test_id("take-back")).to_be_visible()
    press(page, "z")
    says(page, "Nothing to undo")
    take_back(page, identity)
    press(page, "Control+Enter")
    page.get_by_test_id("take-back").click(timeout=SLOW)
    expect(page.get_by_test_id(DIALOG)).to_contain_text(identity, timeout=SLOW)
