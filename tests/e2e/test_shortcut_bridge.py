"""Ctrl+Enter reaches the page's shortcuts from a choice, which does not take it for itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from pages.shell.bundle import joined
from pages.shell.navigation import SHORTCUT_BRIDGE

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCRIPT = joined((SHORTCUT_BRIDGE,), "js")
CHOICES = """<input type="radio" id="radio"><textarea id="words"></textarea>
<div data-testid="stButtonGroup"><button id="pill">one</button></div>"""
COUNT = """window.heard = []; window.pressed = 0;
addEventListener("keydown", (event) =>
  event.key === "Enter" && heard.push(event.target.tagName));
document.querySelector("#pill").addEventListener("click", () => { pressed += 1; });"""


def test_a_choice_lets_ctrl_enter_through_and_keeps_enter(page: Page) -> None:
    page.set_content(CHOICES)
    page.add_script_tag(content=COUNT)
    page.add_script_tag(content=SCRIPT.replace("export default function", "(function") + ")()")
    for name in ("radio", "pill", "words"):
        page.focus(f"#{name}")
        page.keyboard.press("Control+Enter")
    assert page.evaluate("[heard, pressed]") == [["BODY", "BODY", "TEXTAREA"], 0]
    page.focus("#pill")
    page.keyboard.press("Enter")
    assert page.evaluate("pressed") == 1
