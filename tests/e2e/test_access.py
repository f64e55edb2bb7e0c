"""Every screen as somebody finds it who sees little, hears it read or has no mouse: axe-core.

Also every dialog and pane that opens over or beside the work: the focus goes into a dialog, and
back to where it was.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

import app
from tests.e2e.people import SLOW, at_rest, lead_to, press, saved
from tests.e2e.ready import running_app
from tests.e2e.screens import HOUSES, who_opens

pytestmark = pytest.mark.e2e

# A usual run looks at a screen in English, at the next in Korean, and so on, for words
# change what stands where and not how it is marked up; and in the dark theme, where only colours
# differ, at colours. With TOUCHSTONE_ACCESS=all each screen is looked at by all rules in both
# languages and both themes, and every dialog is opened on every screen.
EVERYTHING = os.environ.get("TOUCHSTONE_ACCESS") == "all"
LANGUAGES = ("en", "ko")
LOOKS, BETWEEN_MS = 5, 1_000
# What Streamlit itself draws and no page can change: where files are dropped has a role that says
# nothing and a name, and the label of a field that is switched off is fainter than axe-core wants.
STREAMLITS = ('data-testid="stFileUploaderDropzone"',)
SWITCHED_OFF = ":has(:disabled) label"
THEMES = ("light", "dark")
SIZES = {"target-size": {"enabled": True}}  # 24 pixels, which axe-core looks at only if asked to
# What has the focus, however deep in what is drawn by itself.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}"""
NAMED = f"() => {{ const at = ({FOCUSED})(); return at.dataset.testid || at.tagName; }}"
# What opens on every task, under its key. A screen is looked at with every third: they are alike.
DIALOGS = {"?": "keys", "g": "queue", "f": "flag", "s": "skip"}
BESIDE = {"h": "guide", "t": "thread"}
EVERY = 3


