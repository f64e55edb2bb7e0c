"""An item open in two windows of one person: the later one is told before it overwrites."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import (
    SLOW,
    come_in,
    decisions,
    lead_to,
    on_item,
    open_from_queue,
    press,
    saved,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@dataclass
class Windows:
    """One item in two windows."""

    first: Page
    second: Page


def two(page: Page, address: str) -> Windows:
    come_in(page, address, "Kim Ara")
    on_item(page, "en-01")
    with page.context.expect_page() as opened:  # a window, for a tab behind another hardly draws
        page.evaluate("open(location.href, '', 'popup,noopener,width=1440,height=900')")
    second = opened.value
    second.set_viewport_size({"width": 1440, "height": 900})
    on_item(second, "en-01")
    return Windows(page, second)


def on_screen(windows: Windows, screen: str, identity: str) -> Windows:
    """Open another screen in both windows."""
    for page in (windows.first, windows.second):
        lead_to(page, f"/{screen}?{urlsplit(page.url).query.partition('&item=')[0]}")
        expect(page.get_by_test_id("item-id")).to_contain_text(identity, timeout=SLOW)
        saved(page)
    return windows


def go_on_to(windows: Windows, number: int) -> Windows:
    """Leave the open item as it is, and open another in both windows."""
    for page in (windows.first, windows.second):
        page.get_by_test_id("item-id").wait_for(timeout=SLOW)
        saved(page)
        open_from_queue(page, f"en-{number:02d}")
    return windows


def test_what_two_windows_do_to_one_item(page: Page, address: str) -> None:
    windows = two(page, address)
    the_later_window_is_told_and_keeps_what_holds(windows)
    the_later_window_says_it_again_knowingly(go_on_to(windows, 2))
    undo_names_what_another_window_did(go_on_to(windows, 4))
    what_bears_on_the_choice_waits_for_it(go_on_to(windows, 5))
    a_comment_in_two_windows(go_on_to(windows, 3))
    what_another_window_decided_is_said(go_on_to(windows, 6))
    one_window_never_meets_itself(go_on_to(windows, 7))
    the_last_of_several_acts_at_once_is_what_is_offered(go_on_to(windows, 8))
    an_answer_to_a_form(on_screen(windows, "answer_rating", "ko-14"))
    the_text_of_a_page(on_screen(windows, "ocr_correction", "decree-annex-2-ko"))


def met(page: Page, *words: str) -> None:
    for each in words:
        expect(page.get_by_test_id("met-text")).to_contain_text(each, timeout=SLOW)


def unmet(page: Page) -> None:
    expect(page.get_by_test_id("met")).to_be_hidden()


def the_later_window_is_told_and_keeps_what_holds(windows: Windows) -> None:
    press(windows.first, "r")
    press(windows.second, "a")
    met(windows.second, "Article 12", "“Reject”", "“Accept”")
    assert decisions(windows.second)[0] == "reject", "it shows what holds"
    press(windows.second, "Control+Enter")  # nothing is submitted past the choice
    on_item(windows.second, "en-01")
    press(windows.second, "Shift+T")
    unmet(windows.second)
    assert decisions(windows.second)[0] == "reject"


def the_later_window_says_it_again_knowingly(windows: Windows) -> None:
    press(windows.first, "r")
    press(windows.second, "a j a j u")  # what stood behind it is not lost
    met(windows.second, "“Reject”")
    windows.second.get_by_test_id("met_mine").click()
    saved(windows.second)
    assert decisions(windows.second)[:3] == ["accept", "accept", "unsure"]
    press(windows.second, "k k r a")  # its own acts go on from one another
    unmet(windows.second)
    windows.first.reload()
    on_item(windows.first, "en-02")
    assert decisions(windows.first)[:3] == ["accept", "accept", "unsure"]


def one_window_never_meets_itself(windows: Windows) -> None:
    page = windows.second
    for key in "aruuazrzzajakrzannz":
        page.keyboard.press(key)
    saved(page)
    unmet(page)
    page.keyboard.press("c")
    page.keyboard.type("first", delay=5)
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.keyboard.press("c")
    page.keyboard.type(" then", delay=5)
    page.keyboard.press("Escape")
    saved(page)
    unmet(page)
    expect(page.get_by_test_id("message")).to_be_hidden()


def a_comment_in_two_windows(windows: Windows) -> None:
    for page, text in ((windows.first, "theirs"), (windows.second, "mine")):
        page.keyboard.press("c")
        page.keyboard.type(text)
        press(page, "Escape")
    met(windows.second, "Comment", "“theirs”", "“mine”")
    expect(windows.second.get_by_test_id("comment")).to_have_value("mine")
    leave_first = windows.second.get_by_test_id("met_mine").get_by_text("Esc, then")
    expect(leave_first).to_be_hidden()
    windows.second.keyboard.press("c")
    expect(leave_first).to_be_visible()
    press(windows.second, "Escape Shift+M")
    saved(windows.second)
    unmet(windows.second)
    expect(windows.second.get_by_test_id("comment")).to_have_value("mine")


def undo_names_what_another_window_did(windows: Windows) -> None:
    press(windows.second, "a")
    windows.first.reload()
    on_item(windows.first, "en-04")
    press(windows.first, "j r")
    press(windows.second, "z")
    met(windows.second, "another window of yours", "Reject")
    assert decisions(windows.second)[:2] == ["accept", "reject"]
    press(windows.second, "Shift+M")
    unmet(windows.second)
    assert decisions(windows.second)[:2] == ["accept", ""]
    press(windows.second, "z")
    assert decisions(windows.second)[0] == ""


def choose_first(page: Page) -> None:
    expect(page.get_by_test_id("message")).to_contain_text("First choose", timeout=SLOW)


def what_bears_on_the_choice_waits_for_it(windows: Windows) -> None:
    page = windows.second
    press(windows.first, "r")
    press(page, "a")
    met(page, "“Reject”")
    for key in ("a", "n", "z", "s", "g"):
        press(page, key)
        choose_first(page)
        assert decisions(page)[0] == "reject"
    expect(page.get_by_test_id("no-provision")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press(page, "j a k")  # another provision bears on nothing here
    assert decisions(page)[:2] == ["reject", "accept"]
    press(page, "s Shift+T")
    unmet(page)
    expect(page.get_by_test_id("message")).to_be_hidden()
    assert decisions(page)[:2] == ["reject", "accept"]
    page.reload()
    on_item(page, "en-05")
    assert decisions(page)[:2] == ["reject", "accept"], "what the button named is what is kept"


def the_last_of_several_acts_at_once_is_what_is_offered(windows: Windows) -> None:
    press(windows.first, "r")
    windows.second.keyboard.press("a")
    press(windows.second, "u")
    met(windows.second, "“Reject”", "“Unsure”")
    press(windows.second, "Shift+M")
    unmet(windows.second)
    assert decisions(windows.second)[0] == "unsure"


def what_another_window_decided_is_said(windows: Windows) -> None:
    press(windows.first, "r")
    press(windows.second, "j a")
    said = windows.second.get_by_test_id("message")
    expect(said).to_contain_text("Another window of yours set 2.2 to “Reject”.")
    assert decisions(windows.second)[:2] == ["reject", "accept"]
    unmet(windows.second)


def an_answer_to_a_form(windows: Windows) -> None:
    press(windows.first, "a")
    press(windows.second, "r")
    met(windows.second, "Correct", "Incorrect")
    correct, incorrect = (
        windows.second.get_by_test_id(each) for each in ("rating-correct", "rating-incorrect")
    )
    expect(correct).to_have_attribute("aria-pressed", "true")
    press(windows.second, "Shift+M")
    expect(incorrect).to_have_attribute("aria-pressed", "true")
    unmet(windows.second)
    press(windows.second, "a r z z")
    unmet(windows.second)


def the_text_of_a_page(windows: Windows) -> None:
    first, second = windows.first, windows.second
    write(first, 0, " A")
    saved(first)
    write(second, 1, " B")
    expect(second.get_by_test_id("met")).to_be_visible(timeout=SLOW)
    assert text_of(second, 1).endswith(" B")
    second.get_by_test_id("met_theirs").click()
    unmet(second)
    assert (text_of(second, 0), text_of(second, 1)) == (text_of(first, 0), text_of(first, 1))
    write(second, 1, " C")
    saved(second)
    write(first, 1, " D")
    expect(first.get_by_test_id("met")).to_be_visible(timeout=SLOW)
    first.get_by_test_id("met_mine").click()
    saved(first)
    write(first, 2, " E")  # its own acts go on from one another
    saved(first)
    unmet(first)
    second.reload()
    on_item(second, "decree-annex-2-ko")
    assert [text_of(second, block)[-2:] for block in (0, 1, 2)] == [" A", " D", " E"]


def write(page: Page, block: int, text: str) -> None:
    page.bring_to_front()
    page.get_by_test_id("block-text").nth(block).click()
    page.keyboard.press("End")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")


def text_of(page: Page, block: int) -> str:
    return page.get_by_test_id("block-text").nth(block).input_value()
