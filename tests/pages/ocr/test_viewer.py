"""A part of a page that whoever corrects it asks to have read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.work import queue_service
from pages.ocr.task_page import region_part
from pages.task.acts import ACTS as FORM_ACTS
from pages.task.acts import TaskSession, carry_out
from services.ocr.importing import import_pages
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, empty_project
from tests.support.drawn_pages import drawn, scanned, scanned_pdf, written

ACTS = {**FORM_ACTS, "region": region_part}


@pytest.fixture
def sitting(tmp_path: Path, clock: FakeClock) -> tuple[Workspace, TaskSession, int]:
    workspace = Workspace(tmp_path / "workspace", clock)
    ara, _ = empty_project(workspace)
    import_pages(workspace, SLUG, written(tmp_path, "scan.pdf", scanned_pdf(scanned(drawn()))))
    (entry,) = queue_service.queue(workspace, ara.id, Task.OCR_CORRECTION)
    return workspace, TaskSession(SLUG, ara.id, task=Task.OCR_CORRECTION), entry.item_id


def ask(where: tuple[Workspace, TaskSession, int], **act: Any) -> TaskSession:
    workspace, sitting, item = where
    acts = [{"seq": sitting.seq + 1, "kind": "region", "item": item, **act}]
    message = {"client": "c", "person": sitting.person_id, "have": "", "acts": acts}
    carry_out(workspace, sitting, message, "en", ACTS)
    return sitting


def test_a_part_is_read_and_told_once(sitting: tuple[Workspace, TaskSession, int]):
    told = ask(sitting, box=[300, 225, 1350, 320]).told["region"]
    assert "건축물" in "".join(block["text"] for block in told["blocks"])
    assert ask(sitting, box=[0, 0, 0, 0]).told == {}


def test_nothing_is_read_off_the_page_or_of_others(sitting: tuple[Workspace, TaskSession, int]):
    for box in ([0, 0, 1, 1], [-50, -50, -10, -10], [9000, 9000, 9100, 9100], []):
        (failed,) = ask(sitting, box=box).failed
        assert "defect" not in failed["message"]
    (failed,) = ask(sitting, item=999, box=[0, 0, 100, 100]).failed
    assert "999" in failed["message"]
