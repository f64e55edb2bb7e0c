"""The whole main job in a real browser: map, differ, adjudicate, measure, export, score."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.people import (
    SLOW,
    at_rest,
    decisions,
    fill_in,
    go_to,
    on_item,
    picture,
    press,
    saved,
    say_who_you_are,
    take_back,
    tick,
)
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
TOP = "() => document.querySelector('[data-testid=stMain]').scrollTop"
ARAS_COMMENT = "The decree names smoke control too."


def test_the_whole_main_job(page: Page, address: str, workspace: Path, tmp_path: Path) -> None:
    say_who_you_are(page, address, "Kim Ara")
    first_annotator(page)
    page.context.clear_cookies()
    say_who_you_are(page, address, "Park Jun")
    second_annotator_is_blind_and_differs(page)
    say_who_you_are(page, address, "Lee Sora")
    adjudicate(page)
    read_agreement(page)
    export_gold(page, workspace, tmp_path)
    read_leaderboard(page, workspace)


def first_annotator(page: Page) -> None:
    on_item(page, "en-01")
    expect(page.get_by_test_id("citation")).to_have_count(3)
    press(page, "a j a j u")
    assert decisions(page)[:4] == ["accept", "accept", "unsure", ""]
    press(page, "z a")
    assert decisions(page)[:4] == ["accept", "accept", "accept", ""]
    picture(page, "citation-mapping")
    press(page, "Control+Enter")
    on_item(page, "en-02")
    press(page, "z")  # nothing was done here: it reaches no other question
    expect(page.get_by_test_id("message")).to_contain_text("Nothing to undo")
    on_item(page, "en-02")
    take_back(page, "en-01")
    assert decisions(page)[:3] == ["accept"] * 3
    press(page, "Control+Enter")
    on_item(page, "en-02")
    press(page, "a")
    add_by_search(page)
    page.keyboard.press("c")
    page.keyboard.type(ARAS_COMMENT)
    press(page, "Escape")
    press(page, "Control+Enter")
    on_item(page, "en-03")
    press(page, "a j a j a Control+Enter")
    on_item(page, "en-04")


def add_by_search(page: Page) -> None:
    before = page.get_by_test_id("candidate").count()
    page.keyboard.press("/")
    page.keyboard.type("Article 8 of the Gaon Fire Safety Act")
    first = page.get_by_test_id("search-hit").first
    expect(first).to_contain_text("Gaon Fire Safety Act Article 8", timeout=SLOW)
    expect(first).not_to_contain_text("already a candidate")
    picture(page, "search")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("candidate")).to_have_count(before + 1, timeout=SLOW)
    saved(page)
    press(page, "Escape a")
    assert decisions(page).count("accept") == 2, (
        "accepting what adding has accepted changes nothing"
    )


def second_annotator_is_blind_and_differs(page: Page) -> None:
    on_item(page, "en-01")
    assert set(decisions(page)) == {""}
    press(page, "a j a j r")
    page.reload()
    on_item(page, "en-01")
    assert decisions(page)[:3] == ["accept", "accept", "reject"]
    press(page, "j j a r r")  # what was rejected is undecided now, and the answer cites it
    page.keyboard.press("Control+Enter")
    asked = page.get_by_test_id("dialog-overlooked")
    expect(asked).to_contain_text("1 cited provision is undecided: Annex 4.", timeout=SLOW)
    page.keyboard.press("Enter")  # to look
    expect(asked).to_be_hidden()
    on_item(page, "en-01")
    press(page, "a")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("message")).to_contain_text("en-01 submitted. 3 accepted, 17 not.")
    on_item(page, "en-02")
    assert ARAS_COMMENT not in page.locator("body").inner_text()
    assert set(decisions(page)) == {""}
    press(page, "a Control+Enter")
    on_item(page, "en-03")
    help_is_one_key_away(page)
    press(page, "x Control+Enter")
    on_item(page, "en-04")


def help_is_one_key_away(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    picture(page, "keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def adjudicate(page: Page) -> None:
    go_to(page, "Adjudication")
    expect(page.get_by_text("Open 2")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(ARAS_COMMENT)).to_be_visible(timeout=SLOW)
    picture(page, "adjudication")
    decide(page, "en-02", "The standard alone answers it.", tick=0)
    decide(page, "en-03", "All three articles are named.", tick=3)
    expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=SLOW)


def decide(page: Page, identity: str, reason: str, tick: int) -> None:
    expect(page.get_by_role("heading", name=re.compile(identity))).to_have_count(1, timeout=SLOW)
    at_rest(page)
    assert page.evaluate(TOP) == 0, "a case is read from its question on"
    box = page.get_by_role("textbox", name="Reason")
    expect(box).to_have_count(1, timeout=SLOW)
    expect(box).to_have_value("")
    for number in range(tick):
        page.locator("label").filter(has_text=re.compile("^Gold: ")).nth(number).click()
        ticked = page.get_by_role("checkbox", name=re.compile("^Gold: ")).nth(number)
        expect(ticked).to_be_checked(timeout=SLOW)
        at_rest(page)
    fill_in(box, reason)
    page.get_by_role("button", name="Decide and go on").click()
    expect(page.get_by_text(f"{identity} is decided")).to_be_visible(timeout=SLOW)


def read_agreement(page: Page) -> None:
    go_to(page, "Agreement")
    expect(page.get_by_text("Krippendorff").first).to_be_visible(timeout=SLOW)
    picture(page, "agreement")


def export_gold(page: Page, workspace: Path, tmp_path: Path) -> None:
    go_to(page, "Gold")
    page.get_by_role("button", name="Export gold").click(timeout=SLOW)
    at_rest(page)
    with page.expect_download(timeout=SLOW) as download:
        page.get_by_role("button", name="Download as .zip").click(timeout=SLOW)
    picture(page, "gold")
    with zipfile.ZipFile(download.value.path()) as archive:
        downloaded = {name: archive.read(name) for name in archive.namelist()}
    folder = tmp_path / "gold"
    done = command_line(workspace, "export", "gold", str(folder))
    assert done.returncode == 0, done.stderr
    written = {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    assert {Path(name).name: content for name, content in downloaded.items()} == written
    rows = (folder / "qrels" / "test.tsv").read_text().splitlines()
    assert rows[0] == "query-id\tcorpus-id\tscore"
    assert {row.split("\t")[0] for row in rows[1:]} == {"en-01", "en-02", "en-03"}
    lineage = [json.loads(row) for row in (folder / "gold.jsonl").read_text().splitlines()]
    assert "adjudicator 1" in json.dumps(lineage) and "Lee Sora" not in json.dumps(lineage)


def read_leaderboard(page: Page, workspace: Path) -> None:
    go_to(page, "Leaderboard")
    run_method(page)
    expect(page.get_by_text("Run 1 is stored and scored.")).to_be_visible(timeout=SLOW)
    command_line(workspace, "retrieve", "--method", "bm25_whitespace", "--name", "Words as written")
    go_to(page, "Gold")
    go_to(page, "Leaderboard")
    expect(page.get_by_text(re.compile("significantly worse than the best run"))).to_be_visible(
        timeout=SLOW
    )
    picture(page, "leaderboard")
    page.get_by_text(re.compile("^Questions of run")).click()
    opened = page.get_by_text(re.compile(r"\d of \d gold provisions are among the 100 kept"))
    tick(page.get_by_test_id("stDataFrame").last, 1, opened)
    page.mouse.wheel(0, 5000)
    picture(page, "query")
    done = command_line(workspace, "evaluate", "1", "--gold", "people", "--json")
    figures = json.loads(done.stdout)
    assert figures["Recall@100"]["n"] == 3
    assert 0 < figures["nDCG@10"]["value"] <= 1


def run_method(page: Page) -> None:
    page.locator(".st-key-run-bm25-k1").get_by_test_id("stTooltipHoverTarget").hover(timeout=SLOW)
    expect(page.get_by_text("0 to 100; default 1.5")).to_be_visible()
    page.get_by_test_id("stExpander").get_by_role("button", name="Run", exact=True).click(
        timeout=SLOW
    )
