from __future__ import annotations

import zipfile

import pytest
from PIL import Image
from sqlmodel import select

from annotation.work.queue_service import open_item, queue
from services.ocr.importing import ImportOptions, import_pages
from services.ocr.publishing import image_of, page_view
from storage.ocr import page_by_id, pages
from storage.tables.ocr import Page, PageImage
from storage.tasks import Task
from tests.services.ocr.pages_project import SLUG, PagesProject
from tests.support.drawn_pages import CELLS, drawn, png, scanned_pdf, written
from tests.support.refusals import code_of


def test_a_page_comes_with_its_image_its_own_text_and_an_item(here: PagesProject) -> None:
    report = here.bring_annex()
    assert (report.files, report.new, report.unchanged, report.with_text) == (1, 1, 0, 1)
    (line,) = queue(here.ws, here.ann, Task.OCR_CORRECTION)
    item = open_item(here.ws, here.ann, line.item_id)
    assert (item.external_id, item.title) == ("별표-1", "별표 1")
    page = page_view(here.ws, item.subject_id, item.shown["draft"])
    assert (page.page_id, page.width, page.height) == (item.subject_id, 1653, 2339)
    table = next(block for block in page.blocks if block["kind"] == "table")
    assert {cell["text"] for cell in table["cells"]} == {cell[4] for cell in CELLS}
    assert len(page.words[0]) == 6
    kind, content = image_of(here.ws, SLUG, item.subject_id, here.ann)
    assert kind == "image/png"
    assert content.startswith(b"\x89PNG")
    assert here.bring_scan().with_text == 0  # it waits for an engine or a typist
    _, line = queue(here.ws, here.ann, Task.OCR_CORRECTION)
    scan = open_item(here.ws, here.ann, line.item_id)
    assert scan.shown == {"draft": None}
    assert page_view(here.ws, scan.subject_id, None).blocks == ()
    with pytest.raises(KeyError):  # a draft is of its own page
        page_view(here.ws, scan.subject_id, item.shown["draft"])


def test_pages_that_are_there_stay_as_they_are(here: PagesProject) -> None:
    here.bring_annex()
    again = here.bring_annex()
    assert (again.new, again.unchanged) == (0, 1)
    code = code_of(lambda: here.bring("별표 1.pdf", drawn(note="비고: 다른 글")))
    assert code == "page_changed"
    assert len(queue(here.ws, here.ann, Task.OCR_CORRECTION)) == 1


def test_a_folder_and_an_archive_come_in_whole_or_not_at_all(here: PagesProject) -> None:
    folder = here.folder / "all"
    folder.mkdir()
    shades = [Image.new("L", (200, 300), shade) for shade in (255, 200, 150)]
    written(folder, "a.pdf", scanned_pdf(*shades[:2]))
    written(folder, "b.png", png(shades[2]))
    written(folder, "notes.txt", b"no page")
    written(folder, "z.pdf", b"%PDF-1.7 broken")
    assert code_of(lambda: import_pages(here.ws, SLUG, folder)).startswith("pdf_")
    with here.ws.reading() as session:
        assert pages(session, here.project_id()) == []
        assert session.exec(select(PageImage)).all() == []
    (folder / "z.pdf").unlink()
    archive = here.folder / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in folder.iterdir():
            packed.write(path, path.name)
    assert import_pages(here.ws, SLUG, archive).new == 3
    assert import_pages(here.ws, SLUG, folder).unchanged == 3
    with here.ws.reading() as session:
        found = pages(session, here.project_id())
    assert [page.external_id for page in found] == ["a-p001", "a-p002", "b"]


def test_equal_images_are_kept_once(here: PagesProject) -> None:
    here.bring_blank("one.png")
    here.bring_blank("two.png")
    with here.ws.reading() as session:
        assert len(session.exec(select(PageImage)).all()) == 1
        assert len(session.exec(select(Page)).all()) == 2


def test_two_files_of_one_name_are_told_apart(here: PagesProject) -> None:
    folder = here.folder / "all"
    for name, shade in (("a", 255), ("b", 200)):
        (folder / name).mkdir(parents=True)
        written(folder / name, "page.png", png(Image.new("L", (100, 100), shade)))
    assert code_of(lambda: import_pages(here.ws, SLUG, folder)) == "page_repeated"


def test_what_is_asked_for_must_be_there(here: PagesProject) -> None:
    path = written(here.folder, "a.pdf", drawn())
    wishes = {
        "page_unit_unknown": ImportOptions(unit="no-act_1조"),
        "language_unknown": ImportOptions(language="xx"),
        "pages_outside": ImportOptions(pages="2"),
    }
    for code, wish in wishes.items():
        assert code_of(lambda wish=wish: import_pages(here.ws, SLUG, path, wish)) == code
    assert code_of(lambda: import_pages(here.ws, SLUG, here.folder / "none")) == "path_missing"
    empty = here.folder / "empty"
    empty.mkdir()
    assert code_of(lambda: import_pages(here.ws, SLUG, empty)) == "upload_nothing"


def test_an_image_is_for_who_takes_part_in_its_project(here: PagesProject) -> None:
    here.bring_annex()
    assert code_of(lambda: image_of(here.ws, SLUG, 1, 99)) == "person_unknown"
    assert code_of(lambda: image_of(here.ws, SLUG, 2, here.ann)) == "page_unknown"
    with here.ws.reading() as session:
        assert page_by_id(session, 1).document == "별표 1"
