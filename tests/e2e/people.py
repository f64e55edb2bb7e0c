"""What a person does on the screens, in their own terms."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import FloatRect, Locator, Page, expect
from playwright.sync_api import TimeoutError as Late

import app
from annotation.check.project import check
from annotation.people.members import PersonView, list_people
from messages import LANGUAGES, catalogue, say
from storage.db.workspace import Workspace
from storage.projects import list_projects
from tests.e2e.ready import served_workspace

_WORKPLACES = {
    "annotator": "citation_mapping",
    "lawyer": "citation_mapping",
    "adjudicator": "adjudication",
    "researcher": "data",
    "administrator": "data",
}  # by role, what a test begins with
SCREENSHOTS = os.environ.get("TOUCHSTONE_SCREENSHOTS")
SLOW = 90_000  # milliseconds that a step may take where another run of tests keeps the machine busy
STILL = 100  # milliseconds after which something that moves has moved
TRIES = 4  # of a press that may miss while the page is being drawn


def box_of(shown: Locator) -> FloatRect:
    """Return where something stands in the window, in pixels, once it is drawn and stands still.

    What is drawn anew while it is measured has no place at that moment.
    """
    before = None
    for _ in range(SLOW // STILL):
        expect(shown).to_be_visible(timeout=SLOW)
        box = shown.bounding_box()
        if box is not None and box == before:
            return box
        before = box
        shown.page.wait_for_timeout(STILL)
    raise AssertionError(f"never stood still: {shown}")


def picture(page: Page, name: str) -> None:
    """Keep a picture for the docs when $TOUCHSTONE_SCREENSHOTS names a folder."""
    if SCREENSHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


def visit(page: Page, address: str, screen: str, project: str, person: int) -> None:
    """Open a screen in English as this person of the project."""
    page.goto(f"{address}/{screen}?project={project}&person={person}&lang=en")
    at_rest(page)


def come_in(page: Page, address: str, name: str, screen: str = "") -> None:
    """Come in by a person's own link, to a screen or where their role works.

    Where it is not known what is served, come in by the first screen, as in `say_who_you_are`.
    """
    parts = urlsplit(address)
    asked = dict(parse_qsl(parts.query))
    person = _served_person(address, asked.get("project"), name)
    if person is None:
        say_who_you_are(page, address, name, screen)
        return
    project, found = person
    place = screen or _WORKPLACES[found.role]
    query = urlencode({"project": project, "person": found.id} | asked)
    page.goto(f"{parts.scheme}://{parts.netloc}/{place}?{query}")
    expect(page.get_by_test_id("stSidebar").get_by_role("link").last).to_be_visible(timeout=SLOW)
    at_rest(page)


def _served_person(address: str, slug: str | None, name: str) -> tuple[str, PersonView] | None:
    """Return the person whose button on the first screen has this name, and their project."""
    folder = served_workspace(address)
    if folder is None:
        return None
    ws = Workspace(folder)
    project = slug or list_projects(ws)[0].slug
    known = [each for each in list_people(ws, project) if each.active]
    ws.engine.dispose()
    (person,) = [each for each in known if name.lower() in f"{each.name} · {each.role}".lower()]
    return project, person


def say_who_you_are(page: Page, address: str, name: str, screen: str = "") -> None:
    """Open the app, say on its first screen who you are, and go where `come_in` leads."""
    page.goto(address)
    person = page.get_by_role("button", name=name)
    role = person.inner_text(timeout=SLOW).split(" · ")[-1].strip()
    person.click(timeout=SLOW)
    expect(page.get_by_test_id("stSidebar").get_by_role("link").last).to_be_visible(timeout=SLOW)
    go_to(page, say(f"app.pages.{screen or _WORKPLACES[role]}"))


def sidebar_link(page: Page, screen: str) -> Locator:
    """Return the link of the sidebar to a screen, beside which may stand how much is open there."""
    return page.get_by_test_id("stSidebar").get_by_role("link", name=_counted(screen))


def _counted(screen: str) -> re.Pattern[str]:
    """Return what a link to a screen is called, with how much is open there."""
    return re.compile(rf"^{re.escape(screen)}( [\d,]+)?$")


def go_to(page: Page, screen: str) -> None:
    """Follow the link of the screen's place and its tab; else go to its address."""
    at_rest(page)
    for link in (screen, *_place_titles(screen)):
        if sidebar_link(page, link).count():
            sidebar_link(page, link).click()
            at_rest(page)
            break
    tab = page.locator(".st-key-links-tabs").get_by_role("link", name=_counted(screen))
    if tab.count():
        tab.click()
        at_rest(page)
    elif not sidebar_link(page, screen).count() and (name := _screen_name(screen)):
        asked = dict(parse_qsl(urlsplit(page.url).query))
        kept = ("project", "person", "lang")
        who = {key: value for key, value in asked.items() if key in kept}
        lead_to(page, f"/{name}?{urlencode(who)}")


def _screen_name(title: str) -> str:
    """Return the address of the screen with this title in any language, "" for none."""
    said = {say(f"app.pages.{n}", tongue): n for n in app.PAGES for tongue in LANGUAGES}
    return said.get(title, "")


