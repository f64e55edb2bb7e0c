"""A lead in the middle of a project's life: what figures rest on, and what is to be decided."""

from __future__ import annotations

import csv
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from services.bundle import exports_folder
from services.tagging.codebook import find_codebook
from storage.db.workspace import Workspace
from tests.e2e.people import (
    SLOW,
    at_rest,
    choose,
    fill_in,
    lead_to,
    open_part,
    picture,
    require_sound,
    tick,
    visit,
)
from tests.e2e.ready import running_app

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
LEAD = 3
SWEEP = """\
name: Parameters of BM25
measures: [Recall@1, MRR@10]
methods:
- {name: Words, method: bm25, tokeniser: whitespace}
- name: Bigrams
  method: bm25
  grid: {k1: [0.5, 1]}
"""
FUNDING = "Grant <b>12</b> of *somebody*"


def on_screen(page: Page, screen: str) -> None:
    at_rest(page)
    lead_to(page, f"/{screen}?project=sample&person={LEAD}&lang=en")


def shows(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(words).first).to_be_visible(timeout=SLOW)
    at_rest(page)


def pressed(page: Page, name: str) -> None:
    """Press the first button of this name, and wait for what comes of it."""
    page.get_by_role("button", name=name, exact=True).first.click(timeout=SLOW)
    at_rest(page)


def table_of(page: Page, key: str) -> Locator:
    return page.locator(f"[class*=st-key-{key}]").get_by_test_id("stDataFrame")


def unfolded(page: Page, name: str) -> None:
    """Open a part of the page unless it is."""
    part = page.locator("details").filter(has_text=name).first
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    at_rest(page)


def test_figures_lead_to_what_they_rest_on(page: Page, lived_in: Path) -> None:
    with running_app(lived_in) as address:
        visit(page, address, "answer_report", "sample", LEAD)
        from_a_score_to_answers_side_by_side(page)
        from_the_leaderboard_to_what_was_missed(page)
        an_experiment_is_run_from_its_file(page)
        gold_is_split_described_and_exported(page, Workspace(lived_in))
        from_accuracy_to_what_a_model_was_given(page)


def from_accuracy_to_what_a_model_was_given(page: Page) -> None:
    on_screen(page, "downstream")
    page.get_by_text("Table and files").first.click()
    behind = page.get_by_text("Questions behind a figure")
    tick(table_of(page, "downstream-accuracy"), 1, behind)
    given = page.get_by_text("What the model was given")
    tick(table_of(page, "downstream-questions-"), 1, given.first)


def from_a_score_to_answers_side_by_side(page: Page) -> None:
    choose(page.get_by_role("combobox", name="System").first, "model-small")
    shows(page, "Answers of model-small, by ROUGE-1")
    beside = page.get_by_text("words are the same in the same place").first
    tick(table_of(page, "answer-list-model-small"), 1, beside)
    expect(page.locator(".plain-text .alone").first).to_be_visible(timeout=SLOW)
    with page.expect_download() as fetched:
        page.get_by_text("Download the report").click()
        page.get_by_role("button", name="CSV, one figure a line").click()
    rows = list(csv.DictReader(fetched.value.path().read_text("utf-8-sig").splitlines()))
    assert "model-small" in {row["row"] for row in rows if row["section"] == "scores"}
    page.keyboard.press("Escape")


def from_the_leaderboard_to_what_was_missed(page: Page) -> None:
    on_screen(page, "leaderboard")
    page.get_by_text("Recall@10 on questions made from options: between these bounds").click()
    page.get_by_text("Retire, tag or note runs", exact=True).click()
    choose(page.get_by_role("combobox", name="Runs").last, re.compile("^2 · "))
    page.keyboard.press("Tab")  # Escape would close the whole form
    pressed(page, "Retire")
    shows(page, "Retired: run 2.")
    shows(page, re.compile("Not in the table: 1 retired run"))
    page.get_by_text(re.compile("^Questions of run")).click()
    choose(page.get_by_role("combobox", name="Compare with run"), re.compile("^1 · "))
    shows(page, "The greatest losses come first.")
    page.get_by_role("radio", name="Missed").click()
    at_rest(page)
    with page.expect_download() as told:
        page.get_by_role("button", name="These questions and what they missed (CSV)").click()
    rows = list(csv.DictReader(told.value.path().read_text("utf-8-sig").splitlines()))
    assert rows and all(row["reason"] for row in rows)
    moved = page.get_by_text("What moved from run")
    tick(table_of(page, "leaderboard-queries-"), 1, moved)
    page.set_viewport_size({"width": 390, "height": 844})
    at_rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1440, "height": 900})


