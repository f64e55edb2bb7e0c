from __future__ import annotations

from pathlib import Path

from sqlmodel import select

from storage.db.engines import WRITE
from storage.db.migrate import copy_rows, migrate
from storage.db.workspace import Workspace
from storage.tables.ocr import PageImage
from tests.services.ocr.pages_project import pages_project
from tests.support.drawn_pages import drawn


def test_images_are_copied_byte_by_byte(tmp_path: Path) -> None:
    here = pages_project(Workspace(tmp_path / "one"), tmp_path / "files")
    for number in range(3):
        here.bring(f"{number}.pdf", drawn(note=f"비고 {number}"))
    other = Workspace(tmp_path / "two")
    migrate(other)
    into = other.engine.execution_options(**{WRITE: True})
    with here.ws.engine.connect() as source, into.begin() as target:
        counts = copy_rows(source, target)
    assert (counts["page_image"], counts["page"], counts["page_draft"]) == (3, 3, 3)
    with here.ws.reading() as one, other.reading() as two:
        query = select(PageImage.sha256, PageImage.content).order_by(PageImage.sha256)
        assert one.exec(query).all() == two.exec(query).all()
