"""Files in team mode, in real browsers: taken from who is signed in, within a budget, and freed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.people import sign_in
from annotation.people.invitations import Newcomer, invite, take_as_newcomer
from serving.identity import COOKIE
from storage.db.workspace import Workspace
from tests.e2e.people import SLOW, at_rest, go_to, picture
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
BUDGET = {"TOUCHSTONE_MODE": "team", "TOUCHSTONE_SESSION_UPLOAD_MIB": "2"}
REFUSED = "you may have 2 MiB uploaded at once"


@pytest.fixture
def served(workspace: Path) -> Iterator[tuple[str, str]]:
    """Serve the sample to a team; yield the address and the cookie of its lead."""
    ws = Workspace(workspace)
    _, secret = invite(ws, "sample", "administrator")
    lead = take_as_newcomer(ws, secret, Newcomer("lea", "Lea", "four plain words here"))
    with running_app(workspace, **BUDGET) as address:
        yield address, sign_in.token_for(ws, lead.id)


@pytest.fixture
def context(browser: Browser, served: tuple[str, str]) -> BrowserContext:
    """Return a browser in which the lead is signed in."""
    address, token = served
    opened = browser.new_context(viewport={"width": 1440, "height": 900})
    opened.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    return opened


def on_exchange(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(f"{address}/exchange?lang=en")
    expect(page.get_by_test_id("stFileUploader").first).to_be_visible(timeout=SLOW)
    at_rest(page)
    return page


def send(page: Page, file: Path, status: int) -> None:
    """Choose a file in the first field of the page, and see what the server answers."""
    with page.expect_response(lambda each: "/upload_file/" in each.url) as answered:
        page.get_by_test_id("stFileUploader").first.locator("input[type=file]").set_input_files(
            file
        )
    assert answered.value.status == status


def test_files_of_a_lead_are_within_a_budget_and_theirs_alone(
    context: BrowserContext, browser: Browser, served: tuple[str, str], tmp_path: Path
) -> None:
    address, _ = served
    a_lead_uploads_within_the_budget_and_leaving_frees_it(context, address, tmp_path)
    what_is_made_for_a_lead_is_theirs_alone(context, browser, address)


def a_lead_uploads_within_the_budget_and_leaving_frees_it(
    context: BrowserContext, address: str, tmp_path: Path
) -> None:
    file = tmp_path / "annotations.jsonl"
    file.write_text('{"a": 1}\n' * 150_000, "utf-8")  # 1.3 MiB
    first, second = on_exchange(context, address), on_exchange(context, address)
    send(first, file, 204)
    expect(first.get_by_text(file.name)).to_be_visible(timeout=SLOW)
    send(second, file, 413)
    expect(second.get_by_text(REFUSED)).to_be_visible(timeout=SLOW)
    expect(second.get_by_role("heading", name="Exchange", exact=True)).to_be_visible()
    picture(second, "upload-refused")
    first.close()
    second.reload()
    at_rest(second)
    send(second, file, 204)
    go_to(second, "Corpus")
    third = on_exchange(context, address)
    send(third, file, 204)


def what_is_made_for_a_lead_is_theirs_alone(
    context: BrowserContext, browser: Browser, address: str
) -> None:
    page = on_exchange(context, address)
    with page.expect_download(timeout=SLOW) as coming:
        page.get_by_role("button", name="Download annotations").click()
    assert Path(coming.value.path()).stat().st_size > 0
    url = coming.value.url
    assert "/media/" in url
    assert page.request.get(url).status == 200
    stranger = browser.new_context()
    assert stranger.request.get(url).status == 401
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=SLOW)
    assert page.request.get(url).status == 401
