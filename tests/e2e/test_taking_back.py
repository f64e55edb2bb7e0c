"""Undo stays on the open item; a submission is taken back by an act that names it and asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

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
    picture,
    press,
    saved,
    take_back,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
DIALOG = "dialog-take-back"


@pytest.fixture
def ara(page: Page, address: str) -> Page:
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    return page


def submitted(page: Page) -> None:
    """Submit the first question, so that the second is open."""
    press(page, "a Control+Enter")
    on_item(page, "en-02")


def says(page: Page, words: str) -> None:
    expect(page.get_by_test_id("message")).to_contain_text(words, timeout=SLOW)


def stands(page: Page, status: str) -> None:
    expect(page.get_by_test_id("item-status")).to_have_text(status, timeout=SLOW)


def test_a_submission_is_taken_back_by_an_act_that_names_it_and_asks(ara: Page) -> None:
    nothing_to_take_back_is_said(ara)
    submitted(ara)
    from_what_was_just_submitted_and_only_if_it_is_meant(ara)
    submitted(ara)
    is_whole_at_every_width(ara)
    a_reload_forgets_the_notice_and_not_the_way_back(ara)
    press(ara, "Control+Enter")
    on_item(ara, "en-02")
    undo_reaches_no_other_item(ara)


def test_a_draft_and_what_was_skipped_stay_what_they_are(ara: Page, workspace: Path) -> None:
    what_was_skipped_is_gone_back_to_and_undone_there(ara)
    submitted(ara)
    who_leaves_it_submitted_is_back_at_their_draft(ara)
    all_but_the_last_are_submitted(workspace)
    ara.reload()
    saved(ara)
    from_the_end_of_the_queue(ara)


def all_but_the_last_are_submitted(workspace: Path) -> None:
    """Submit what Kim Ara has not, but for the last of her queue."""
    ws = Workspace(workspace)
    person = next(each.id for each in list_people(ws, "sample") if each.name == "Kim Ara")
    for entry in [each for each in queue(ws, person) if each.status != "submitted"][:-1]:
        first = open_item(ws, person, entry.item_id).candidates[0]
        label(ws, person, entry.item_id, first.unit_id, "accept")
        submit(ws, person, entry.item_id)
    ws.engine.dispose()


def undo_reaches_no_other_item(ara: Page) -> None:
    press(ara, "z")
    says(ara, "Nothing to undo")
    on_item(ara, "en-02")
    press(ara, "q")
    on_item(ara, "en-01")
    press(ara, "z")
    says(ara, "Take it back to change it")
    stands(ara, "Submitted")
    assert decisions(ara)[0] == "accept"


def from_what_was_just_submitted_and_only_if_it_is_meant(ara: Page) -> None:
    says(ara, "Question en-01 submitted.")
    picture(ara, "take-back-notice")
    ara.get_by_test_id("way-back").click()
    asked = ara.get_by_test_id(DIALOG)
    expect(asked).to_contain_text("Take back your submission of en-01?", timeout=SLOW)
    expect(ara.get_by_test_id("take-back-confirm")).to_be_focused()
    picture(ara, "take-back-dialog")
    ara.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    on_item(ara, "en-02")  # where the person was
    press(ara, "q")
    on_item(ara, "en-01")
    stands(ara, "Submitted")
    ara.get_by_test_id("take-back").click()
    ara.get_by_test_id("take-back-keep").click()
    stands(ara, "Submitted")
    take_back(ara, "en-01")
    stands(ara, "Draft")
    assert decisions(ara)[0] == "accept"
    press(ara, "z")  # undo is the draft's again
    assert decisions(ara)[0] == ""


def a_reload_forgets_the_notice_and_not_the_way_back(ara: Page) -> None:
    ara.reload()
    on_item(ara, "en-02")
    take_back(ara, "en-01")


def who_leaves_it_submitted_is_back_at_their_draft(ara: Page) -> None:
    press(ara, "r")
    for by_key in (True, False):
        ara.keyboard.press("Shift+Z")
        expect(ara.get_by_test_id(DIALOG)).to_contain_text("en-01", timeout=SLOW)
        if by_key:
            ara.keyboard.press("Escape")
        else:
            ara.get_by_test_id("take-back-keep").click()
        on_item(ara, "en-02")
        stands(ara, "Draft")
    assert decisions(ara)[0] == "reject"


SPILL = "viewer => viewer.scrollWidth - viewer.clientWidth"
WHOLE = "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight"


def is_whole_at_every_width(ara: Page) -> None:
    message = ara.get_by_test_id("message")
    list_pane = ara.locator(".panes")
    for width in (1440, 1280, 1024, 768, 390):
        ara.set_viewport_size({"width": width, "height": 900})
        top = box_of(list_pane)
        press(ara, "z")
        expect(message).to_contain_text("⇧ z", timeout=SLOW)
        assert message.evaluate(WHOLE), width
        if width > 1000:
            assert ara.get_by_test_id("mapping-viewer").evaluate(SPILL) <= 0, width
        picture(ara, f"take-back-message-{width}")
        if width == 1440:
            assert box_of(list_pane) == top, "the work stays where it is"
    ara.set_viewport_size({"width": 1440, "height": 900})


def what_was_skipped_is_gone_back_to_and_undone_there(ara: Page) -> None:
    ara.keyboard.press("s")
    field = ara.get_by_role("dialog").get_by_role("textbox")
    ara.keyboard.press("2")
    expect(field).to_have_value("Want to ask somebody")  # a digit chooses a reason at hand
    ara.keyboard.type(" more")
    expect(field).to_have_value("2 more")  # who types on meant the digit
    ara.keyboard.press("Control+Enter")
    on_item(ara, "en-02")
    says(ara, "Question en-01 skipped.")
    press(ara, "z")
    says(ara, "Nothing to undo")
    press(ara, "q")
    on_item(ara, "en-01")
    stands(ara, "Skipped")
    press(ara, "z")
    stands(ara, "To do")


def nothing_to_take_back_is_said(ara: Page) -> None:
    press(ara, "Shift+Z")
    says(ara, "no submission that can be taken back")
    press(ara, "z")
    expect(ara.get_by_test_id("message")).to_have_text("Nothing to undo on this question.")
    expect(ara.get_by_test_id(DIALOG)).to_have_count(0)


def from_the_end_of_the_queue(ara: Page) -> None:
    while not ara.get_by_test_id("finished").count():
        identity = ara.get_by_test_id("item-id").inner_text()
        press(ara, "x Control+Enter")
        expect(ara.get_by_test_id("item-id")).not_to_have_text(identity, timeout=SLOW)
        saved(ara)
    expect(ara.get_by_test_id("take-back")).to_be_visible()
    press(ara, "z")
    says(ara, "Nothing to undo")
    picture(ara, "take-back-finished")
    take_back(ara, identity)
    press(ara, "Control+Enter")
    ara.get_by_test_id("take-back").click(timeout=SLOW)
    expect(ara.get_by_test_id(DIALOG)).to_contain_text(identity, timeout=SLOW)
