"""A script in every text that anybody can write stays text on every page that a role may open."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

import app
from annotation.adjudication import disputes
from annotation.agreement.calibration import Known, set_known_answers
from annotation.guidelines import editing
from annotation.people import members
from annotation.people.roles import Role, may
from annotation.work import commands, queue_service, threads
from corpus.model import Question, Statute
from pages.shell.entry.timing import TIMING_VARIABLE
from services.runs.retrieving import retrieve
from services.sample.people import PEOPLE
from storage.law.imports import keep_questions, keep_statutes
from storage.tables.core import Project
from tests.annotation.crew import batch, submit
from tests.annotation.house import SLUG, House, build, propose, question, statute
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, lead_to
from tests.e2e.ready import running_app
from tests.e2e.screens import who_opens

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
PLANTED = "<img src=x onerror=planted()>"  # short enough for a name
LONGER = (
    f"{PLANTED} <script>planted()</script> [a](javascript:planted()) $x$ <svg onload=planted()>"
)


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


def hostile_law() -> Statute:
    law = statute()
    units = tuple(
        replace(unit, heading=LONGER, text=f"{unit.text} {LONGER}", parts=()) for unit in law.units
    )
    return replace(law, title=LONGER, units=units)


def hostile_question(number: int) -> Question:
    asked = question(number)
    return replace(asked, text=f"{asked.text} {LONGER}", answer=f"{asked.answer} {LONGER}")


def plant(folder: Path) -> House:
    """Make a project with the script in everything that people write, or that is imported."""
    house = build(folder, FakeClock())
    ws = house.ws
    keep_statutes(ws, SLUG, [hostile_law()], LONGER)
    keep_questions(ws, SLUG, [hostile_question(n) for n in range(4, 7)], f"{LONGER}.jsonl")
    with ws.writing() as session:
        session.get_one(Project, 1).title = LONGER
    for number, person in enumerate((house.ann, house.ben, house.cho, house.judge)):
        members.rename(ws, person, f"{number}{PLANTED}")
    for role in (Role.LAWYER, Role.RESEARCHER, Role.ADMINISTRATOR):
        members.add_person(ws, SLUG, f"{role}{PLANTED}", role)
    set_known_answers(ws, SLUG, [Known("q3", (), no_provision=True, explanation=LONGER)])
    batch(house, ids=("q1", "q2", "q3"), name=PLANTED, calibration=1 / 3)
    say_it_everywhere(house)
    where = (ws, SLUG, "guideline", "citation_mapping")
    editing.new_version(*where, {"en": f"# {LONGER}\n\n1. {LONGER}"}, LONGER, 1)
    propose(house, 2)
    retrieve(ws, SLUG, k=3, snapshot_id=1)
    return house


def say_it_everywhere(house: House) -> None:
    """Let three items be agreed on, decided and flagged, with the script in every word."""
    ws, (first, second, _) = house.ws, house.items[:3]
    for person, article in ((house.ann, 1), (house.ben, 2)):
        for item in (first, second):
            queue_service.open_item(ws, person, item)
            commands.set_comment(ws, person, item, LONGER)
            commands.set_flag(ws, person, item, LONGER)
            threads.say(ws, person, item, LONGER)
            submit(house, person, item, article)
    commands.skip(ws, house.cho, house.items[2], LONGER)
    decided = (first, [house.units[1]], False, LONGER, 1.0)
    disputes.decide(ws, house.judge, *decided)


def pages_by_role(by_every_role: bool) -> dict[Role, list[str]]:
    """Return the pages that each role may open, and one of those that only say whose they are.

    In `make test` a page is opened by the role that works there.
    """
    found: dict[Role, list[str]] = {role: [] for role in Role}
    for role, name in product(Role, app.PAGES):
        opens = name not in app.ONLY_FOR or may(role, app.ONLY_FOR[name])
        if opens and (by_every_role or role == PEOPLE[who_opens(name) - 1][1]):
            found[role].append(name)
    for role, names in found.items():
        names += [
            name for name in app.PAGES if name in app.ONLY_FOR and not may(role, app.ONLY_FOR[name])
        ][:1]
    return found


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = tmp_path_factory.mktemp("planted") / "workspace"
    return plant(folder)


@pytest.mark.parametrize("by_every_role", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_page_runs_what_people_wrote(
    browser: Browser, planted: House, by_every_role: bool
) -> None:
    ws, watch = planted.ws, Watch()
    who = {person.role: person.id for person in members.list_people(ws, SLUG)}
    assert set(who) == set(Role)
    told = ws.folder.parent / f"drawn-{by_every_role}.jsonl"
    with running_app(ws.folder, **{TIMING_VARIABLE: str(told)}) as address:
        page = browser.new_page()
        watch.over(page)
        opened = pages_by_role(by_every_role)
        for role, names in opened.items():
            page.goto(f"{address}/history?project={SLUG}&person={who[role]}")
            at_rest(page)
            for name in names:
                lead_to(page, f"/{name}?project={SLUG}&person={who[role]}")
                expect(page.get_by_test_id("stSidebarContent")).to_be_visible(timeout=SLOW)
                assert page.locator("img[src='x'], svg[onload], a[href^='javascript']").count() == 0
                assert watch.calls == [], (role, name)
        drawn = Counter(json.loads(line)["page"] for line in told.read_text().splitlines())
        wanted = Counter(name for names in opened.values() for name in names)
        assert {
            name for name in app.PAGES if drawn[name] < wanted[name] or not wanted[name]
        } == set()
        page.goto(f"{address}/history?project={SLUG}&person={who[Role.ADMINISTRATOR]}")
        at_rest(page)
        page.evaluate(f"document.body.insertAdjacentHTML('beforeend', '{PLANTED}')")
        for _ in range(SLOW // 100):  # the image has to fail first, which takes a busy machine long
            if watch.calls:
                break
            page.wait_for_timeout(100)
        assert watch.calls == ["planted"], "the trap works"
