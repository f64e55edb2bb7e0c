"""A team in a real browser: invited, at work, deactivated; what was done stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.people import accounts
from annotation.people.members import history
from storage.db.workspace import Workspace
from tests.e2e.people import (
    SLOW,
    at_rest,
    go_on,
    go_to,
    lead_to,
    on_item,
    picture,
    press,
    require_sound,
)
from tests.e2e.ready import command_line, running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
PHRASE = "four plain words here"


@pytest.fixture
def served(workspace: Path) -> Iterator[tuple[Path, str]]:
    """Serve the sample to a team with one steward; yield the workspace and the address."""
    accounts.add_account(Workspace(workspace), "head", "Head", PHRASE)
    with running_app(workspace, TOUCHSTONE_MODE="team") as address:
        yield workspace, address


def visitor(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport={"width": 1440, "height": 900})


def test_invited_at_work_deactivated_and_the_history_stays(
    browser: Browser, served: tuple[Path, str]
) -> None:
    folder, address = served
    head, dora = visitor(browser).new_page(), visitor(browser).new_page()
    first = command_line(
        folder, "person", "invite", "--role", "administrator", "--address", address
    )
    link = first.stdout.strip().splitlines()[-1]
    sign_in_and_join(head, address, link)
    take(dora, invite(head))
    annotate(dora)
    has_a_cookie_that_scripts_cannot_read(dora)
    is_nobody_else(dora, address)
    deactivate(head)
    can_act_no_more(dora)
    told = [(each.person, each.kind, each.by) for each in history(Workspace(folder), "sample")]
    assert told[-2:] == [("Dora", "added", "Head"), ("Dora", "deactivated", "Head")]
    require_sound(Workspace(folder))
    assert submitted_by("Dora", command_line(folder, "agreement", "--json").stdout) == 1


def submitted_by(person: str, report: str) -> int:
    """Return a person's number of submissions in the JSON of the agreement report."""
    progress = json.loads(report)["progress"]
    return int(next(each["submitted"] for each in progress if each["person"] == person))


def sign_in_and_join(page: Page, address: str, link: str) -> None:
    page.goto(address)
    page.get_by_role("textbox", name="Login", exact=True).fill("head")
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("do not match")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_label("Password", exact=True).fill(PHRASE)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("You are not in any project.")).to_be_visible(timeout=SLOW)
    cookie_of(page)
    page.goto(link)
    page.get_by_role("button", name="Join as head").click(timeout=SLOW)
    expect(page.get_by_role("link", name="People", exact=True)).to_be_visible(timeout=SLOW)


def invite(page: Page) -> str:
    """Make a link for a lawyer on the people screen; return it."""
    go_to(page, "Roles")
    expect(page.get_by_text("You are administrator here.")).to_be_visible(timeout=SLOW)
    picture(page, "roles")
    go_to(page, "People")
    form = page.locator("form, [data-testid=stForm]").filter(has_text="Make invitation links")
    form.get_by_role("textbox", name="Whom it is for").fill("for Dora")
    form.get_by_role("combobox").click(timeout=SLOW)
    page.get_by_role("option", name="lawyer").click()
    page.get_by_role("button", name="Make invitation links").click()
    link = page.get_by_test_id("stCode")
    expect(link).to_contain_text("invitation=", timeout=SLOW)
    picture(page, "people")
    return link.inner_text().strip()


def take(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("textbox", name="Name", exact=True).fill("Dora", timeout=SLOW)
    page.get_by_role("textbox", name="Login", exact=True).fill("dora")
    page.get_by_label("Password", exact=True).fill(PHRASE)
    page.get_by_label("Password again", exact=True).fill(PHRASE)
    page.get_by_role("button", name="Make an account and join").click()


def annotate(page: Page) -> None:
    go_on(page, "en-01")
    press(page, "a j a j a Control+Enter")
    on_item(page, "en-02")


def cookie_of(page: Page) -> dict[str, object]:
    """Return the session's cookie, once the browser has it."""
    for _ in range(40):
        for each in page.context.cookies():
            if each["name"] == "touchstone_session":
                return dict(each)
        page.wait_for_timeout(100)
    raise AssertionError("the browser got no cookie")


def has_a_cookie_that_scripts_cannot_read(page: Page) -> None:
    cookie = cookie_of(page)
    assert cookie["httpOnly"] is True
    assert cookie["sameSite"] == "Lax"
    assert "touchstone_session" not in page.evaluate("document.cookie")


def is_nobody_else(page: Page, address: str) -> None:
    """A forged person and project in the address change nothing."""
    page.goto(f"{address}/?person=1&project=sample")
    go_on(page, "en-02")
    expect(page.get_by_text("Signed in as dora")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("link", name="People", exact=True)).to_have_count(0)
    lead_to(page, "/people?person=4")
    expect(page.get_by_text("This screen is for administrators")).to_be_visible(timeout=SLOW)
    lead_to(page, "/start")
    go_on(page, "en-02")


def deactivate(page: Page) -> None:
    page.reload()
    at_rest(page)
    box = page.get_by_role("combobox", name="Person")
    box.click(timeout=SLOW)
    page.get_by_role("option", name="Dora").click()
    # Until Dora's form is there, the button is still the one of the person shown before.
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Dora", timeout=SLOW)
    at_rest(page)
    page.get_by_role("button", name="Deactivate").click(timeout=SLOW)
    expect(page.get_by_role("button", name="Reactivate")).to_be_visible(timeout=SLOW)
    at_rest(page)
    page.get_by_test_id("stExpander").get_by_text("History", exact=True).click()


def can_act_no_more(page: Page) -> None:
    page.keyboard.press("a")
    expect(page.get_by_text("has been deactivated").first).to_be_visible(timeout=SLOW)
    page.reload()
    expect(page.get_by_text("You are not in any project.")).to_be_visible(timeout=SLOW)