def an_experiment_is_run_from_its_file(page: Page) -> None:
    on_screen(page, "experiments")
    page.get_by_text("Experiment file", exact=True).click()
    at_rest(page)
    file: FilePayload = {"name": "sweep.yaml", "mimeType": "text/yaml", "buffer": SWEEP.encode()}
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(file)
    said = page.get_by_role("textbox", name="Experiment (YAML)")
    expect(said).to_have_value(SWEEP, timeout=SLOW)
    shows(page, re.compile(r"^4 lines, [1-4] still to run"))
    page.get_by_test_id("stButton").get_by_role("button", name="Run", exact=True).click()
    shows(page, "(Parameters of BM25) is complete.")
    with page.expect_download() as told:
        page.get_by_role("button", name="CSV, every number").click()
    table = told.value.path().read_text("utf-8").splitlines()
    assert len(table) == 1 + 4 * 2 and table[1].startswith("Words,")


def gold_is_split_described_and_exported(page: Page, ws: Workspace) -> None:
    """Divide by statute into two halves, fill in the datasheet, and find both in the files."""
    on_screen(page, "gold")
    unfolded(page, "Train, dev and test")
    for part, share in (("train", "50"), ("dev", "0"), ("test", "50")):
        fill_in(page.get_by_label(f"Per cent in {part}"), share)
    page.get_by_text("Questions that are placed may move").click()
    at_rest(page)
    pressed(page, "Split all again")
    shows(page, re.compile(r"Version 2: \d+ questions placed"))
    unfolded(page, "Train, dev and test")
    pressed(page, "Check for leaks")
    shows(page, re.compile(r"train and test: \d+ pairs?"))
    page.get_by_text("12 of 19 fields are still open").first.click()
    fill_in(page.get_by_label("Funding"), FUNDING)
    page.get_by_role("button", name=re.compile("^Save version")).click()
    shows(page, re.compile("^Saved version .* of the datasheet"))
    expect(page.get_by_text("11 of 19 fields are still open").first).to_be_attached(timeout=SLOW)
    pressed(page, "Export gold")
    expect(page.get_by_text("qrels/train.tsv")).to_be_attached(timeout=SLOW)
    facts = json.loads((exports_folder(ws, "sample") / "datasheet.json").read_text("utf-8"))
    assert facts["motivation"]["funding"] == FUNDING
    assert {"train", "test"} <= set(facts["composition"]["questions by part"])


def test_what_machines_and_amendments_leave_open_is_decided(page: Page, lived_in: Path) -> None:
    with running_app(lived_in) as address:
        visit(page, address, "closure", "sample", LEAD)
        gold_that_lacks_a_provision_is_sent_back(page)
        options_become_questions_once_they_are_approved(page)
        a_question_on_amended_law_is_set_aside(page)
        a_charge_comes_into_a_group(page)
        the_cases_most_alike_become_a_benchmark(page)
        an_option_of_the_codebook_is_found_and_mended(page)
    ws = Workspace(lived_in)
    book = find_codebook(ws, "sample").book
    named = {e.key: e for factor in book.factors for e in factor.sub_factors}["two_way_assault"]
    assert [option.label["en"] for option in named.options] == ["Mutual", "One side"]
    require_sound(ws)


def gold_that_lacks_a_provision_is_sent_back(page: Page) -> None:
    tick(table_of(page, "closure-sets-"), 1, page.get_by_text(re.compile(r"^\S+ · question")))
    pressed(page, "Dismiss these")
    shows(page, "A reason is missing")
    pressed(page, "Send back with these")
    shows(page, "is sent back with the proposal")
    page.get_by_role("radio", name="Paragraph references").click()
    shows(page, "have such a reference.")
    page.get_by_role("radio", name="Rules", exact=True).click()
    shows(page, "Version 1 is in use.")


