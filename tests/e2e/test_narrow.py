"""Every task where there is little room: on a phone, and at 200 % (1280 × 900 is then 640 × 450).

Submit stays on screen and covers nothing that has the focus, hints of keys stay or go as a set, and
tabbing takes at most two stops a card. Keys bring the card in hand to where it is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import SLOW, at_rest, lead_to
from tests.e2e.ready import running_app
from tests.e2e.screens import HOUSES

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
NARROW = (390, 844), (640, 450)
# `make test` holds each task to it in one of the narrow windows by turns, the long run in both.
by_turns_or_all = pytest.mark.parametrize(
    "by_turns", [True, pytest.param(False, marks=pytest.mark.long)]
)
WIDE = 1280, 900
MIDDLE = 1024, 768
SAMPLE = "citation_mapping", "ocr_correction", "mcq_solvability", "answer_rating", "factor_tagging"
STOPS = 80  # of a screen at most, from the guideline's button to Submit
HOME = """() => [...document.querySelectorAll("*")].map((each) => each.shadowRoot)
  .find((root) => root?.querySelector("[data-testid=submit]"))"""
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WHERE = f"""async () => {{
  await {DRAWN};
  const home = ({HOME})();
  const at = home.activeElement;
  if (!at) return null;
  const bar = home.querySelector(".notes");
  const cards = [...home.querySelectorAll(".roves, .step, .passage, .block")];
  const [box, edge] = [at.getBoundingClientRect(), bar.getBoundingClientRect().top];
  return {{
    name: `${{at.tagName}} ${{at.className}} ${{at.dataset.testid}}`,
    submit: at.dataset.testid === "submit",
    bar: bar.contains(at),
    card: cards.findIndex((card) => card.contains(at)),
    seen: box.bottom > 0 && Math.min(box.bottom, box.top + 40) <= edge + 1,
  }};
}}"""
SUBMIT = f"""() => {{
  const box = ({HOME})().querySelector("[data-testid=submit]").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
}}"""
HINTS = f"""() => [...({HOME})().querySelectorAll(".tools kbd, .notes kbd, .work kbd")]
  .filter((each) => !each.matches(".choice > kbd:only-child") && !each.closest("[hidden]"))
  .map((each) => each.checkVisibility())"""

# Whether one sees where the card in hand begins, and nothing lies over it.
SEEN = f"""async () => {{
  await {DRAWN};
  const home = ({HOME})();
  const hand = home.querySelector(".card.cursor, .block.cursor, .provision.cursor, .ask.active");
  if (!hand) return null;
  const box = hand.getBoundingClientRect();
  return hand.contains(home.elementFromPoint(box.left + 30, box.top + 12));
}}"""
# How wide the comment's field is, and how much is seen of what is asked, both in pixels.
ROOM = f"""() => {{
  const home = ({HOME})();
  const box = home.querySelector(".question, .court-text, .blocks")?.getBoundingClientRect();
  const seen = box ? Math.min(box.bottom, innerHeight) - Math.max(box.top, 0) : 99;
  return [home.querySelector(".comment textarea").offsetWidth, seen];
}}"""
DOWN = 6  # times that the key is pressed


@by_turns_or_all
def test_submit_hints_and_stops_of_the_tasks_of_the_sample(
    browser: Browser, address: str, by_turns: bool
) -> None:
    page = browser.new_page()
    choice = "project=sample&person=1&lang=en"
    page.goto(f"{address}/start?{choice}")
    for at, screen in enumerate(SAMPLE):
        lead_to(page, f"/{screen}?{choice}")
        holds(page, screen, windows(at, by_turns))
    names_of_figures_and_switches_are_whole_at_200_percent(browser, address)
    the_next_item_on_a_phone_begins_at_its_top(page)


@by_turns_or_all
def test_submit_hints_and_stops_of_the_other_tasks(
    browser: Browser, tmp_path: Path, by_turns: bool
) -> None:
    page = browser.new_page()
    for at, (screen, (slug, build)) in enumerate(HOUSES.items()):
        build(tmp_path / screen)
        with running_app(tmp_path / screen) as address:
            page.goto(f"{address}/{screen}?project={slug}&person=1&lang=en")
            holds(page, screen, windows(at, by_turns))


def windows(turn: int, by_turns: bool) -> Sequence[tuple[int, int]]:
    return [NARROW[turn % len(NARROW)]] if by_turns else NARROW


def holds(page: Page, link: str, narrow: Sequence[tuple[int, int]]) -> None:
    """Hold the open task to it: in a wide window, and then in narrow ones."""
    size(page, WIDE)
    page.get_by_test_id("submit").wait_for(timeout=SLOW)
    at_rest(page)
    assert page.evaluate(HINTS).count(True) >= 8, link
    tabbed_through(page, link)
    size(page, MIDDLE)
    comment, seen = page.evaluate(ROOM)
    assert comment > 90 and seen > 20, (link, comment, seen)
    for each in narrow:
        size(page, each)
        assert page.evaluate(HINTS).count(True) == 0, (link, each)
        assert page.evaluate(SUBMIT), (link, each)
        tabbed_through(page, f"{link} {each}")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (link, each)
        for key in "j" * DOWN + "k" * DOWN:
            page.keyboard.press(key)
            assert page.evaluate(SEEN) is not False, f"{link} {each}: {key} leads out of sight"


def size(page: Page, window: tuple[int, int]) -> None:
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.evaluate(DRAWN)


def tabbed_through(page: Page, where: str) -> None:
    """Press Tab from the tools to Submit, and look at each stop."""
    page.get_by_test_id("open-guideline").focus()
    stops: Counter[int] = Counter()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(WHERE)
        assert stop, f"{where}: the focus left the task before Submit"
        assert stop["bar"] or stop["seen"], f"{where}: {stop['name']} is covered"
        stops[stop["card"]] += 1
        if stop["submit"]:
            break
    del stops[-1]
    assert max(stops.values(), default=0) <= 2, f"{where}: {stops}"
    assert stop["submit"], f"{where}: Submit is more than {STOPS} stops away"


def the_next_item_on_a_phone_begins_at_its_top(page: Page) -> None:
    size(page, NARROW[0])
    lead_to(page, "/citation_mapping?project=sample&person=1&lang=en")
    third = page.get_by_test_id("candidate").nth(2)
    third.get_by_text("Accept").click(timeout=SLOW)  # to which the page has to be scrolled
    at_rest(page)
    page.get_by_test_id("submit").click()
    page.get_by_test_id("overlooked-submit").click(timeout=SLOW)
    expect(page.get_by_test_id("item-id")).to_have_text("en-02", timeout=SLOW)
    expect(page.get_by_test_id("message")).to_contain_text("en-01 submitted. 1 accepted")
    expect(page.get_by_test_id("message")).to_be_in_viewport()


CUT = """() => [...document.querySelectorAll("[data-testid=stMetricLabel] *, .stCheckbox *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).textOverflow === "ellipsis")
  .filter((each) => getComputedStyle(each).overflowX !== "visible")
  .map((each) => each.innerText)"""


def names_of_figures_and_switches_are_whole_at_200_percent(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 450}, device_scale_factor=2)
    choice = "project=sample&person=3&lang=en"
    page.goto(f"{address}/start?{choice}")
    for screen in ("data", "gold", "ocr_report"):
        lead_to(page, f"/{screen}?{choice}")
        page.locator("[data-testid=stMetricLabel]").first.wait_for(timeout=SLOW)
        at_rest(page)
        assert page.evaluate(CUT) == [], screen
