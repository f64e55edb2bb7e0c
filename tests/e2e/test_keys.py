"""Somebody gives actions keys of their own, finds them under `?`, and works with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, at_rest, come_in, decisions, on_item, picture, press

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def test_keys_of_ones_own_hold_on_every_screen_and_are_taken_along(
    page: Page, address: str, tmp_path: Path
) -> None:
    come_in(page, address, "Park Jun")
    on_item(page, "en-01")
    page.keyboard.press("?")
    with page.context.expect_page() as opened:
        page.get_by_test_id("change-keys").click()
    keys = opened.value
    change(keys, "Unsure", "r")
    expect(keys.get_by_text("“r” would stand for two actions")).to_be_visible(timeout=SLOW)
    change(keys, "Unsure", "!")
    expect(keys.get_by_text("! now means: Unsure")).to_be_visible(timeout=SLOW)
    picture(keys, "own-keys")
    file = downloaded(keys, tmp_path / "keys.yaml")
    keys.close()
    page.reload()
    is_unsure_by_its_own_key(page)
    unsure = page.get_by_test_id("candidate").first.locator('[aria-keyshortcuts="!"]')
    expect(unsure).to_have_count(1)
    page.keyboard.press("?")
    row = page.get_by_test_id("dialog-keys").get_by_role("row").filter(has_text="Unsure")
    expect(row.locator("kbd")).to_have_text("!")
    are_taken_by_somebody_else(page, address, file)


def is_unsure_by_its_own_key(page: Page) -> None:
    on_item(page, "en-01")
    press(page, "u")
    assert decisions(page)[0] == "", "the key of before means nothing now"
    press(page, "!")
    assert decisions(page)[0] == "unsure"


def downloaded(page: Page, file: Path) -> Path:
    with page.expect_download() as kept:
        page.get_by_role("button", name="Download my keys").click()
    kept.value.save_as(file)
    assert 'unsure: "!"' in file.read_text("utf-8")
    assert 'accept: "a"' in file.read_text("utf-8")
    return file


def are_taken_by_somebody_else(page: Page, address: str, file: Path) -> None:
    page.goto(f"{address}/keys?project=sample&person=1&lang=en")
    at_rest(page)
    expect(page.get_by_text("! now means: Unsure")).to_have_count(0)
    page.get_by_test_id("stExpander").filter(has_text="Keys from a file").locator("summary").click()
    page.locator("input[type=file]").set_input_files(file)
    at_rest(page)
    page.locator(".st-key-keys-take button").click()
    at_rest(page)
    page.goto(f"{address}/citation_mapping?project=sample&person=1&lang=en")
    is_unsure_by_its_own_key(page)


def change(page: Page, action: str, key: str) -> None:
    """Give an action another key on the screen of keys."""
    at_rest(page)
    box = page.get_by_role("combobox", name="Action")
    box.fill(action)
    page.get_by_role("option").filter(has_text=action).first.click(timeout=SLOW)
    at_rest(page)
    page.get_by_role("textbox", name="New key").fill(key)
    page.get_by_role("button", name="Change key").click()
    at_rest(page)
