"""No text of a screen is cut without a sign: it is whole, or fades above a button for all of it.

What is measured is every box of a page that hides what overflows it, whatever its style is called.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import CDPSession, Page, expect
from playwright.sync_api import TimeoutError as Late

from tests.e2e.people import SLOW, box_of, come_in, lead_to, on_item, saved

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WIDTHS = (390, 768, 1024, 1440, 0)  # in pixels; 0 stands for 200 %
AT_ONCE = 2  # widths of each of many items that differ in nothing but their texts
HEIGHT = 900
# Every box of the page, inside of its parts too, that hides text for which it has no room, with no
# fade and button that say so; and every button that promises more where there is none. What is
# measured is the page as it was painted; it has a few frames to come to rest.
CUT = """async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const boxes = function* (root) {
    for (const each of root.querySelectorAll("*")) {
      yield each;
      if (each.shadowRoot) yield* boxes(each.shadowRoot);
    }
  };
  const faultsOf = (box) => {
    const style = getComputedStyle(box);
    const button = box.classList.contains("foldable") ? box.nextElementSibling : null;
    const offered = Boolean(button) && button.checkVisibility();
    const folded = button?.getAttribute("aria-expanded") === "false";
    const over = box.clientHeight > 0 && box.scrollHeight > box.clientHeight;
    const hides = over && ["hidden", "clip"].includes(style.overflowY);
    const fades = style.maskImage !== "none";
    const signed = fades || style.webkitLineClamp !== "none" || style.textOverflow === "ellipsis";
    const ours = box.closest(".viewer, .unit, .plain-text-frame");
    return [
      hides && !signed && ours && "is cut",
      hides && button && !(offered && folded) && "has no button",
      !hides && fades && "fades and is whole",
      !hides && offered && folded && "promises more",
    ].filter(Boolean);
  };
  const look = () => [...boxes(document)]
    .filter((box) => box instanceof HTMLElement && box.checkVisibility() && box.textContent.trim())
    .flatMap((box) => faultsOf(box).map((fault) => `“${box.textContent.slice(0, 40)}” ${fault}`));
  await painted();
  let faults = look();
  for (let frame = 0; frame < 12 && faults.length; frame += 1) {
    await painted();
    faults = look();
  }
  return { texts: [...boxes(document)].filter((box) => box.matches(".foldable")).length, faults };
}"""
# Press every button for more; return what then stands in each candidate's text by its unit.
OPENED = """(viewer) => {
  const more = viewer.querySelectorAll(".fold-more[aria-expanded=false]:not([hidden])");
  more.forEach((each) => each.click());
  const of = (card) => card.querySelector("[data-testid=unit-text]")?.textContent ?? "";
  const cards = viewer.querySelectorAll("[data-testid=candidate]");
  return Object.fromEntries([...cards].map((card) => [card.dataset.unit, of(card)]));
}"""


def require_whole_or_signed(page: Page, where: str) -> int:
    """Fail if a text is cut without a sign; return how many texts there are."""
    found = page.evaluate(CUT)
    assert found["faults"] == [], where
    return int(found["texts"])


def resized(page: Page, where: str, widths: Sequence[int] = WIDTHS) -> int:
    """Ask it at these widths of the open window, and at the usual one again."""
    texts = 0
    for width in widths:
        if width:
            page.set_viewport_size({"width": width, "height": HEIGHT})
        else:
            zoom(page, {"width": 720, "height": HEIGHT // 2, "deviceScaleFactor": 2})
        texts += require_whole_or_signed(page, f"{where} at {width or '200 %'}")
    zoom(page, {"width": 1440, "height": HEIGHT, "deviceScaleFactor": 1})
    page.set_viewport_size({"width": 1440, "height": HEIGHT})
    return texts + require_whole_or_signed(page, f"{where} at 1440 px again")


def zoom(page: Page, metrics: dict[str, int]) -> None:
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": False})
    session.detach()


def open_by_queue(page: Page, identity: str) -> None:
    entry = page.get_by_test_id("queue-entry").filter(has_text=identity)
    for patience in (SLOW / 4, SLOW):
        page.keyboard.press("g")
        try:
            entry.first.click(timeout=patience)
            break
        except Late:  # the item was drawn anew beneath the queue, which closed it
            page.keyboard.press("Escape")
    on_item(page, identity)


def statute_texts(workspace: Path) -> dict[str, str]:
    with sqlite3.connect(workspace / "touchstone.db") as database:
        return {str(number): text for number, text in database.execute("SELECT id, text FROM unit")}


def plain(text: str) -> str:
    return "".join(text.split())


# `make test` looks at every fourth question, the long run at all of them.
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_text_of_citation_mapping_is_whole_or_says_that_it_is_not(
    page: Page, address: str, workspace: Path, step: int
) -> None:
    come_in(page, address, "Kim Ara")
    saved(page)
    every_text_is_whole_or_says_that_it_is_not(page, workspace, step)
    a_text_that_was_opened_stays_open_and_folds_again_by_keys_alone(page)
    a_text_is_measured_again_when_its_letters_change(page)


def every_text_is_whole_or_says_that_it_is_not(page: Page, workspace: Path, step: int) -> None:
    texts = statute_texts(workspace)
    with sqlite3.connect(workspace / "touchstone.db") as database:
        names = [name for (name,) in database.execute("SELECT external_id FROM question")]
    measured = 0
    by_turns = cycle(WIDTHS)
    for name in (chosen := sorted(names)[::step]):
        open_by_queue(page, name)
        measured += require_whole_or_signed(page, f"{name} as it opens")
        measured += resized(page, name, [*islice(by_turns, AT_ONCE)])
        page.keyboard.press("t")
        expect(page.get_by_test_id("thread")).to_be_visible()
        require_whole_or_signed(page, f"{name} beside the thread")
        page.keyboard.press("Escape")
        page.keyboard.press("t")
        expect(page.get_by_test_id("thread")).to_be_hidden()
        for unit, shown in page.get_by_test_id("mapping-viewer").evaluate(OPENED).items():
            assert plain(shown) == plain(texts[unit]), (name, unit)
        assert page.locator(".fold-below, .fold-above").count() == 0
        require_whole_or_signed(page, f"{name} opened")
    assert measured > len(chosen) * (AT_ONCE + 2) * 3


def a_text_that_was_opened_stays_open_and_folds_again_by_keys_alone(page: Page) -> None:
    open_by_queue(page, "en-03")
    card = page.get_by_test_id("candidate").filter(has=page.locator(".fold-below")).first
    unit = card.get_attribute("data-unit")
    card = page.locator(f"[data-testid=candidate][data-unit='{unit}']")
    more, text = card.get_by_test_id("expand"), card.get_by_test_id("unit-text")
    low = box_of(text)
    more.focus()
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(more).to_have_text("Show less")
    page.keyboard.press("u")  # the keys of the screen go on working from the button
    expect(card).to_have_attribute("data-decision", "unsure")
    page.set_viewport_size({"width": 900, "height": HEIGHT})
    expect(more).to_have_attribute("aria-expanded", "true")
    require_whole_or_signed(page, "narrower, opened")
    more.press(" ")
    expect(more).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 1440, "height": HEIGHT})
    require_whole_or_signed(page, "wide again, folded")
    high = box_of(text)
    assert low["height"] == high["height"]


def a_text_is_measured_again_when_its_letters_change(page: Page) -> None:
    open_by_queue(page, "en-01")
    for size in ("11px", "19px", "14px"):
        page.get_by_test_id("unit-text").evaluate_all(
            "(all, size) => all.forEach((each) => { each.style.fontSize = size; })", size
        )
        require_whole_or_signed(page, f"letters of {size}")


def test_every_other_screen_cuts_nothing_without_a_sign(page: Page, address: str) -> None:
    come_in(page, address, "Kim Ara")
    chosen = urlsplit(page.url).query
    for screen, viewer in (
        ("answer_rating", "rating-viewer"),
        ("mcq_solvability", "mcq-viewer"),
        ("factor_tagging", "tagging-viewer"),
        ("ocr_correction", "ocr-viewer"),
    ):
        lead_to(page, f"/{screen}?{chosen}")
        review_cuts_nothing(page, screen, viewer)
    corpus_and_adjudication_cut_nothing(page, address)


def review_cuts_nothing(page: Page, screen: str, viewer: str) -> None:
    expect(page.get_by_test_id(viewer)).to_be_visible(timeout=SLOW)
    saved(page)
    page.keyboard.press("g")
    entries = page.get_by_test_id("queue-entry")
    expect(entries.first).to_be_visible(timeout=SLOW)
    names = entries.locator(".id").all_text_contents()
    page.keyboard.press("Escape")
    assert names
    widths = cycle(WIDTHS)
    for name in names[:3]:
        open_by_queue(page, name)
        resized(page, f"{screen}: {name}", [*islice(widths, AT_ONCE)])


def corpus_and_adjudication_cut_nothing(page: Page, address: str) -> None:
    come_in(page, address, "Lee Sora")
    chosen = urlsplit(page.url).query
    for screen in ("corpus", "adjudication", "gold", "leaderboard"):
        lead_to(page, f"/{screen}?{chosen}")
        resized(page, screen)
