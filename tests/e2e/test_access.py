"""Every screen as somebody finds it who sees little, hears it read or has no mouse: axe-core.

Also every dialog and pane that opens over or beside the work: the focus goes into a dialog, and
back to where it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

import app
from annotation.people.roles import Role, may
from services.sample.people import PEOPLE
from tests.e2e.people import SLOW, at_rest, lead_to, press, saved
from tests.e2e.ready import command_line, running_app
from tests.e2e.screens import HOUSES, who_opens

pytestmark = pytest.mark.e2e

# `make test` looks at every place once, in English and the light theme, and opens on a task one of
# the dialogs that are alike on all. The other language and theme are for the long run: words change
# what stands where, and a theme its colours, and neither how it is marked up.
USUAL = ("en", "light")
VARIANTS = [
    pytest.param(*each, marks=() if each == USUAL else pytest.mark.long)
    for each in product(("en", "ko"), ("light", "dark"))
]
in_every_variant = pytest.mark.parametrize(("language", "theme"), VARIANTS)
LOOKS, BETWEEN_MS = 5, 1_000
# What Streamlit itself draws and no page can change: where files are dropped has a role that says
# nothing and a name, and the label of a field that is switched off is fainter than axe-core wants.
STREAMLITS = ('data-testid="stFileUploaderDropzone"',)
SWITCHED_OFF = ":has(:disabled) label"
SIZES = {"target-size": {"enabled": True}}  # 24 pixels, which axe-core looks at only if asked to
# What has the focus, however deep in what is drawn by itself.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}"""
NAMED = f"() => {{ const at = ({FOCUSED})(); return at.dataset.testid || at.tagName; }}"
# What opens on every task, under its key.
DIALOGS = {"?": "keys", "g": "queue", "f": "flag", "s": "skip"}
BESIDE = {"h": "guide", "t": "thread"}


LEAD, EVERYBODY = 3, (1, 3, 4, 5)  # of the sample: annotator, lead, adjudicator, lawyer


@pytest.fixture
def lived_in(tmp_path: Path) -> Iterator[str]:
    """Serve the sample in the middle of its life and yield the address."""
    done = command_line(tmp_path / "lived-in", "init", "--sample")
    assert done.returncode == 0, done.stderr
    with running_app(tmp_path / "lived-in") as served:
        yield served


@in_every_variant
def test_no_screen_has_a_fault(browser: Browser, lived_in: str, language: str, theme: Any) -> None:
    """Look at every place and tab in a theme, and at the colours of the other one.

    `make test` has each looked at by one person, the long run by whoever has it in the sidebar.
    """
    usual = (language, theme) == USUAL
    faults = []
    for person in EVERYBODY:
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=theme)
        who = f"project=sample&person={person}&lang={language}"
        page.goto(f"{lived_in}/start?{who}")
        for name in _places_of(person, usual):
            lead_to(page, f"/{name}?{who}")
            page.get_by_test_id("stMain").locator("h1, h2").first.wait_for(timeout=SLOW)
            at_rest(page)
            faults += [(person, name, each) for each in _lasting(page)]
        page.context.close()
    assert faults == []


def _places_of(person: int, usual: bool) -> list[str]:
    """Return the screens that the person looks at: usually those that nobody before them did."""
    if usual:
        return [name for name in app.PAGES if who_opens(name) == person]
    role = PEOPLE[person - 1][1]
    places = app.LAYOUTS.get(Role(role), app.PLACES).values()
    own = (name for of in places for screens in of.values() for name in screens)
    return [name for name in own if name not in app.ONLY_FOR or may(role, app.ONLY_FOR[name])]


# What opens on one screen alone: does it, and looks at it.
Steps = Callable[["Walk"], None]