@pytest.fixture(scope="module")
def served(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("access") / "workspace"
    with running_app(Path(shutil.copytree(sample, folder))) as address:
        yield address


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_has_a_fault(browser: Browser, served: str, language: str) -> None:
    faults = []
    for person, names in screens_by_person(language).items():
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page.goto(f"{served}/{names[0]}?project=sample&person={person}&lang={language}")
        for name in names:
            lead_to(page, f"/{name}?project=sample&person={person}&lang={language}")
            page.get_by_test_id("stMain").locator("h1, h2").first.wait_for(timeout=SLOW)
            at_rest(page)
            faults += [(name, language, "light", each) for each in _lasting(page, None)]
            page.emulate_media(color_scheme="dark")
            at_rest(page)
            rules = None if EVERYTHING else ["color-contrast"]
            faults += [(name, language, "dark", each) for each in _lasting(page, rules)]
            page.emulate_media(color_scheme="light")
        page.context.close()
    assert faults == []


def screens_by_person(language: str) -> dict[int, list[str]]:
    """Return the screens that are looked at in a language, every other one or all, by opener."""
    step = 1 if EVERYTHING else len(LANGUAGES)
    found: dict[int, list[str]] = {}
    for name in sorted(app.PAGES)[LANGUAGES.index(language) % step :: step]:
        found.setdefault(who_opens(name), []).append(name)
    return found


# What opens on one screen alone: does it, and looks at it.
Steps = Callable[["Walk"], None]


class Walk:
    """A screen on which one dialog after the other is opened, in a light and in the dark theme."""

    def __init__(self, page: Page, themes: Iterator[str]) -> None:
        self.page = page
        self.themes = themes
        self.faults: list[str] = []

    def look(self, shown: Locator) -> None:
        """Have axe-core look at what is shown, in the next theme."""
        expect(shown).to_be_visible(timeout=SLOW)
        theme = next(self.themes)
        self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        at_rest(self.page)
        self.faults += [f"{theme} {each}" for each in _faults(self.page, None, shown)]

    def dialog(self, key: str, name: str) -> None:
        """Open a dialog by its key, look at it, and leave it by Escape."""
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


def of_mapping(walk: Walk) -> None:
    walk.page.keyboard.press("/")
    walk.page.keyboard.type("exit")
    walk.look(walk.page.get_by_role("listbox"))
    walk.page.keyboard.press("Escape")
    walk.pane("v", "graph-pane")
    press(walk.page, "a Control+Enter")
    walk.page.keyboard.press("Z")
    walk.look(walk.page.get_by_test_id("dialog-take-back"))


def of_ocr(walk: Walk) -> None:
    walk.dialog("Control+Enter", "doubts")
    walk.page.keyboard.press("Control+Enter")
    walk.page.keyboard.press("Control+Enter")
    saved(walk.page)


def of_verification(walk: Walk) -> None:
    walk.dialog("S", "send_back")


def of_mcq(walk: Walk) -> None:
    for keys in ("2 5 4 Enter", "1 3 5 Enter", "2 2"):
        press(walk.page, keys)
    walk.look(walk.page.get_by_test_id("dialog-fix"))


def of_tagging(walk: Walk) -> None:
    walk.dialog("m", "progress")


def of_review(walk: Walk) -> None:
    walk.dialog("P", "prompt")


def of_curation(walk: Walk) -> None:
    press(walk.page, "1 1 1 1 2 Enter")
    press(walk.page, "1 2 /")
    walk.page.keyboard.type("기중기 검사")
    walk.look(walk.page.get_by_role("listbox"))
    walk.page.keyboard.press("Escape")
    press(walk.page, "2")
    walk.look(walk.page.get_by_test_id("dialog-edit"))


def of_research(walk: Walk) -> None:
    walk.page.get_by_test_id("query").fill("관계인")
    walk.page.get_by_test_id("query").press("Enter")
    walk.look(walk.page.get_by_test_id("results"))
    walk.page.get_by_test_id("hit").first.click()
    walk.look(walk.page.get_by_test_id("authority"))


# The screens of the sample in this order: whom each is opened as, and what it has of its own.
TASKS: dict[str, tuple[int, Steps | None]] = {
    "citation_mapping": (1, of_mapping),
    "ocr_correction": (1, of_ocr),
    "ocr_verification": (2, of_verification),
    "mcq_solvability": (1, of_mcq),
    "answer_rating": (1, None),
    "factor_tagging": (1, of_tagging),
    "judge_review": (4, of_review),
}
OTHERS: dict[str, Steps | None] = {
    "curation": of_curation,
    "research": of_research,
    "attribution_review": None,
}


def looks(language: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the language and the themes of each walk: one walk by turns, or one of each pair."""
    if EVERYTHING:
        return [(each, (theme,)) for each, theme in product(LANGUAGES, THEMES)]
    return [(language, THEMES)]


def test_no_dialog_of_the_sample_has_a_fault(
    browser: Browser, sample: Path, tmp_path: Path
) -> None:
    faults = []
    for walk in range(len(looks("en"))):  # a walk submits what it works on: each has its own copy
        folder = tmp_path / f"walk-{walk}"
        with running_app(Path(shutil.copytree(sample, folder))) as served:
            by_turns = cycle(THEMES)
            for at, (name, (person, steps)) in enumerate(TASKS.items()):
                language, themes = looks(LANGUAGES[at % len(LANGUAGES)])[walk]
                link = f"{served}/{name}?project=sample&person={person}&lang={language}"
                themed = cycle(themes) if EVERYTHING else by_turns
                found = walked(browser, link, themed, steps, at % EVERY)
                faults += [(name, language, each) for each in found]
    assert faults == []


def test_no_dialog_of_the_other_tasks_has_a_fault(browser: Browser, tmp_path: Path) -> None:
    faults = []
    for turn, (screen, (slug, build)) in enumerate(HOUSES.items()):
        for walk, (language, themes) in enumerate(looks("ko")):
            folder = tmp_path / f"{screen}-{walk}"
            build(folder)
            with running_app(folder) as address:
                link = f"{address}/{screen}?project={slug}&person=1&lang={language}"
                found = walked(browser, link, cycle(themes), OTHERS[screen], turn)
                faults += [(screen, each) for each in found]
    assert faults == []


def walked(
    browser: Browser, link: str, themes: Iterator[str], steps: Steps | None, turn: int = 0
) -> list[str]:
    """Return the faults of all that opens on a screen of work alone, and of some of the rest."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(link)
    page.get_by_test_id("submit").wait_for(timeout=SLOW)
    at_rest(page)
    walk = Walk(page, themes)
    walk.look(page.get_by_test_id(re.compile("^[a-z_]+-viewer$")))
    page.get_by_test_id("open-guideline").focus()
    keys = (*DIALOGS, *BESIDE)
    for key in keys if EVERYTHING else keys[turn::EVERY]:
        if key in DIALOGS:
            walk.dialog(key, DIALOGS[key])
        else:
            walk.pane(key, BESIDE[key])
    if steps:
        steps(walk)
    page.context.close()
    return walk.faults


def _lasting(page: Page, rules: list[str] | None) -> list[str]:
    """Return the faults that are there however often one looks: a page may yet be drawing."""
    faults: list[str] = []
    for _ in range(LOOKS):
        faults = _faults(page, rules)
        if not faults:
            break
        page.wait_for_timeout(BETWEEN_MS)
        at_rest(page)
    return faults


def _faults(page: Page, rules: list[str] | None, within: Locator | None = None) -> list[str]:
    """Return what axe-core finds by these rules, or by all: rule, element and what is wrong.

    `within` narrows it to a part of the page, which may be drawn by itself.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if not rules:
        options["rules"] = SIZES
    if rules:
        options["runOnly"] = rules
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
