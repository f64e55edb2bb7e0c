"""`ocr import`, `draft`, `list`, `publish` and `report`, from a scan to the corpus."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from services.ocr import tesseract
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.services.ocr.pages_project import PagesProject, pages_project, paragraph
from tests.support.drawn_pages import drawn, scanned, scanned_pdf, written

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path) -> PagesProject:
    return pages_project(Workspace(tmp_path / "w"), tmp_path / "files")


@pytest.fixture
def run(here: PagesProject) -> Run:
    return partial(printed, here.ws.folder)


def test_from_a_scan_to_the_corpus(here: PagesProject, run: Run) -> None:
    if tesseract.version("ko") is None:
        pytest.skip("Tesseract with Korean is absent")
    assert "There are no pages yet." in run("ocr", "list")[1]
    path = written(here.folder, "guide.pdf", scanned_pdf(scanned(drawn(), 1.0)))
    code, out, _ = run("ocr", "import", str(path))
    assert (code, "1 new pages of 1 files, 0 already there." in out) == (0, True)
    said = json.loads(run("--json", "ocr", "draft")[1])
    assert (said["engine"], said["drafted"], said["failed"]) == ("tesseract", 1, 0)
    assert "guide                    drafted    tesseract" in run("ocr", "list")[1]
    assert "waiting: guide lacks 1 verified pages" in run("ocr", "publish")[1]
    here.correct(1, [paragraph("소방시설")])
    here.verify(1, [paragraph("소방시설")])
    code, out, _ = run("ocr", "publish")
    assert (code, "1 units from 1 pages of 1 documents." in out) == (0, True)
    (line,) = json.loads(run("--json", "ocr", "list")[1])["pages"]
    assert (line["state"], line["corrector"], line["verifier"]) == ("published", "Ann", "Ben")
    assert "Ann → Ben" in run("ocr", "list")[1]
    code, out, _ = run("ocr", "report")
    assert code == 0
    assert "In the corpus 1." in out
    assert "Cells in place" in out
    told = json.loads(run("--json", "ocr", "report")[1])
    assert told["engines"][0]["cer"]["n"] == 1
    assert told["cells"][0]["cell_accuracy"] == {"value": None, "n": 0, "ci": None}


def test_what_cannot_be_is_said(here: PagesProject, run: Run) -> None:
    code, _, err = run("ocr", "draft", "--engine", "magic")
    assert (code, "tesseract, model" in err) == (3, True)
    path = written(here.folder, "a.pdf", drawn())
    code, _, err = run("ocr", "import", str(path), "--pages", "7")
    assert (code, "The file has 1 page;" in err) == (3, True)
