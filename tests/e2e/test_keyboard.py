"""The guard of the keyboard tests notices a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.keyboard import keys_alone

pytestmark = pytest.mark.e2e


def test_a_mouse_is_noticed_and_keys_are_not(page: Page) -> None:
    page.set_content("<button autofocus>press</button>")
    with keys_alone(page):
        page.keyboard.press("Enter")
    with pytest.raises(AssertionError, match="mouse"), keys_alone(page):
        page.mouse.click(10, 10)