def options_become_questions_once_they_are_approved(page: Page) -> None:
    on_screen(page, "reformulation")
    pressed(page, "Approve")
    shows(page, re.compile("is now a question of the project"))
    page.get_by_role("textbox", name="Wording of option B").first.fill("Are they kept two years?")
    pressed(page, "Approve")
    shows(page, re.compile("en-12-o2 is now a question of the project"))
    page.get_by_role("textbox", name="Why it is refused").first.fill("means nothing alone")
    pressed(page, "Refuse")
    shows(page, "option C becomes no question")
    page.get_by_text("Approved (7)").click()
    shows(page, re.compile("^en-12-o2: reworded and approved by Choi Yuna"))


def a_question_on_amended_law_is_set_aside(page: Page) -> None:
    """Read both wordings; to send back or set aside wants a reason, and the first an answer."""
    on_screen(page, "compare")
    page.locator(".st-key-watch-task").get_by_role("radio", name="MCQ solvability").click()
    tick(table_of(page, "compare-rechecks"), 1, page.locator(".st-key-watch-old"))
    expect(page.locator(".st-key-watch-new-0 .inserted").first).to_be_visible(timeout=SLOW)
    back = page.get_by_role("button", name="Send back to be redone")
    back.click(timeout=SLOW)
    shows(page, "Enter a reason")
    page.get_by_label("Reason (required to send back or set aside)").fill("The day has changed.")
    back.click()
    shows(page, "is not finished yet, so it cannot be done again")
    page.get_by_role("button", name="Set aside").click()
    shows(page, "is set aside.")


def a_charge_comes_into_a_group(page: Page) -> None:
    on_screen(page, "case_groups")
    shows(page, "11 / 12")
    open_part(page, "Left out")
    shows(page, "Cases in no group: 1")
    charge = page.get_by_role("combobox", name="The charge")
    tick(page.get_by_test_id("stDataFrame").first, 1, charge)
    charge.fill("Fraud")
    page.get_by_role("option").filter(has_text="Fraud").first.click(timeout=SLOW)
    shows(page, "1 case would move.")
    pressed(page, "Add it")
    open_part(page, "Coverage")
    shows(page, "12 / 12")


def the_cases_most_alike_become_a_benchmark(page: Page) -> None:
    on_screen(page, "stricter_groups")
    picture(page, "stricter-groups")
    page.get_by_text("Effect of one changed tag").click(timeout=SLOW)
    page.get_by_text("Benchmark", exact=True).first.click()
    at_rest(page)
    pressed(page, "Prepare")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download (zip)").click(timeout=SLOW)
    assert download.value.path().read_bytes().startswith(b"PK")
    at_rest(page)
    page.get_by_role("button", name="Score", exact=False).click(timeout=SLOW)
    heading = page.get_by_role("heading", name=re.compile(r"stricter groups \(3 queries\)$"))
    expect(heading).to_be_visible(timeout=SLOW)


def an_option_of_the_codebook_is_found_and_mended(page: Page) -> None:
    """Type another label into the table of options; what it changes is told before it is saved."""
    on_screen(page, "factor_codebook")
    fill_in(page.get_by_role("textbox", name="Search"), "both sides")
    shows(page, "1 of 102 sub-factors")
    expect(page.get_by_role("heading", name="Two-way assault")).to_be_visible(timeout=SLOW)
    page.get_by_text("Edit", exact=True).click()
    shows(page, "You are editing version 1")
    cell = page.get_by_role("textbox").and_(page.locator(".gdg-input"))
    grid = page.get_by_test_id("stDataFrame")
    expect(grid).to_have_count(1, timeout=SLOW)
    for _ in range(5):  # cells are painted, so a click may come before them
        grid.click(position={"x": 190, "y": 52})
        page.keyboard.press("Enter")
        with suppress(AssertionError):
            expect(cell).to_be_focused(timeout=SLOW // 5)
            break
    cell.fill("Mutual")
    page.keyboard.press("Enter")
    shows(page, "Changes from version 1: 1")
    shows(page, "Two-way assault, Mutual: reworded (label.en)")
    fill_in(page.get_by_label("Why it was changed"), "the word lawyers use")
    pressed(page, "Save as a new version")
    shows(page, "Version 2 is now in use")
