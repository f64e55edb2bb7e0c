"""The pages of the sample: there with a draft to correct, wherever there is no Tesseract."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.law.importing import import_statutes
from services.ocr.views import page_view
from services.sample.loading import SAMPLE
from services.sample.pages import bring_sample_pages
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.ocr.pages import drafts, pages
from storage.projects import create_project
from storage.subjects import item_of
from storage.tasks import Task
from tests.conftest import FakeClock

SLUG = "sample"


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    made = Workspace(tmp_path / "workspace", clock)
    migrate(made)
    create_project(made, SLUG, "Sample")
    import_statutes(made, SLUG, SAMPLE / "statutes")
    bring_sample_pages(made, SLUG, SAMPLE / "pages")
    return made


def test_each_page_has_a_draft_whose_boxes_lie_on_it(workspace: Workspace):
    with workspace.reading() as session:
        found = {page.id: page for page in pages(session, 1)}
        kept = drafts(session, 1)
        items = [item_of(session, Task.OCR_CORRECTION, number) for number in found]
    assert [each.engine for each in kept] == ["tesseract", "tesseract"]
    assert None not in items
    for draft in kept:
        page = found[draft.page_id]
        view = page_view(workspace, page.id, draft.id)
        boxes = [word[1:5] for word in view.words] + [block["box"] for block in view.blocks]
        assert all(
            0 <= x0 < x1 <= page.width and 0 <= y0 < y1 <= page.height for x0, y0, x1, y1 in boxes
        )
        assert page.unit


def test_there_is_something_to_correct(workspace: Workspace):
    with workspace.reading() as session:
        blocks = [block for draft in drafts(session, 1) for block in draft.blocks]
    tables = [block for block in blocks if block["kind"] == "table"]
    assert any(block["doubt"] for block in blocks if block["kind"] != "table")
    assert any(cell["row_span"] * cell["column_span"] == 4 for t in tables for cell in t["cells"])


def test_bringing_them_again_changes_nothing(workspace: Workspace):
    bring_sample_pages(workspace, SLUG, SAMPLE / "pages")
    with workspace.reading() as session:
        assert (len(pages(session, 1)), len(drafts(session, 1))) == (2, 2)
