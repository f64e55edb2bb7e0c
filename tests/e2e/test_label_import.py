"""Labels of another tool, in a real browser: stopped midway, gone on with, and told where from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTimeError

from annotation.check.project import check
from annotation.people import sign_in
from annotation.people.invitations import Newcomer, invite, take_as_newcomer
from benchmarks.writers import SLUG, opened, seat
from services.exchange.label_import import imported_files
from serving.identity import COOKIE
from storage.db.workspace import Workspace
from storage.law.corpus import load_items, unit_ids
from tests.e2e.people import SLOW, at_rest, picture
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
QUESTIONS = 3000


def export(ws: Workspace, file: Path) -> None:
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


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Workspace, str, str]]:
    """Serve a project of many questions to a team; yield the address and its lead's cookie."""
    ws = opened(tmp_path / "workspace", None)
    seat(ws, 2, QUESTIONS)
    _, secret = invite(ws, SLUG, "administrator")
    lead = take_as_newcomer(ws, secret, Newcomer("lea", "Lea", "four plain words here"))
    with running_app(ws.folder, TOUCHSTONE_MODE="team") as address:
        yield ws, address, sign_in.token_for(ws, lead.id)


def choose(page: Page, label: str, number: int, option: str) -> None:
    """Choose an option of one of the fields of that label."""
    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(5):  # a list closes where the page is drawn anew just then
        page.get_by_role("combobox", name=label).nth(number).click()
        with suppress(NotInTimeError):
            wanted.click(timeout=5_000)
            break
    else:
        wanted.click(timeout=SLOW)
    at_rest(page)


def send(page: Page, file: Path) -> None:
    fields = page.get_by_test_id("stFileUploader")
    fields.last.locator("input[type=file]").set_input_files(file)
    at_rest(page)


def test_an_import_is_stopped_and_gone_on_with(
    browser: Browser, served: tuple[Workspace, str, str], tmp_path: Path
) -> None:
    """It is stopped in English at a desk, and gone on with in Korean on a phone."""
    ws, address, token = served
    file = tmp_path / "labels.json"
    export(ws, file)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    page = context.new_page()
    button = asked(page, address, file, "en")
    button.click()
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text(re.compile(r"[1-9]:?\d*"), timeout=SLOW)
    picture(page, "labels-under-way-en")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_test_id("stAlert").first).to_contain_text("Stopped:", timeout=SLOW)
    at_rest(page)
    picture(page, "labels-stopped-en")
    assert check(ws, SLUG) == []
    expect(button).to_be_enabled(timeout=SLOW)
    page.set_viewport_size({"width": 390, "height": 900})
    button = asked(page, address, file, "ko")
    button.click()
    expect(page.get_by_test_id("stAlert").first).to_contain_text("가져왔습니다", timeout=SLOW)
    at_rest(page)
    expect(button).to_be_disabled(timeout=SLOW)
    page.get_by_test_id("stMainBlockContainer").locator("h3").last.scroll_into_view_if_needed()
    picture(page, "labels-done-ko")
    (file_row,) = imported_files(ws, SLUG)
    assert (file_row.came, file_row.labels, file_row.by) == (2 * QUESTIONS, 2 * QUESTIONS, "Lea")
    assert check(ws, SLUG) == []


def asked(page: Page, address: str, file: Path, language: str) -> Locator:
    """Send the file and say who labelled and what was meant; return the button that imports."""
    page.goto(f"{address}/exchange?lang={language}")
    expect(page.get_by_test_id("stFileUploader").last).to_be_visible(timeout=SLOW)
    at_rest(page)
    send(page, file)
    words = {
        "en": ("Choose a person", "What the choices mean", "No provision"),
        "ko": ("사람 고르기", "선택의 뜻", "해당 조문 없음"),
    }[language]
    for number, person in enumerate(("Writer 0", "Writer 1")):
        choose(page, words[0], number, person)
    choose(page, words[1], 0, words[2])
    button = page.get_by_role(
        "button", name={"en": "Import labels", "ko": "라벨 가져오기"}[language]
    )
    expect(button).to_be_enabled(timeout=SLOW)
    picture(page, f"labels-asked-{language}")
    return button
