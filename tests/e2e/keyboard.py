"""Working by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

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
