"""Files in team mode, in real browsers: within a budget, stopped midway, and one's own alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.check.project import check
from annotation.people import sign_in
from annotation.people.invitations import Newcomer, invite, take_as_newcomer
from benchmarks.people import SLUG, opened, seat
from services.exchange.label_import import imported_files
from serving.identity import COOKIE
from storage.db.workspace import Workspace
from storage.law.corpus import load_items, unit_ids
from tests.e2e.people import SLOW, at_rest, choose, go_to
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
BUDGET = {"TOUCHSTONE_MODE": "team", "TOUCHSTONE_SESSION_UPLOAD_MIB": "2"}
REFUSED = "you may have 2 MiB uploaded at once"
QUESTIONS = 3000


def labels(ws: Workspace, file: Path) -> Path:
    """Write what two users of Label Studio chose: provisions by their ids, or none."""
    with ws.reading() as session:
        named = [each.question.external_id for each in load_items(session, 1)][:QUESTIONS]
        units = sorted(unit_ids(session, 1))
    tasks = []
    for number, name in enumerate(named):
        choice = "none" if number % 7 == 0 else units[number % 5]
        result = {"from_name": "provisions", "type": "choices", "value": {"choices": [choice]}}
        made = [{"completed_by": user, "result": [result]} for user in (1, 2)]
        tasks.append({"data": {"question_id": name}, "annotations": made})
    file.write_text(json.dumps(tasks))
    return file


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Workspace, str, str]]:
    """Serve a project of many questions to a team; yield the address and its lead's cookie."""
    ws = opened(tmp_path / "workspace", None)
    seat(ws, 2, QUESTIONS)
    _, secret = invite(ws, SLUG, "administrator")
    lead = take_as_newcomer(ws, secret, Newcomer("lea", "Lea", "four plain words here"))
    with running_app(ws.folder, **BUDGET) as address:
        yield ws, address, sign_in.token_for(ws, lead.id)


def on_exchange(page: Page, address: str) -> Page:
    page.goto(f"{address}/exchange?lang=en")
    expect(page.get_by_test_id("stFileUploader").last).to_be_visible(timeout=SLOW)
    at_rest(page)
    return page


def send(page: Page, file: Path, status: int = 204, number: int = 0) -> None:
    """Choose a file in a field of the page, and see what the server answers."""
    field = page.get_by_test_id("stFileUploader").nth(number).locator("input[type=file]")
    with page.expect_response(lambda each: "/upload_file/" in each.url) as answered:
        field.set_input_files(file)
    assert answered.value.status == status


def test_files_of_a_lead(
    browser: Browser, served: tuple[Workspace, str, str], tmp_path: Path
) -> None:
    ws, address, token = served
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    first, second = (on_exchange(context.new_page(), address) for _ in range(2))
    uploads_are_within_a_budget_and_leaving_frees_it(first, second, tmp_path)
    page = on_exchange(context.new_page(), address)
    labels_of_another_tool_are_stopped_and_gone_on_with(ws, page, labels(ws, tmp_path / "a.json"))
    what_is_made_for_a_lead_is_theirs_alone(browser, page, address)


def uploads_are_within_a_budget_and_leaving_frees_it(first: Page, second: Page, to: Path) -> None:
    file = to / "annotations.jsonl"
    file.write_text('{"a": 1}\n' * 150_000, "utf-8")  # 1.3 MiB
    send(first, file)
    expect(first.get_by_text(file.name)).to_be_visible(timeout=SLOW)
    send(second, file, 413)
    expect(second.get_by_text(REFUSED)).to_be_visible(timeout=SLOW)
    expect(second.get_by_role("heading", name="Exchange", exact=True)).to_be_visible()
    first.close()
    second.reload()
    at_rest(second)
    send(second, file)
    go_to(second, "Corpus")


def labels_of_another_tool_are_stopped_and_gone_on_with(
    ws: Workspace, page: Page, file: Path
) -> None:
    send(page, file, number=-1)
    at_rest(page)
    for number, person in enumerate(("Writer 0", "Writer 1")):
        choose(page.get_by_role("combobox", name="Choose a person").nth(number), person)
    choose(page.get_by_role("combobox", name="What the choices mean").first, "No provision")
    button = page.get_by_role("button", name="Import labels")
    button.click(timeout=SLOW)
    told = page.get_by_test_id("stAlert").first
    page.get_by_role("button", name="Stop").click(timeout=SLOW)
    expect(told).to_contain_text("Stopped:", timeout=SLOW)
    at_rest(page)
    assert check(ws, SLUG) == []
    button.click(timeout=SLOW)
    expect(told).to_contain_text(re.compile(r"^(?!.*Stopped).*Imported", re.S), timeout=SLOW)
    at_rest(page)
    expect(button).to_be_disabled(timeout=SLOW)
    (file_row,) = imported_files(ws, SLUG)
    assert (file_row.came, file_row.labels, file_row.by) == (2 * QUESTIONS, 2 * QUESTIONS, "Lea")
    assert check(ws, SLUG) == []


def what_is_made_for_a_lead_is_theirs_alone(browser: Browser, page: Page, address: str) -> None:
    on_exchange(page, address)
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
