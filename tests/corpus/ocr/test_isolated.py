"""Hostile files are refused by name and page, in bounded time, while everything else goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from corpus.ocr import isolated, pdf
from corpus.ocr.drafting import prepared
from corpus.ocr.files import PageRead, open_pages
from corpus.ocr.images import Limits, opened
from corpus.ocr.tesseract_tsv import grids_of
from corpus.sandbox.child import Frame
from corpus.sandbox.pool import Bounds, ChildPool
from errors import UserError
from tests.support.drawn_pages import drawn, png, scanned, written
from tests.support.hostile_files import IMAGES, PDFS, nested_forms, specks
from tests.support.refusals import code_of
from tests.support.thread_waits import longest_silence

ROOT = Path(__file__).resolve().parents[3]
REFUSED = {
    "nested forms": {"page_slow"},
    "many fills": {"pdf_page_drawing"},
    "many strokes in a form": {"pdf_page_drawing"},
    "unpacking": {"page_slow", "page_memory", "pdf_page_broken"},
    "tiled pattern": {"page_slow", "page_memory", "pdf_page_broken"},
    "page tree loop": {"pdf_broken", "pdf_empty"},
    "xref loop": {"", "pdf_broken"},
    "large page": {"pdf_page_size"},
    "claims": {"image_bomb"},
    "frames": {"file_slow", ""},
    "frame loop": {""},
    "specks": {""},
}


COSTLY = {"nested forms", "tiled pattern", "frames"}  # seconds each, like others that are slow


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "BOUNDS", Bounds(seconds=60, processor=1))


def _read(folder: Path, name: str, content: bytes) -> list[PageRead]:
    return list(open_pages(written(folder, name, content), name, "1"))


@pytest.mark.parametrize(
    "what",
    [pytest.param(each, marks=[pytest.mark.long] * (each in COSTLY)) for each in (*PDFS, *IMAGES)],
)
def test_a_hostile_file_is_refused_by_name_while_others_go_on(
    tmp_path: Path, short: None, what: str
) -> None:
    make = (PDFS | IMAGES)[what]
    name = "annex.pdf" if what in PDFS else "page.tif"
    content, code, error = make(), "", None
    with longest_silence() as silence:
        try:
            _read(tmp_path, name, content)
        except UserError as caught:
            code, error = caught.code, caught
    assert code in REFUSED[what]
    assert silence[0] < 1.0
    if error is not None:
        assert error.where.file == name
        assert error.remedy() and error.remedy("ko")
        if code.startswith("page_"):
            assert "1" in error.what() and "1쪽" in error.what("ko")
    (page,) = _read(tmp_path, "honest.png", png(Image.new("L", (60, 80), 255)))
    assert page.picture.width == 60


@pytest.mark.long
def test_a_kept_page_that_holds_up_its_cleaning_is_refused_too(short: None) -> None:
    content = specks(6_000)
    with longest_silence() as silence, pytest.raises(UserError) as refused:
        isolated.prepared(content, "page-1")
    assert refused.value.code in ("file_slow", "file_memory")
    assert refused.value.where.file == "page-1"
    assert silence[0] < 1.0


def test_other_pages_are_read_while_a_file_holds_up_its_reader(tmp_path: Path, short: None) -> None:
    path = written(tmp_path, "bad.pdf", nested_forms())
    good = written(tmp_path, "good.png", png(Image.new("L", (60, 82), 255)))
    pool = ChildPool("corpus.ocr.worker", 2)
    with ThreadPoolExecutor(1) as threads, pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolated, "POOL", pool)
        isolated.count_pages(good, "good", Limits(), isolated.IMAGE)
        held = threads.submit(isolated.read_page, path, "bad.pdf", Limits(), isolated.PDF, 1)
        for _ in range(5):
            assert isolated.count_pages(good, "good", Limits(), isolated.IMAGE) == 1
        assert not held.done()
        assert isinstance(held.exception(60), UserError)
    pool.close()


def test_what_comes_back_is_what_is_made_here(tmp_path: Path) -> None:
    path = written(tmp_path, "annex.pdf", drawn())
    (page,) = open_pages(path, "annex.pdf")
    assert (page.picture, page.draft) == pdf.read_page(path, "annex.pdf", Limits(), 1)
    (scan,) = _read(tmp_path, "scan.png", png(scanned(drawn(), 1.2, dpi=100)))
    image = opened(scan.picture.content)
    for box in (None, (50, 100, 450, 600)):
        assert isolated.prepared(scan.picture.content, "scan", box) == prepared(image, box)
    assert isolated.ruled_tables(scan.picture.content, "scan") == grids_of(image)
    small = isolated.shrunk(scan.picture.content, "scan", 400)
    assert max(small.width, small.height) == 400
    assert opened(small.content).size == (small.width, small.height)


PNG = {"media_type": "image/png", "width": 1, "height": 1, "turned": 0}


@pytest.mark.parametrize(
    ("picture", "block"),
    [
        ({}, b""),
        (PNG | {"media_type": "text/html"}, b"<script>"),
        (PNG, b"<script>"),
        (PNG | {"width": 99999, "height": 9999}, b"\x89PNG\r\n\x1a\n"),
    ],
)
def test_what_a_reader_sends_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, picture: dict[str, Any], block: bytes
) -> None:
    class Lying:
        def run(self, *_: object) -> Frame:
            return Frame({"picture": picture, "draft": None} if picture else None, [block])

    monkeypatch.setattr(isolated, "POOL", Lying())
    path = written(tmp_path, "a.pdf", b"%PDF-" + repr((picture, block)).encode())
    read = partial(isolated.read_page, path, "a.pdf", Limits(), isolated.PDF, 1)
    assert code_of(read) == "page_crashed"
