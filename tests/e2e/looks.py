"""What is looked at on an open page: faults by axe-core, texts cut without a sign, little room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.e2e.people import SLOW, at_rest

# `make test` looks at every place once, in English and the light theme. The other language and
# theme are for the long run: words change what stands where, and a theme its colours, and neither
# how it is marked up.
USUAL = ("en", "light", False)
in_every_variant = pytest.mark.parametrize(
    ("language", "theme", "everything"),
    [
        USUAL,
        *(
            pytest.param(*each, True, marks=pytest.mark.long)
            for each in product(("en", "ko"), ("light", "dark"))
        ),
    ],
)

LOOKS, BETWEEN_MS = 5, 1_000
# What Streamlit itself draws and no page can change: where files are dropped has a role that says
# nothing and a name, and the label of a field that is switched off is fainter than axe-core wants.
STREAMLITS = ('data-testid="stFileUploaderDropzone"',)
SWITCHED_OFF = ":has(:disabled) label"
SIZES = {"target-size": {"enabled": True}}  # 24 pixels, which axe-core looks at only if asked to


def axe_faults(page: Page, within: Locator | None = None) -> list[str]:
    """Return what axe-core finds: rule, element and what is wrong.

    `within` narrows it to a part of the page, which may be drawn by itself.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": SIZES}
    options |= {"selectors": False, "preload": False}  # what is not told below takes long to make
    found: dict[str, Any]
    if not page.evaluate("'axe' in window"):  # half a megabyte, that a page keeps
        page.evaluate(Axe().axe_script)
    if within is None:
        where = {"exclude": [[f".stElementContainer{SWITCHED_OFF}"]]}
        found = page.evaluate("([where, options]) => axe.run(where, options)", [where, options])
    else:
        found = within.evaluate("(part, options) => axe.run(part, options)", options)
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not any(each in node["html"] for each in STREAMLITS)
    ]


def lasting_faults(page: Page) -> list[str]:
    """Return the faults that are there however often one looks: a page may yet be drawing."""
    faults: list[str] = []
    for _ in range(LOOKS):
        faults = axe_faults(page)
        if not faults:
            break
        page.wait_for_timeout(BETWEEN_MS)
        at_rest(page)
    return faults


# What has the focus, however deep in what is drawn by itself.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}"""
NAMED = f"() => {{ const at = ({FOCUSED})(); return at.dataset.testid || at.tagName; }}"


class Walk:
    """A screen on which one dialog after the other is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []

    def look(self, shown: Locator) -> None:
        """Have axe-core look at what is shown."""
        expect(shown).to_be_visible(timeout=SLOW)
        at_rest(self.page)
        self.faults += axe_faults(self.page, shown)

    def dialog(self, key: str, name: str) -> None:
        """Open a dialog by its key, look at it, and leave it by Escape.

        The focus goes into it, and back to where it was.
        """
        before = self.page.evaluate(NAMED)
        self.page.keyboard.press(key)
        shown = self.page.get_by_test_id(f"dialog-{name}")
        self.look(shown)
        inside = "(dialog, at) => dialog.contains(at)"
        if not shown.evaluate(inside, self.page.evaluate_handle(FOCUSED)):
            self.faults.append(f"{name}: the focus is not in it")
        self.page.keyboard.press("Escape")
        expect(shown).to_have_count(0)
        if self.page.evaluate(NAMED) != before:
            self.faults.append(f"{name}: the focus is not back where it was")

    def pane(self, key: str, name: str) -> None:
        """Open what stands beside the work, look at it, and close it."""
        self.page.keyboard.press(key)
        shown = self.page.get_by_test_id(name)
        self.look(shown)
        self.page.keyboard.press("Escape")  # out of a field, or out of the pane
        if shown.is_visible():
            self.page.keyboard.press(key)
        expect(shown).to_be_hidden()


WIDTHS = (390, 768, 1024, 1440, 0)  # in pixels; 0 stands for 200 %
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
WIDE, MIDDLE = (1280, 900), (1024, 768)


def size(page: Page, window: tuple[int, int]) -> None:
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.evaluate(DRAWN)


def require_usable_where_narrow(page: Page, name: str, narrow: Sequence[tuple[int, int]]) -> None:
    """Hold the open task to what it owes a wide window, and then narrow ones.

    Submit stays on screen and covers nothing that has the focus, hints of keys stay or go as a set,
    tabbing takes at most two stops a card, and keys bring the card in hand to where it is seen.
    """
    size(page, WIDE)
    assert page.evaluate(HINTS).count(True) >= 8, name
    _tab_through(page, name)
    size(page, MIDDLE)
    comment, seen = page.evaluate(ROOM)
    assert comment > 90 and seen > 20, (name, comment, seen)
    for each in narrow:
        size(page, each)
        assert page.evaluate(HINTS).count(True) == 0, (name, each)
        assert page.evaluate(SUBMIT), (name, each)
        _tab_through(page, f"{name} {each}")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (name, each)
        for key in "j" * DOWN + "k" * DOWN:
            page.keyboard.press(key)
            assert page.evaluate(SEEN) is not False, f"{name} {each}: {key} leads out of sight"
    size(page, WIDE)


def _tab_through(page: Page, where: str) -> None:
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
