"""Curation in a real browser: two people, who settles, and who admits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.curation.state import CurationState, Fate, curation_states
from storage.projects import find_project
from tests.e2e.keyboard import keys_alone
from tests.e2e.people import (
    SLOW,
    at_rest,
    come_in,
    fill_in,
    go_to,
    on_item,
    press,
    require_sound,
    saved,
)
from tests.e2e.ready import command_line, running_app
from tests.projects.curation_project import (
    CRANE,
    HOSTILE,
    LAMP,
    LAYER,
    MEANT,
    RAIL,
    SLUG,
    CurationHouse,
    build,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SCREEN = "curation"
ALONE = "1 1 1 1 2"  # meets all four criteria, L2


def sit_down(page: Page, address: str, name: str, screen: str = SCREEN) -> None:
    page.context.clear_cookies()
    come_in(page, f"{address}/?project={SLUG}", f"{name} ·", screen)


def on_step(page: Page, name: str) -> None:
    """Wait until the server has told what belongs to the step."""
    viewer = page.get_by_test_id("curation-viewer")
    expect(viewer).to_have_attribute("data-stage", name, timeout=SLOW)
    saved(page)


def reveal(page: Page, keys: str = ALONE) -> None:
    """Judge the open question by itself, and go on to the second step."""
    on_step(page, "alone")
    press(page, f"{keys} Enter")
    on_step(page, "told")


def states(house: CurationHouse) -> list[CurationState]:
    with house.ws.reading() as session:
        return list(curation_states(session, find_project(session, SLUG).id).values())


def test_two_people_curate_an_adjudicator_decides_and_a_lead_admits(
    page: Page, tmp_path: Path
) -> None:
    house = build(tmp_path / "curation", number=3)
    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        with keys_alone(page):
            first_is_kept_step_by_step(page)
            second_gets_another_provision(page)
            third_is_edited(page)
        sit_down(page, address, "Ben")
        other_person_starts_from_nothing(page)
        fates = [each.fate for each in states(house)]
        assert fates == [Fate.KEPT, Fate.DISPUTED, Fate.DISPUTED]
        sit_down(page, address, "Cho", "adjudication")
        settle(page)
        sit_down(page, address, "Dora", "curation_report")
        admit(page)
        go_to(page, "Gold")
        expect(page.get_by_text("aug-0001").first).to_be_attached(timeout=SLOW)
    found = states(house)
    assert [each.fate for each in found] == [Fate.KEPT, Fate.KEPT, Fate.REJECTED]
    assert found[1].gold == (RAIL, CRANE)
    export(house, tmp_path / "gold")


def first_is_kept_step_by_step(page: Page) -> None:
    on_item(page, "aug-0001")
    on_step(page, "alone")
    viewer = page.get_by_test_id("curation-viewer")
    expect(viewer).to_contain_text(HOSTILE)
    expect(viewer.locator(".line.cited")).to_have_text(MEANT)
    expect(viewer).not_to_contain_text(LAYER)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("message")).to_contain_text("Not answered yet")
    press(page, "1 1 1 1")
    press(page, "2 Enter")
    on_step(page, "told")
    expect(page.get_by_test_id("layers")).to_contain_text(LAYER)
    expect(page.get_by_test_id("layers")).to_contain_text("Written as L3; you found L2.")
    press(page, "z z")
    expect(page.get_by_test_id("undo")).to_be_disabled()
    press(page, "2 2 1 Enter")
    expect(page.get_by_test_id("message")).to_contain_text("No provision belongs")
    press(page, "j 1 Enter")
    on_item(page, "aug-0002")


def second_gets_another_provision(page: Page) -> None:
    reveal(page)
    press(page, "1 2 /")
    page.keyboard.type("기중기 검사", delay=20)
    hit = page.get_by_test_id("search-hit").first
    expect(hit).to_contain_text("제3조", timeout=SLOW)
    page.keyboard.press("Enter")
    saved(page)
    expect(page.get_by_test_id("provision")).to_have_count(3)
    expect(page.get_by_test_id(f"gold:{CRANE}-yes")).to_have_attribute("aria-checked", "true")
    press(page, "1 Enter")
    on_item(page, "aug-0003")


def third_is_edited(page: Page) -> None:
    reveal(page)
    press(page, "1 2")
    page.keyboard.press("2")
    expect(page.get_by_test_id("dialog-edit")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("edit-told")).to_contain_text("changes nothing")
    page.keyboard.press("i")
    expect(page.get_by_test_id("edit-question")).to_have_count(1)  # what was drawn before is gone
    page.get_by_test_id("edit-question").press("Control+a")
    page.keyboard.type("난간은 얼마나 높아야 합니까?")
    page.keyboard.press("Escape")  # by mistake
    expect(page.get_by_test_id("edit-told")).to_contain_text("Your edits are not saved yet")
    page.keyboard.press("i")
    expect(page.get_by_test_id("edit-question")).to_have_value("난간은 얼마나 높아야 합니까?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("dialog-edit")).to_have_count(0)
    saved(page)
    press(page, "8 Control+Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)


def other_person_starts_from_nothing(page: Page) -> None:
    on_item(page, "aug-0001")
    on_step(page, "alone")
    expect(page.get_by_test_id("curation-viewer")).not_to_contain_text(LAYER)
    press(page, f"{ALONE} Enter")
    on_step(page, "told")
    page.reload()
    on_item(page, "aug-0001")
    on_step(page, "told")
    press(page, "1 2 1 Enter")
    on_item(page, "aug-0002")
    reveal(page)
    press(page, "1 2 1 Enter")
    on_item(page, "aug-0003")
    reveal(page)
    press(page, "k 3 8 Enter")  # round the end to the verdict: rejected, badly worded
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)


def settle(page: Page) -> None:
    expect(page.get_by_text("Open 2")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("heading", name="aug-0002")).to_be_visible(timeout=SLOW)
    at_rest(page)
    buttons = page.get_by_test_id("stButtonGroup")
    buttons.get_by_text("부두법 제3조 설비").click(timeout=SLOW)
    at_rest(page)
    decide(page, "The crane belongs.")
    expect(page.get_by_role("heading", name="aug-0003")).to_be_visible(timeout=SLOW)
    for chosen in ("reject", "Badly worded"):
        buttons.get_by_text(chosen, exact=True).click(timeout=SLOW)
        at_rest(page)
    decide(page, "Nobody asks this.")
    expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)


def decide(page: Page, reason: str) -> None:
    fill_in(page.get_by_role("textbox", name="Reason (required)"), reason)
    page.get_by_role("button", name="Decide and go on").click(timeout=SLOW)
    at_rest(page)


def admit(page: Page) -> None:
    button = page.get_by_role("button", name="Admit 2 questions")
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()
    expect(page.get_by_text("2 questions admitted.")).to_be_visible(timeout=SLOW)
    at_rest(page)


def export(house: CurationHouse, folder: Path) -> None:
    done = command_line(house.ws.folder, "--project", SLUG, "export", "gold", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in (folder / "gold.jsonl").open(encoding="utf-8")]
    assert {(line["question_id"], line["unit_id"], line["relevance"]) for line in lines} == {
        ("aug-0001", RAIL, 1),
        ("aug-0001", LAMP, 0),
        ("aug-0002", RAIL, 1),
        ("aug-0002", LAMP, 0),
        ("aug-0002", CRANE, 1),
    }
    require_sound(house.ws)