class Walk:
    """A screen on which one dialog after the other is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []

    def look(self, shown: Locator) -> None:
        """Have axe-core look at what is shown."""
        expect(shown).to_be_visible(timeout=SLOW)
        at_rest(self.page)
        self.faults += _faults(self.page, shown)

    def work(self) -> None:
        """Look at the task itself, where no screen of the sample shows it."""
        self.look(self.page.get_by_test_id(re.compile("^[a-z_]+-viewer$")))

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
    walk.work()
    walk.dialog("S", "send_back")


def of_mcq(walk: Walk) -> None:
    for keys in ("2 4 Enter", "1 3 5 Enter", "2 2"):
        press(walk.page, keys)
    walk.look(walk.page.get_by_test_id("dialog-fix"))


def of_tagging(walk: Walk) -> None:
    walk.dialog("m", "progress")


def of_review(walk: Walk) -> None:
    walk.dialog("P", "prompt")


def of_curation(walk: Walk) -> None:
    walk.work()
    press(walk.page, "1 1 1 1 2 Enter")
    press(walk.page, "1 2 /")
    walk.page.keyboard.type("기중기 검사")
    walk.look(walk.page.get_by_role("listbox"))
    walk.page.keyboard.press("Escape")
    press(walk.page, "2")
    walk.look(walk.page.get_by_test_id("dialog-edit"))


def of_research(walk: Walk) -> None:
    walk.work()
    walk.page.get_by_test_id("query").fill("관계인")
    walk.page.get_by_test_id("query").press("Enter")
    walk.look(walk.page.get_by_test_id("results"))
    walk.page.get_by_test_id("hit").first.click()
    walk.look(walk.page.get_by_test_id("authority"))


# The screens of the sample in this order, by whom each is opened as, with what it has of its own.
TASKS: dict[int, dict[str, Steps | None]] = {
    1: {
        "citation_mapping": of_mapping,
        "ocr_correction": of_ocr,
        "mcq_solvability": of_mcq,
        "answer_rating": None,
        "factor_tagging": of_tagging,
    },
    2: {"ocr_verification": of_verification},
    4: {"judge_review": of_review},
}
OTHERS: dict[str, Steps] = {
    "curation": of_curation,
    "research": of_research,
    "attribution_review": Walk.work,
}


@in_every_variant
def test_no_dialog_has_a_fault(
    browser: Browser, workspace: Path, tmp_path: Path, language: str, theme: Any
) -> None:
    def walked(link: str, **tasks: Steps | None) -> list[str]:
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=theme)
        page.goto(link)
        found = []
        for task, steps in tasks.items():
            lead_to(page, f"/{task}?{link.partition('?')[2]}")
            found += [f"{task} {each}" for each in opened(page, keys.pop(0), steps)]
        page.context.close()
        return found

    common = [*DIALOGS, *BESIDE]
    every = [common] * (len(OTHERS) + sum(map(len, TASKS.values())))
    usual = (language, theme) == USUAL
    keys = [[common[at % len(common)]] for at in range(len(every))] if usual else every
    faults = []
    with running_app(workspace) as address:
        for person, tasks in TASKS.items():
            faults += walked(
                f"{address}/start?project=sample&person={person}&lang={language}", **tasks
            )
    for task, (slug, build) in HOUSES.items():
        build(tmp_path / task)
        with running_app(tmp_path / task) as address:
            link = f"{address}/{task}?project={slug}&person=1&lang={language}"
            faults += walked(link, **{task: OTHERS[task]})
    assert faults == []


def opened(page: Page, keys: list[str], steps: Steps | None) -> list[str]:
    """Return the faults of what opens on a task by these keys, and of what it has of its own."""
    page.get_by_test_id("submit").wait_for(timeout=SLOW)
    at_rest(page)
    walk = Walk(page)
    page.get_by_test_id("open-guideline").focus()
    for key in keys:
        if key in DIALOGS:
            walk.dialog(key, DIALOGS[key])
        else:
            walk.pane(key, BESIDE[key])
    if steps:
        steps(walk)
    return walk.faults


def _lasting(page: Page) -> list[str]:
    """Return the faults that are there however often one looks: a page may yet be drawing."""
    faults: list[str] = []
    for _ in range(LOOKS):
        faults = _faults(page)
        if not faults:
            break
        page.wait_for_timeout(BETWEEN_MS)
        at_rest(page)
    return faults


def _faults(page: Page, within: Locator | None = None) -> list[str]:
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
