"""How long a person waits until nothing more is drawn: for each page, and for a decision."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

import app
from benchmarks.program import median_figure
from evaluation.figure import Figure
from pages.shell.entry.timing import TIMING_VARIABLE
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
# By the link in the sidebar or the tab, or as the browser's own buttons lead to a page without one.
FOLLOW = """async (name) => {
  const every = document.querySelectorAll("[data-testid=stSidebar] a, .st-key-links-tabs a");
  const link = [...every].find((each) => each.getAttribute("href").split("?")[0] === name);
  const begun = performance.now();
  if (link) link.click();
  else {
    history.pushState({}, "", `/${name}${location.search}`);
    dispatchEvent(new PopStateEvent("popstate"));
  }
  await atRest();
  return window.lastChange - begun;
}"""
MEASURES = "page_paint_ms", "page_cpu_ms", "page_browser_cpu_ms"


def measure_pages(workspace: Path, names: Collection[str] = ()) -> list[Figure]:
    """Return ``page_paint_ms[<page>]`` of these pages of the sample project, or of all.

    Milliseconds from the click on the link in the sidebar, or on the tab, to the last change of the
    page, the median of five rounds through all pages, each after a first one that is not counted:
    the server imports and reads in it. ``page_cpu_ms[<page>]`` is the processor time of the
    server's run meanwhile, and ``page_first_cpu_ms[<page>]`` that of the round that is not counted;
    ``page_browser_cpu_ms[<page>]`` is that of the thread that draws. ``first_page_ms`` is from the
    request of a bare address in a new browser window to the last change of the start page, with all
    of Streamlit to load, and ``empty_app_ms`` the same of an app of Streamlit that writes one line:
    no page can be there sooner. ``decided_ms`` is from the keys that decide a case of the
    adjudication to the last change, with the next case drawn; it goes with the page
    ``adjudication``.
    """
    if unknown := set(names) - set(app.PAGES):
        raise SystemExit(f"no page of the app: {', '.join(sorted(unknown))}")
    wanted = [name for name in app.PAGES if not names or name in names]
    taken: dict[str, list[tuple[float, ...]]] = {name: [] for name in wanted}
    notes = workspace.parent / "timing.jsonl"
    noting = running_app(workspace, {TIMING_VARIABLE: str(notes)})
    with noting as address, chromium() as browser:
        first = [_first_page(browser, address) for _ in range(1 + ROUNDS)][1:]
        empty = _empty_app(browser, workspace.parent)
        decided = _decisions(browser, address) if "adjudication" in wanted else []
        for person in sorted({who_opens(name) for name in wanted}):
            pages = [name for name in wanted if who_opens(name) == person]
            with _window(browser) as page:
                _drawn(page, f"{address}/{_away(pages)}?person={person}")
                drawing = _drawing_time(page)
                for name in pages * (1 + ROUNDS):
                    taken[name].append(_taken(page, name, notes, drawing))
    figures = [
        median_figure(f"{measure}[{name}]", [times[at] for times in rounds[1:]])
        for at, measure in enumerate(MEASURES)
        for name, rounds in taken.items()
    ]
    figures += [Figure(f"page_first_cpu_ms[{name}]", e[0][1], 1) for name, e in taken.items()]
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
            _pressed(page, "Shift+Z")  # yes
    return waits[1:]


def _pressed(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.evaluate("atRest()")


def _drawn(page: Page, address: str) -> None:
    """Load the address and wait until its page is drawn, of which the sidebar is one half."""
    page.goto(address)
    page.get_by_test_id("stSidebar").get_by_role("link").first.wait_for()
    page.evaluate("atRest()")


def _drawing_time(page: Page) -> Callable[[], float]:
    """Return how to read the milliseconds of the processor that the page's own thread took."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(e["value"] for e in metrics if e["name"] == "TaskDuration"))

    return read


def _taken(
    page: Page, name: str, notes: Path, drawing: Callable[[], float]
) -> tuple[float, float, float]:
    """Go to the page from another one; return the milliseconds of the `MEASURES`."""
    if page.evaluate("location.pathname") == f"/{name}":
        page.evaluate(FOLLOW, "corpus")
    notes.unlink(missing_ok=True)
    before = drawing()
    waited = float(page.evaluate(FOLLOW, name))
    runs = [json.loads(line) for line in notes.read_text(encoding="utf-8").splitlines()]
    own = (run for run in runs if run["page"] in (name, "") or run["page"].startswith("own:"))
    server = float([run["cpu_ms"] for run in own][-1])
    return waited, server, drawing() - before
