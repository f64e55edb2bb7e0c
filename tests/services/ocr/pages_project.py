"""A project of pages for tests: who brings them in, corrects and verifies them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from annotation.forms.form import answer
from annotation.people.members import add_person
from annotation.work.commands import submit
from services.ocr.importing import ImportOptions, import_pages
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.subjects import item_of
from storage.tasks import Task
from tests.projects.project_cache import kept
from tests.support.drawn_pages import drawn, png, scanned, scanned_pdf, written

SLUG = "pages"


@dataclass(frozen=True)
class PagesProject:
    """The project's people by role; `annex` is a PDF with its own text, `scan` one without."""

    ws: Workspace
    lead: int
    ann: int
    ben: int
    folder: Path

    def bring(self, name: str, content: bytes, wish: ImportOptions | None = None) -> Any:
        """Bring in one file."""
        path = written(self.folder, name, content)
        return import_pages(self.ws, SLUG, path, wish, by=self.lead)

    def bring_annex(self) -> Any:
        """Bring in a page whose PDF holds its text."""
        return self.bring("별표 1.pdf", drawn())

    def bring_scan(self) -> Any:
        """Bring in a page that is an image alone."""
        return self.bring("scan.pdf", scanned_pdf(scanned(drawn(), 1.2)))

    def bring_blank(self, name: str, pages: int = 1, wish: ImportOptions | None = None) -> Any:
        """Bring in pages with nothing on them, the first of which is quickly read."""
        images = [Image.new("L", (200, 300), 255 - number) for number in range(pages)]
        return self.bring(name, png(images[0]) if pages == 1 else scanned_pdf(*images), wish)

    def say(self, page_id: int, text: str = "글") -> None:
        """Let Ann correct a page to this text, and Ben find it right."""
        self.correct(page_id, [paragraph(text)])
        self.verify(page_id, [paragraph(text)])

    def item(self, page_id: int, task: Task = Task.OCR_CORRECTION) -> int:
        """Return a page's item under a task."""
        with self.ws.reading() as session:
            found = item_of(session, task, page_id)
        assert found is not None
        return found

    def correct(self, page_id: int, blocks: list[dict[str, Any]]) -> int:
        """Let Ann submit these blocks as what the page says."""
        item = self.item(page_id)
        answer(self.ws, self.ann, item, "blocks", blocks)
        return submit(self.ws, self.ann, item)

    def verify(self, page_id: int, blocks: list[dict[str, Any]]) -> int:
        """Let Ben submit these blocks as what goes into the corpus."""
        item = self.item(page_id, Task.OCR_VERIFICATION)
        answer(self.ws, self.ben, item, "blocks", blocks)
        return submit(self.ws, self.ben, item)

    def project_id(self) -> int:
        """Return the project's id."""
        with self.ws.reading() as session:
            return find_project(session, SLUG).id


def paragraph(text: str) -> dict[str, Any]:
    """Return a paragraph as people submit it."""
    return {"kind": "paragraph", "text": text, "box": None, "doubt": []}


def pages_project(ws: Workspace, folder: Path) -> PagesProject:
    """Return an empty project with a researcher and two annotators."""
    folder.mkdir(parents=True, exist_ok=True)
    return PagesProject(ws, *kept("pages", ws, lambda: _made(ws)), folder)


def _made(ws: Workspace) -> tuple[int, int, int]:
    migrate(ws)
    create_project(ws, SLUG, "Pages")
    lead = add_person(ws, SLUG, "Lea", "researcher").id
    ann, ben = (add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben"))
    return lead, ann, ben
