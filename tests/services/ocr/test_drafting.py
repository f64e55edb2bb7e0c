from __future__ import annotations

import threading

import jiwer
import pytest

from annotation.work.queue_service import open_item, queue
from corpus.ocr.blocks import of_json, text_of
from errors import UserError
from services.ocr import tesseract as ocr_tesseract
from services.ocr.drafting import draft_pages
from services.ocr.publishing import page_view
from services.ocr.tesseract import read_region
from storage.ocr import drafts
from storage.tasks import Task
from tests.services.ocr.pages_project import SLUG, PagesProject
from tests.support.drawn_pages import CELLS, HEADING, NOTE, PARAGRAPHS, drawn, png, scanned
from tests.support.refusals import code_of


@pytest.fixture
def tesseract() -> str:
    found = ocr_tesseract.version("ko")
    if found is None:
        pytest.skip("Tesseract with Korean is absent")
    return found


def test_a_scanned_table_is_drafted_and_shown(here: PagesProject, tesseract: str) -> None:
    here.bring_scan()
    seen: list[tuple[int, int]] = []
    report = draft_pages(here.ws, SLUG, lambda *at: seen.append(at), by=here.lead)
    assert (report.pages, report.drafted, report.failed, report.left) == (1, 1, 0, 0)
    assert seen == [(1, 1)]
    (line,) = queue(here.ws, here.ann, Task.OCR_CORRECTION)
    item = open_item(here.ws, here.ann, line.item_id)
    page = page_view(here.ws, item.subject_id, item.shown["draft"])
    table = next(block for block in page.blocks if block["kind"] == "table")
    places = {
        (c["row"], c["column"], c["row_span"], c["column_span"]): c["text"] for c in table["cells"]
    }
    assert set(places) == {cell[:4] for cell in CELLS}
    right = sum(places[cell[:4]] == cell[4] for cell in CELLS)
    assert right >= len(CELLS) - 3
    text = text_of(of_json(page.blocks))
    assert HEADING in text
    assert sum(each in text for each in PARAGRAPHS) >= 2
    width, height = page.width, page.height
    for block in page.blocks:
        left, top, right, bottom = block["box"]
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
    assert all(word[5] is not None for word in page.words)


def test_an_engine_reads_only_where_it_must(here: PagesProject, tesseract: str) -> None:
    here.bring_annex()
    report = draft_pages(here.ws, SLUG)
    assert (report.pages, report.already) == (0, 1)
    every = draft_pages(here.ws, SLUG, every=True)
    assert (every.pages, every.drafted, every.already) == (1, 1, 0)
    assert draft_pages(here.ws, SLUG, every=True).already == 1
    with here.ws.reading() as session:
        first, second = drafts(session, here.project_id())
    assert (first.engine, second.name) == ("embedded", f"tesseract {tesseract}")
    (line,) = queue(here.ws, here.ann, Task.OCR_CORRECTION)
    assert open_item(here.ws, here.ann, line.item_id).shown["draft"] == first.id


def test_a_run_that_was_stopped_is_taken_up(here: PagesProject, tesseract: str) -> None:
    for number in range(3):
        here.bring_blank(f"{number}.png")
    stop = threading.Event()
    first = draft_pages(here.ws, SLUG, lambda *_: stop.set(), stop=stop)
    assert first.left > 0
    assert first.drafted + first.left == 3
    second = draft_pages(here.ws, SLUG)
    assert (second.pages, second.already) == (first.left, first.drafted)
    with here.ws.reading() as session:
        assert len({draft.page_id for draft in drafts(session, here.project_id())}) == 3


def test_what_fails_is_kept_with_its_reason_and_tried_again(
    here: PagesProject, tesseract: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.bring_blank("a.png")

    def broken(*_: object, **__: object) -> object:
        raise UserError("tesseract_failed", reason="killed")

    with monkeypatch.context() as patched:
        patched.setattr(ocr_tesseract, "read", broken)
        report = draft_pages(here.ws, SLUG)
    assert report.failed == 1
    assert "killed" in next(iter(report.problems))
    assert draft_pages(here.ws, SLUG).drafted == 1
    with here.ws.reading() as session:
        states = [draft.state for draft in drafts(session, here.project_id())]
    assert states == ["failed", "drafted"]


def test_without_tesseract_it_says_how_to_get_it(
    here: PagesProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_of(lambda: draft_pages(here.ws, SLUG)) == "pages_missing"
    here.bring_scan()
    for box in ([0, 0, 3, 50], [5000, 0, 5100, 50], [50, 50, 10, 10], [1, 2], [-9, -9, -1, -1]):
        assert code_of(read_region, here.ws, SLUG, 1, box, here.ann) == "region_outside"
    monkeypatch.setattr(ocr_tesseract, "_installed", lambda: None)
    assert code_of(lambda: draft_pages(here.ws, SLUG)) == "tesseract_absent"
    where = here.ws, SLUG, 1, [0, 0, 50, 50]
    assert code_of(read_region, *where, here.ann) == "tesseract_absent"
    assert code_of(read_region, *where, here.lead) == "not_allowed", "a lead corrects nothing"


def test_a_part_of_a_page_is_read_again(here: PagesProject, tesseract: str) -> None:
    here.bring("page.png", png(scanned(drawn(), 0, noise=0)))
    (block,) = read_region(here.ws, SLUG, 1, [300, 225, 1400, 310], here.ann)
    assert block["text"] == HEADING
    left, top, right, bottom = block["box"]
    assert 300 <= left < right <= 1400
    assert 225 <= top < bottom <= 310
    blocks = read_region(here.ws, SLUG, 1, [120, 600, 1540, 1100], here.ann)
    (table,) = [each for each in blocks if each["kind"] == "table"]
    assert (table["rows"], table["columns"]) == (5, 4)
    assert read_region(here.ws, SLUG, 1, [100, 1900, 600, 2200], here.ann) == []


@pytest.mark.long
def test_letters_of_a_single_line_are_no_lines_of_a_table(
    here: PagesProject, tesseract: str
) -> None:
    here.bring("page.png", png(scanned(drawn(), 0, noise=25, seed=5)))
    draft_pages(here.ws, SLUG)
    with here.ws.reading() as session:
        (draft,) = drafts(session, here.project_id())
    lines = [block for block in draft.blocks if block["kind"] != "table"]
    read = [read_region(here.ws, SLUG, 1, block["box"], here.ann) for block in lines]
    assert [[block["kind"] for block in each if block["kind"] == "table"] for each in read] == [
        [] for _ in lines
    ]
    again = " ".join(block["text"] for each in read for block in each)
    assert jiwer.cer(" ".join((HEADING, *PARAGRAPHS, NOTE)), again) < 0.05
