"""Every screen of a project in the middle of its life, with a script in every text.

A script stays text, axe-core finds no fault, no text is cut without a sign, and names of figures
are whole at 200 %. Who sees little, hears it read or has no mouse is served as well.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

import app
from annotation.people.roles import may
from services.sample.people import PEOPLE
from tests.e2e.looks import in_every_variant, lasting_faults, resized, zoom
from tests.e2e.people import SLOW, at_rest, lead_to
from tests.e2e.ready import running_app
from tests.e2e.screens import who_opens

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
EVERYBODY = (1, 3, 4, 5)  # of the sample: annotator, lead, adjudicator, lawyer
SCRIPT = (
    " <img src=x onerror=planted()> <script>planted()</script> [a](javascript:planted())"
    " $x$ <svg onload=planted()>"
)
HARM = "img[src='x'], svg[onload], a[href^='javascript']"
WRITTEN = {  # columns of what people write, models answer, or files bring
    "adjudication": ("reason",),
    "annotation": ("comment",),
    "augmented_question": ("text", "answer"),
    "batch": ("name",),
    "closure_decision": ("reason",),
    "comment": ("text",),
    "court_case": ("court", "title"),
    "document": ("note",),
    "experiment": ("name",),
    "experiment_run": ("label",),
    "item": ("title",),
    "judge_case": ("question", "reference", "answer"),
    "mcq": ("query", "explanation"),
    "mcq_attempt": ("detail",),
    "model_answer": ("answer", "raw"),
    "person": ("name",),
    "project": ("title",),
    "question": ("text", "answer"),
    "referral": ("reason",),
    "reformulation": ("option", "wording"),
    "reformulation_decision": ("wording", "reason"),
    "run_mark": ("text",),
    "run_record": ("label",),
    "saved_view": ("name",),
    "settlement": ("reason",),
    "snapshot": ("name",),
    "split": ("note",),
    "statute": ("title",),
    "unit": ("heading", "text"),
    "verdict": ("raw",),
}
CUTTING = ("corpus", "adjudication", "gold", "leaderboard")  # screens of long texts
FIGURES = ("data", "gold", "ocr_report")  # screens of figures and switches
NAMES_CUT = """() => [...document.querySelectorAll("[data-testid=stMetricLabel] *, .stCheckbox *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).textOverflow === "ellipsis")
  .filter((each) => getComputedStyle(each).overflowX !== "visible")
  .map((each) => each.innerText)"""


@dataclass
class Watch:
    """What a page did that no page should."""

    calls: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        page.expose_function("planted", lambda: self.calls.append("planted"))
        page.on("dialog", self.close)
        page.on("pageerror", lambda error: self.calls.append(f"error {error}"))

    def close(self, dialog: Dialog) -> None:
        self.calls.append("dialog")
        dialog.dismiss()


@pytest.fixture
def hostile(lived_in: Path) -> Iterator[str]:
    """Serve the sample in the middle of its life with a script in what is written."""
    with closing(sqlite3.connect(lived_in / "touchstone.db")) as database, database:
        kept = "SELECT name FROM sqlite_master WHERE type = 'trigger'"  # rows are only ever added
        for (trigger,) in database.execute(kept).fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        for table, columns in WRITTEN.items():
            for column in columns:
                written = f"UPDATE {table} SET {column} = {column} || ? WHERE {column} <> ''"  # noqa: S608
                assert database.execute(written, [SCRIPT]).rowcount, (table, column)
    with running_app(lived_in) as served:
        yield served


@in_every_variant
def test_every_screen(
    browser: Browser, hostile: str, language: str, theme: Any, everything: bool
) -> None:
    """Look at every place and tab in a theme, and at the colours of the other one.

    `make test` has each looked at by one person, the long run by whoever may open it.
    """
    watch, faults = Watch(), []
    for person in EVERYBODY:
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=theme)
        watch.over(page)
        who = f"project=sample&person={person}&lang={language}"
        page.goto(f"{hostile}/start?{who}")
        for name in screens_of(person, everything):
            lead_to(page, f"/{name}?{who}")
            page.get_by_test_id("stMain").locator("h1, h2").first.wait_for(timeout=SLOW)
            at_rest(page)
            faults += [(person, name, each) for each in lasting_faults(page)]
            assert page.locator(HARM).count() == 0, (person, name)
            assert watch.calls == [], (person, name)
            nothing_is_cut(page, name)
        is_trapped(page, watch)
        page.context.close()
    assert faults == []


def screens_of(person: int, everything: bool) -> list[str]:
    """Return the screens that the person looks at, and one that only says whose it is.

    Usually those that nobody before them did.
    """
    role = PEOPLE[person - 1][1]
    opens = {name: name not in app.ONLY_FOR or may(role, app.ONLY_FOR[name]) for name in app.PAGES}
    mine = [name for name in app.PAGES if opens[name] and (everything or who_opens(name) == person)]
    return [*mine, *(name for name, allowed in opens.items() if not allowed)][: len(mine) + 1]


def nothing_is_cut(page: Page, name: str) -> None:
    if name in CUTTING:
        resized(page, name)
    if name in FIGURES:
        zoom(page, {"width": 720, "height": 450, "deviceScaleFactor": 2})
        page.locator("[data-testid=stMetricLabel]").first.wait_for(timeout=SLOW)
        at_rest(page)
        assert page.evaluate(NAMES_CUT) == [], name
    if name in CUTTING + FIGURES:
        zoom(page, {"width": 1280, "height": 900, "deviceScaleFactor": 1})
        page.set_viewport_size({"width": 1280, "height": 900})


def is_trapped(page: Page, watch: Watch) -> None:
    """See that a script would be noticed."""
    page.evaluate(f"document.body.insertAdjacentHTML('beforeend', '{SCRIPT}')")
    expect(page.locator(HARM).first).to_be_attached()
    for _ in range(SLOW // 100):  # the image has to fail first, which takes a busy machine long
        if watch.calls:
            break
        page.wait_for_timeout(100)
    assert "planted" in watch.calls, "the trap works"
    watch.calls.clear()