def _place_titles(screen: str) -> list[str]:
    """Return the titles of the place whose tab a screen is, in every language."""
    layouts = (*app.PLACES.values(), *app.WORK_PLACES.values())
    places = [(name, place) for of in layouts for place, names in of.items() for name in names]
    return [
        say(f"app.places.{place}", language)
        for language in LANGUAGES
        for name, place in places
        if say(f"app.pages.{name}", language) == screen and f"app.places.{place}" in catalogue()
    ]


# As the browser's own buttons lead there.
_GO = """(to) => {
  history.pushState({}, "", to);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def lead_to(page: Page, place: str) -> None:
    """Go to a path of the app without loading what it loads once, and wait until it is drawn.

    Person, project and language stay those with which the page was loaded.
    """
    page.evaluate(_GO, place)
    at_rest(page)


def go_on(page: Page, identity: str) -> None:
    """Go on with the work from the start page, which opens this item."""
    page.get_by_role("button", name="Continue").click(timeout=SLOW)
    on_item(page, identity)


def on_item(page: Page, identity: str) -> None:
    """Wait until the item of this id is open and everything on it is saved."""
    expect(page.get_by_test_id("item-id")).to_have_text(identity, timeout=SLOW)
    saved(page)


def open_from_queue(page: Page, identity: str) -> None:
    """Open an item by its id, by keys."""
    page.keyboard.press("g")
    expect(page.get_by_test_id("queue-entry").first).to_be_visible(timeout=SLOW)
    page.keyboard.type(identity)
    page.keyboard.press("Enter")
    on_item(page, identity)


def at_rest(page: Page) -> None:
    """Wait until the server has drawn everything that was asked, so that nothing of before is left.

    After a press this waits for what the press has drawn (see `reruns`).
    """
    page.wait_for_function("atRest()", timeout=SLOW)


def saved(page: Page) -> None:
    """Wait until the server has acknowledged everything, and keys are heard on what is open."""
    page.wait_for_function("saved()", timeout=SLOW)


def keys_are_heard(page: Page) -> None:
    """Wait until keys are heard on what is open: for a moment they rest after an item has come."""
    expect(page.locator("[data-resting]")).to_have_count(0, timeout=SLOW)


def press(page: Page, keys: str) -> None:
    """Press each key of a space-separated list, and wait until what they did is saved.

    Where that submits past something that the answer cites, say that it is meant.
    """
    for key in keys.split():
        page.keyboard.press(key)
    saved(page)
    if page.get_by_test_id("dialog-overlooked").is_visible():
        press(page, "Control+Enter")


def take_back(page: Page, identity: str) -> None:
    """Take back the submission of the item, which is open or was submitted last, by keys."""
    page.keyboard.press("Shift+Z")
    asked = page.get_by_test_id("dialog-take-back")
    expect(asked).to_contain_text(f"Take back your submission of {identity}?", timeout=SLOW)
    page.keyboard.press("Enter")
    on_item(page, identity)
    expect(page.get_by_test_id("message")).to_contain_text(f"Submission of {identity} taken back")


def fill_in(field: Locator, words: str) -> None:
    """Write into a field and leave it, and wait until what follows from it is drawn."""
    field.fill(words)
    field.press("Tab")
    at_rest(field.page)


def tick(table: Locator, row: int, opened: Locator) -> None:
    """Tick a row of a table, counted from 1, and again until what it opens is there.

    A table is a canvas: it says nothing of its rows, and moves while the page is being drawn.
    """
    for _ in range(TRIES):
        at_rest(table.page)
        table.scroll_into_view_if_needed()
        box = box_of(table)
        table.page.mouse.click(box["x"] + 16, box["y"] + 17 + 35 * row)
        with suppress(AssertionError):
            expect(opened).to_be_visible(timeout=SLOW / TRIES)
            return
    raise AssertionError(f"row {row} opens nothing")


def choose(field: Locator, option: str | re.Pattern[str]) -> None:
    """Choose from a list, which closes where the page is scrolled or drawn anew just then."""
    wanted = field.page.get_by_role("option", name=option, exact=isinstance(option, str)).first
    for _ in range(TRIES):
        field.evaluate("node => node.scrollIntoView({ block: 'center' })")
        at_rest(field.page)
        field.click()
        with suppress(Late):
            wanted.click(timeout=SLOW / TRIES)
            at_rest(field.page)
            return
    raise AssertionError(f"no option {option}")


def require_sound(ws: Workspace) -> None:
    """Fail if `check` finds a fault in a project of the workspace."""
    assert [fault for each in list_projects(ws) for fault in check(ws, each.slug)] == []


def open_part(page: Page, name: str) -> None:
    """Choose a part of the screen by its button or radio button, and wait until it is drawn."""
    choice = page.get_by_role("radio", name=name, exact=True)
    choice.or_(page.get_by_role("button", name=name, exact=True)).first.click(timeout=SLOW)
    at_rest(page)


def decisions(page: Page) -> list[str]:
    """Return the decision shown on each candidate, "" where there is none."""
    cards = page.get_by_test_id("candidate").all()
    return [card.get_attribute("data-decision") or "" for card in cards]
