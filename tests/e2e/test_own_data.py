"""Bringing in one's own law and questions, in the app, in Korean."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import ROOT
from tests.e2e.people import SLOW, at_rest, fill_in, go_to, open_from_queue, picture, sidebar_link

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SAMPLE = ROOT / "sample"


def test_a_project_of_ones_own(browser: Browser, address: str, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
    page.goto(f"{address}/?lang=ko")
    at_rest(page)
    page.get_by_role("button", name="Choi Yuna").click(timeout=SLOW)
    go_to(page, "자료")
    new_project(page)
    come_in_as_somebody_new(page)
    go_to(page, "자료")
    bring_in(page, "미리 보기", "statutes", "sample/statutes/ko", "처음 단위들")
    page.get_by_role("button", name="법령 가져오기").click()
    expect(page.get_by_text("법령 4건").first).to_be_visible(timeout=SLOW)
    refuse_half_a_line(page, tmp_path)
    bring_in(page, "질문 가져오기", "questions", "sample/questions.jsonl", "새 질문 24건")
    page.get_by_role("button", name="조문 후보 만들기").click()
    expect(page.get_by_text("질문 24건을")).to_be_visible(timeout=SLOW)
    picture(page, "data-korean")
    come_in_as_an_annotator(page, address)
    expect(page.get_by_test_id("candidate").first).to_be_visible(timeout=SLOW)
    open_from_queue(page, "ko-05")
    picture(page, "citation-mapping-korean-dark")
    page.close()


def new_project(page: Page) -> None:
    page.get_by_text("새 프로젝트").click(timeout=SLOW)
    fill_in(page.get_by_label("짧은 이름"), "mine")
    fill_in(page.get_by_label("제목", exact=True), "<b>우리</b> 과제")
    page.get_by_role("button", name="프로젝트 만들기").click()


def come_in_as_somebody_new(page: Page) -> None:
    expect(page.get_by_text("이 프로젝트에는 아직 사람이 없습니다.")).to_be_visible(timeout=SLOW)
    at_rest(page)
    name = page.get_by_label("이름", exact=True)
    if not name.is_visible():
        page.get_by_text("사람 추가").first.click()
    name.fill("한가온")
    name.press("Enter")
    expect(sidebar_link(page, "자료")).to_be_visible(timeout=SLOW)


def come_in_as_an_annotator(page: Page, address: str) -> None:
    """Whoever made the project administers it; the work itself is for an annotator."""
    page.goto(f"{address}/?lang=ko&project=mine")
    at_rest(page)
    page.get_by_text("사람 추가").first.click(timeout=SLOW)
    at_rest(page)
    name = page.get_by_label("이름", exact=True)
    name.fill("한나래")
    name.press("Enter")  # a press of the button can come while leaving the field draws it anew
    expect(sidebar_link(page, "인용 조문 매핑")).to_be_visible(timeout=SLOW)
    go_to(page, "인용 조문 매핑")


def bring_in(page: Page, button: str, what: str, path: str, said: str) -> None:
    field = page.locator(f".st-key-data-{what}-path input")
    expect(field).to_have_count(1, timeout=SLOW)
    at_rest(page)
    fill_in(field, path)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text(said).first).to_be_visible(timeout=SLOW)
    at_rest(page)


def refuse_half_a_line(page: Page, tmp_path: Path) -> None:
    """A broken file is refused with the place and the remedy, and nothing of it is kept."""
    file = tmp_path / "half.jsonl"
    whole = (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()
    file.write_text(whole[0] + "\n" + whole[1][:80], "utf-8")
    bring_in(page, "질문 가져오기", "questions", str(file), "2행")
    expect(page.get_by_text("Traceback")).to_have_count(0)
