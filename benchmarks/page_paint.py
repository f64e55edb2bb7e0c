"""How long a person waits until nothing more is drawn: for each page, and for a decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

import app
from benchmarks.figures import median_figure
from evaluation.figure import Figure
from tests.e2e.harness import chromium, running_app
from tests.e2e.reruns import WATCH
from tests.e2e.screens import who_opens

ROUNDS = 5
ADJUDICATOR = 4  # of the people of the sample project; lands on the start page
WAIT_MS = 90_000

# Notes when anything on the page last changed, within the shadow roots of components too.
PROBE = """
window.lastChange = 0;
const noted = new MutationObserver(() => { window.lastChange = performance.now(); });
const everything = { subtree: true, childList: true, attributes: true, characterData: true };
noted.observe(document, everything);
window.addEventListener("keydown", () => { window.lastKey = performance.now(); }, true);
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) {
  const root = attachShadow.call(this, how);
  noted.observe(root, everything);
  return root;
};
"""
FOLLOW = """async (name) => {
  const links = [...document.querySelectorAll("[data-testid=stSidebar] a")];
  const link = links.find((each) => each.getAttribute("href").split("?")[0] === name);
  if (!link) throw new Error(`no link to "${name}"`);
  const begun = performance.now();
  link.click();
  await atRest();
  return window.lastChange - begun;
}"""


def measure_pages(workspace: Path, names: Collection[str] = ()) -> list[Figure]:
    """Return ``page_paint_ms[<page>]`` of these pages of the sample project, or of all.

    Milliseconds from the click on the link in the sidebar to the last change of the page, the
    median of five rounds through all pages, each after a first one that is not counted: the server
    imports and reads in it. ``first_page_ms`` is from the request of a bare address in a new
    browser window to the last change of the start page, with all of Streamlit to load, and
    ``empty_app_ms`` the same of an app of Streamlit that writes one line: no page can be there
    sooner. ``decided_ms`` is from the keys that decide a case of the adjudication to the last
    change, with the next case drawn; it goes with the page ``adjudication``.
    """
    if unknown := set(names) - set(app.PAGES):
        raise SystemExit(f"no page of the app: {', '.join(sorted(unknown))}")
    wanted = [name for name in app.PAGES if not names or name in names]
    times: dict[str, list[float]] = {name: [] for name in wanted}
    with running_app(workspace) as address, chromium() as browser:
        first = [_first_page(browser, address) for _ in range(1 + ROUNDS)][1:]
        empty = _empty_app(browser, workspace.parent)
        decided = _decisions(browser, address) if "adjudication" in wanted else []
        for person in sorted({who_opens(name) for name in wanted}):
            pages = [name for name in wanted if who_opens(name) == person]
            with _window(browser) as page:
                _drawn(page, f"{address}/{_away(pages)}?person={person}")
                for turn in range(1 + ROUNDS):
                    for name in pages:
                        waited = _waited(page, name)
                        times[name] += [waited] if turn else []
    figures = [median_figure(f"page_paint_ms[{name}]", waits) for name, waits in times.items()]
    firsts = [median_figure("first_page_ms", first), median_figure("empty_app_ms", empty)]
    return [*firsts, *([median_figure("decided_ms", decided)] if decided else []), *figures]


def _away(pages: Collection[str]) -> str:
    """Return a page to begin on, which is not the first of these."""
    return "corpus" if next(iter(pages), "") != "corpus" else "agreement"


@contextmanager
def _window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(WATCH + PROBE)
    yield context.new_page()
    context.close()


def _first_page(browser: Browser, address: str) -> float:
    with _window(browser) as page:
        _drawn(page, f"{address}/?person={ADJUDICATOR}")
        return float(page.evaluate("window.lastChange"))


def _empty_app(browser: Browser, folder: Path) -> list[float]:
    entry = folder / "empty.py"
    entry.write_text('import streamlit as st\n\nst.write("Nothing else.")\n', encoding="utf-8")
    waits = []
    with running_app(folder / "empty", entry=str(entry)) as address:
        for _ in range(1 + ROUNDS):
            with _window(browser) as page:
                page.goto(address)
                page.get_by_text("Nothing else.").wait_for()
                page.evaluate("atRest()")
                waits.append(float(page.evaluate("window.lastChange")))
    return waits[1:]


def _decisions(browser: Browser, address: str) -> list[float]:
    """Decide the first open case, with a reason, and withdraw it, again and again."""
    waits = []
    with _window(browser) as page:
        _drawn(page, f"{address}/adjudication?person={who_opens('adjudication')}")
        for _ in range(1 + ROUNDS):
            _pressed(page, "1")  # what the first of the sides says
            page.keyboard.press("w")
            page.keyboard.type("It is what the article says.")
            _pressed(page, "Escape")
            _pressed(page, "Control+Enter")
            waits.append(float(page.evaluate("window.lastChange - window.lastKey")))
            page.get_by_text("is decided.").first.wait_for()
            _pressed(page, "Shift+Z")
    return waits[1:]


def _pressed(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.evaluate("atRest()")


def _drawn(page: Page, address: str) -> None:
    """Load the address and wait until its page is drawn, of which the sidebar is one half."""
    page.goto(address)
    page.get_by_test_id("stSidebar").get_by_role("link").first.wait_for()
    page.evaluate("atRest()")


def _waited(page: Page, name: str) -> float:
    """Follow the link to the page, from another one; return milliseconds."""
    if page.evaluate("location.pathname") == f"/{name}":
        page.evaluate(FOLLOW, "corpus")
    return float(page.evaluate(FOLLOW, name))
