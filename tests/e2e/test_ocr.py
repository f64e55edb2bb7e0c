"""From a bad scan of an annex to checked text, by the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from services.ocr.drafting import draft_pages
from services.ocr.importing import ImportOptions, import_pages
from services.ocr.publishing import publish_pages
from storage.db.workspace import Workspace
from storage.tables.core import UnitRow
from tests.e2e.people import SLOW, at_rest, come_in, go_to, keys_are_heard, picture
from tests.support.drawn_pages import Cell, drawn, scanned, scanned_pdf, written

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
LAW = Path(__file__).resolve().parents[2] / "sample" / "statutes" / "ko" / "가온화재안전기본법"
ANNEX = "가온-화재안전-기본법-시행령_별표1"
HEADING = "안전설비의 종류(제2조 관련)"
NOTE = "비고: 가온 화재안전 기본법 시행령 별표 1"


def annex() -> list[Cell]:
    """Return the cells of a table that says what article 2 of the sample's decree says."""
    decree = (LAW / "시행령.md").read_text(encoding="utf-8")
    article = decree.partition("##### 제2조")[2].partition("##### 제3조")[0]
    cells: list[Cell] = [(0, n, 1, 1, text) for n, text in enumerate(("호", "설비", "내용"))]
    row = 1
    for number, name, said, points in re.findall(
        r"  (\d)\\\. (.+?): (.+)((?:\n    [가-하]\\\. .+)*)", article
    ):
        lines = [line.strip().replace("\\", "") for line in points.split("\n") if line] or [said]
        cells += [(row, 0, len(lines), 1, number), (row, 1, len(lines), 1, name)]
        cells += [(row + below, 2, 1, 1, line) for below, line in enumerate(lines)]
        row += len(lines)
    return cells


def test_a_scanned_annex_becomes_checked_text(
    page: Page, address: str, workspace: Path, tmp_path: Path
) -> None:
    cells = annex()
    assert [cell[4] for cell in cells[-3:]] == [
        "4",
        "피난유도설비",
        "사람을 피난통로로 이끄는 등과 표지",
    ]
    scan = scanned(drawn(HEADING, (), cells, NOTE, (60, 100, 210, 535)), 2.1, 30, seed=3)
    ws = Workspace(workspace)
    import_pages(
        ws, "sample", written(tmp_path, "annex-1.pdf", scanned_pdf(scan)), ImportOptions(unit=ANNEX)
    )
    assert draft_pages(ws, "sample").drafted == 1

    come_in(page, address, "Kim Ara", "ocr_correction")
    open_page(page, "annex-1")
    correct(page, cells)
    confirm_doubtful_words(page)
    page.keyboard.press("d")
    picture(page, "ocr-correction")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("annex-1 submitted.")).to_be_visible(timeout=SLOW)
    nothing_to_verify(page)

    page.context.clear_cookies()
    come_in(page, address, "Park Jun", "ocr_verification")
    on_page(page, "annex-1")
    expect(page.get_by_test_id("compare")).to_have_text(re.compile("against the draft"))
    assert shown_cells(page) == [cell[4] for cell in cells]
    page.keyboard.press("d")
    expect(page.get_by_test_id("compare")).to_have_text(re.compile("against the correction"))
    picture(page, "ocr-verification")
    press(page, "Alt+5")
    look_at_every_block(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("finished")).to_be_visible(timeout=SLOW)

    published = publish_pages(ws, "sample")
    assert (published.new, published.units) == (True, 1)
    assert "annex-1" not in published.waiting
    with ws.reading() as session:
        snapshot = published.snapshot_id
        query = select(UnitRow.text).where(
            UnitRow.snapshot_id == snapshot, UnitRow.semantic_id == ANNEX
        )
        lines = session.exec(query).one().split("\n")
    assert lines[0] == HEADING
    assert lines[-1] == NOTE
    assert [cell[4] for cell in cells if cell[4] not in "\n".join(lines)] == []
    read_in_the_corpus(page)


def correct(page: Page, cells: list[Cell]) -> None:
    """Make the three blocks say what the scanned page says."""
    expect(page.get_by_test_id("block")).to_have_count(3)
    keys_are_heard(page)
    rewrite(page, HEADING)
    press(page, "H")
    page.get_by_test_id("kind").first.select_option("heading")
    press(page, "j Enter")
    expect(page.get_by_test_id("block").first).to_have_attribute("data-kind", "heading")
    spans = page.get_by_test_id("cell").evaluate_all(
        "(cells) => cells.map((cell) => [cell.rowSpan, cell.colSpan])"
    )
    assert spans == [[cell[2], cell[3]] for cell in cells], "the grid is as it was drawn"
    for number, (text, cell) in enumerate(zip(shown_cells(page), cells, strict=True)):
        page.keyboard.press("Tab" if number else "Enter")
        if text != cell[4]:
            page.keyboard.insert_text(cell[4])
    press(page, "Escape Escape j")
    rewrite(page, NOTE)
    assert shown_cells(page) == [cell[4] for cell in cells]


def rewrite(page: Page, text: str) -> None:
    press(page, "Enter Control+a")
    page.keyboard.insert_text(text)
    press(page, "Escape")


def confirm_doubtful_words(page: Page) -> None:
    press(page, "k k a j a j a")
    expect(page.get_by_test_id("counts")).to_contain_text("0 doubtful words")


def shown_cells(page: Page) -> list[str]:
    return page.get_by_test_id("cell").all_inner_texts()


def look_at_every_block(page: Page) -> None:
    """An approval that comes too early leads to the first block that was not looked at."""
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("message")).to_contain_text("to look at beside the image")
    while page.locator(".block.unseen").count():
        block = page.locator(".block.unseen").first
        block.evaluate("node => node.scrollIntoView({ block: 'end' })")
        page.wait_for_timeout(1000)


def nothing_to_verify(page: Page) -> None:
    """Whoever corrected a page is not given it to verify."""
    go_to(page, "OCR verification")
    expect(page.get_by_text("No page is waiting for you here.")).to_be_visible(timeout=SLOW)
    at_rest(page)


def read_in_the_corpus(page: Page) -> None:
    """The annex, of which the corpus had the name alone, has its text now."""
    page.goto(f"{page.url.split('/ocr_')[0]}/corpus?person=2&unit={ANNEX}")
    expect(page.get_by_text("연기확산방지설비").first).to_be_visible(timeout=SLOW)


def on_page(page: Page, name: str) -> None:
    expect(page.get_by_test_id("item-id")).to_have_text(name, timeout=SLOW)
    saved(page)


def open_page(page: Page, name: str) -> None:
    """Choose a page from the queue, in which those of the sample come first."""
    expect(page.get_by_test_id("item-id")).to_have_text("decree-annex-2-ko", timeout=SLOW)
    page.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_be_visible(timeout=SLOW)
    page.keyboard.insert_text(name)
    page.keyboard.press("Enter")
    on_page(page, name)


def saved(page: Page) -> None:
    viewer = page.get_by_test_id("ocr-viewer")
    expect(viewer).to_have_attribute("data-save", "saved", timeout=SLOW)


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)
    saved(page)
