"""Working through the queue of a review screen by keys alone, the same for every screen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.e2e.people import SLOW, on_item

# How many items each screen is worked through with: a hundred takes minutes, so a usual run does a
# few, and TOUCHSTONE_KEYBOARD_ITEMS=100 all.
ITEMS = int(os.environ.get("TOUCHSTONE_KEYBOARD_ITEMS", "4"))
_COUNT = """() => {
  window.pointed = 0;
  for (const kind of ["pointerdown", "mousedown", "wheel", "touchstart"])
    window.addEventListener(kind, (event) => { if (event.isTrusted) window.pointed += 1; }, true);
}"""


@contextmanager
def keys_alone(page: Page) -> Iterator[None]:
    """Fail if the mouse is used inside the block. The page must not be loaded anew meanwhile."""
    page.evaluate(_COUNT)
    yield
    assert page.evaluate("window.pointed") == 0, "the mouse was used"


def work_through(
    page: Page, identities: Sequence[str], work: Callable[[Page, str], None]
) -> list[float]:
    """Do `work` on each item of the queue in order, by keys alone; return the seconds of each.

    `work` gets the page with the item of that id open, and leaves it submitted. At the end the
    screen has to say that everything is done.
    """
    took = []
    with keys_alone(page):
        for identity in identities:
            on_item(page, identity)
            started = time.monotonic()
            work(page, identity)
            took.append(time.monotonic() - started)
        expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)
    return took
