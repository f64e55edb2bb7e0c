from __future__ import annotations

import io
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from corpus.ocr.blocks import text_of
from corpus.ocr.files import open_pages
from corpus.ocr.images import Limits, opened
from tests.support.drawn_pages import (
    CELLS,
    HEADING,
    NOTE,
    PARAGRAPHS,
    drawn,
    png,
    scanned,
    scanned_pdf,
    written,
)
from tests.support.hostile_files import png_that_claims
from tests.support.refusals import code_of


def _read(folder: Path, name: str, content: bytes, spec: str = "", limits: Limits | None = None):
    return list(open_pages(written(folder, name, content), name, spec, limits))


def test_a_pdf_with_text_needs_no_engine(tmp_path: Path) -> None:
    (page,) = _read(tmp_path, "annex.pdf", drawn())
    assert page.draft is not None
    kinds = [str(block.kind) for block in page.draft.blocks]
    assert kinds == ["heading", "paragraph", "paragraph", "paragraph", "table", "paragraph"]
    assert page.draft.blocks[0].text == HEADING
    assert [block.text for block in page.draft.blocks[1:4]] == list(PARAGRAPHS)
    table = page.draft.blocks[4]
    found = {(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells}
    assert found == set(CELLS)
    assert page.draft.blocks[5].text == NOTE
    assert text_of([table]).splitlines()[1] == "소화설비 | 옥내소화전설비 | 지하층 포함 | 모든 층"
    picture = opened(page.picture.content)
    assert picture.size == (page.picture.width, page.picture.height) == (1653, 2339)
    for block in page.draft.blocks:
        assert block.box is not None
        assert 0 <= block.box[0] < block.box[2] <= 1653


def test_a_page_that_its_pdf_turns_is_upright_and_its_boxes_too(tmp_path: Path) -> None:
    with pymupdf.open(stream=drawn(), filetype="pdf") as lying, pymupdf.open() as document:
        page = document.new_page(width=842, height=595)
        page.show_pdf_page(page.rect, lying, 0, rotate=90)
        page.set_rotation(90)
        content = document.tobytes()
    (page,) = _read(tmp_path, "annex.pdf", content)
    (plain,) = _read(tmp_path, "plain.pdf", drawn())
    assert page.picture.width < page.picture.height
    assert page.draft is not None
    assert plain.draft is not None
    assert page.draft.blocks == plain.draft.blocks


def test_a_scan_in_a_pdf_has_an_image_only(tmp_path: Path) -> None:
    scans = (scanned(drawn(), angle, dpi=100) for angle in (1.0, 0))
    pages = _read(tmp_path, "scan.pdf", scanned_pdf(*scans))
    assert [page.draft for page in pages] == [None, None]
    assert pages[0].picture.turned == pytest.approx(1.0, abs=0.1)
    assert pages[1].picture.turned == 0.0


def test_text_under_a_picture_of_the_page_is_not_trusted(tmp_path: Path) -> None:
    with pymupdf.open(stream=drawn(), filetype="pdf") as document:
        document[0].insert_image(document[0].rect, stream=png(scanned(drawn(), 0)))
        content = document.tobytes()
    (page,) = _read(tmp_path, "a.pdf", content)
    assert page.draft is None


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_pdf_that_breaks_off_is_no_pdf_with_blank_pages(tmp_path: Path, share: float) -> None:
    whole = drawn()
    cut = whole[: int(len(whole) * share)]
    assert code_of(_read, tmp_path, "a.pdf", cut) in {"pdf_cut_off", "pdf_broken"}


def test_a_pdf_whose_table_of_contents_is_wrong_is_mended(tmp_path: Path) -> None:
    moved = drawn().replace(b"%PDF-1.7", b"%PDF-1.7\n% moved", 1)
    assert moved != drawn()
    (page,) = _read(tmp_path, "a.pdf", moved + b"\n" * 2000)
    assert page.draft is not None
    assert page.draft.blocks[0].text == HEADING


def test_a_figure_beside_text_is_left_for_somebody_to_read(tmp_path: Path) -> None:
    with pymupdf.open(stream=drawn(), filetype="pdf") as document:
        where = pymupdf.Rect(100, 600, 300, 700)
        document[0].insert_image(where, stream=png(Image.new("L", (200, 100), 128)))
        content = document.tobytes()
    (page,) = _read(tmp_path, "a.pdf", content)
    assert page.draft is not None
    figure = page.draft.blocks[-1]
    assert figure.text == ""
    assert figure.box == pytest.approx((278, 1667, 833, 1944), abs=2)


def test_only_the_wanted_pages_are_read(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        for _ in range(600):
            document.new_page()
        content = document.tobytes()
    path = written(tmp_path, "long.pdf", content)
    assert code_of(open_pages, path, "long.pdf") == "pages_too_many"
    pages = open_pages(path, "long.pdf", "599-600, 2")
    assert [page.number for page in pages] == [2, 599, 600]
    assert pages.there == 600


@pytest.mark.parametrize(
    ("spec", "code"),
    [("0", "pages_outside"), ("2", "pages_outside"), ("1-", "pages_range"), ("one", "pages_range"),
     ("1,,1", "pages_range"), ("1-9999999", "pages_range")],
)  # fmt: skip
def test_pages_that_are_not_there(tmp_path: Path, spec: str, code: str) -> None:
    assert code_of(_read, tmp_path, "a.pdf", drawn(), spec) == code


def test_pdfs_that_are_locked_broken_or_empty(tmp_path: Path) -> None:
    with pymupdf.open(stream=drawn(), filetype="pdf") as document:
        how = {"encryption": 5, "user_pw": "secret", "owner_pw": "o"}
        locked = document.tobytes(**how)
    assert code_of(_read, tmp_path, "a.pdf", locked) == "pdf_locked"
    nothing = code_of(_read, tmp_path, "b.pdf", b"%PDF-1.7\nnothing")
    assert nothing in {"pdf_broken", "pdf_empty"}
    assert code_of(_read, tmp_path, "c.pdf", b"no pdf at all") == "pdf_broken"
    assert code_of(_read, tmp_path, "d.pdf", b"") == "file_empty"
    assert code_of(open_pages, tmp_path / "e.pdf", "e.pdf") == "path_missing"
    assert code_of(open_pages, tmp_path, "f.pdf") == "not_a_file"


def test_a_page_that_holds_an_image_bomb_is_refused_before_it_is_drawn(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_image(page.rect, stream=png(Image.new("1", (9000, 9000))))
        content = document.tobytes()
    assert code_of(_read, tmp_path, "a.pdf", content) == "pdf_image_large"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (png_that_claims(60_000, 60_000), "image_bomb"),
        (png_that_claims(10_000, 9_000), "image_large"),
        (png_that_claims(0, 100), "image_broken"),
        (png_that_claims(100, 100), "image_broken"),
        (png(Image.new("L", (8, 200))), "image_small"),
        (png(Image.new("L", (5000, 20))), "image_small"),
        (b"GIF89a", "image_unknown"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image_unknown"),
    ],
)
def test_images_that_are_too_large_too_small_or_none(
    tmp_path: Path, content: bytes, code: str
) -> None:
    found = code_of(_read, tmp_path, "page.png", content)
    assert found == code or {found, code} <= {"image_broken", "image_unknown"}


def test_a_cut_image_is_refused(tmp_path: Path) -> None:
    whole = png(scanned(drawn(), 0))
    assert code_of(_read, tmp_path, "page.png", whole[: len(whole) // 2]) == "image_broken"


def test_a_photograph_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    lying = scanned(drawn(), 0, dpi=100).rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 270 degrees anticlockwise to see it upright
    out = io.BytesIO()
    lying.convert("RGB").save(out, "JPEG", exif=exif.tobytes(), quality=95)
    (page,) = _read(tmp_path, "photo.jpg", out.getvalue())
    assert page.picture.width < page.picture.height
    upright = opened(page.picture.content).convert("L")
    top = upright.crop((0, 0, upright.width, upright.height // 2))
    bottom = upright.crop((0, upright.height // 2, upright.width, upright.height))
    assert sum(top.histogram()[:100]) > 3 * sum(bottom.histogram()[:100])


def test_every_page_of_a_tiff_is_read(tmp_path: Path) -> None:
    frames = [Image.new("1", (400, 500), 1) for _ in range(3)]
    out = io.BytesIO()
    frames[0].save(out, "TIFF", save_all=True, append_images=frames[1:])
    pages = _read(tmp_path, "fax.tif", out.getvalue())
    assert [page.number for page in pages] == [1, 2, 3]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_becomes_grey_or_colour(tmp_path: Path, mode: str) -> None:
    out = io.BytesIO()
    grey = Image.new("L", (300, 400), 200)
    deep = grey.convert("I").point(lambda value: value * 257).convert("I;16")
    (deep if mode == "I;16" else grey.convert(mode)).save(out, "PNG")
    (page,) = _read(tmp_path, "a.png", out.getvalue())
    assert opened(page.picture.content).mode in ("L", "RGB")


def test_what_is_transparent_is_paper(tmp_path: Path) -> None:
    (page,) = _read(tmp_path, "a.png", png(Image.new("RGBA", (100, 100), (0, 0, 0, 0))))
    assert opened(page.picture.content).getpixel((50, 50)) == 255


def test_a_large_page_is_kept_smaller(tmp_path: Path) -> None:
    limits = Limits(kept=100_000)
    (page,) = _read(tmp_path, "a.png", png(Image.new("L", (1000, 2000), 255)), limits=limits)
    assert page.picture.width * page.picture.height <= 100_000
    assert page.picture.height == pytest.approx(2 * page.picture.width, abs=2)


def test_a_noisy_scan_is_kept_as_jpeg_and_a_drawing_as_png(tmp_path: Path) -> None:
    (noisy,) = _read(tmp_path, "a.png", png(scanned(drawn(), 0, noise=30)))
    (clean,) = _read(tmp_path, "b.png", png(scanned(drawn(), 0, noise=0, dpi=100)))
    assert noisy.picture.media_type == "image/jpeg"
    assert clean.picture.media_type == "image/png"
