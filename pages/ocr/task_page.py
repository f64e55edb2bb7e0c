"""The two screens on the pages of images, which differ in what they begin with."""

from __future__ import annotations

from typing import Any

from annotation.work.queue_service import ItemView
from pages.ocr.formulas import place_formulas
from pages.ocr.viewer import OCR
from pages.ocr.viewer_data import page_part, region_part
from pages.shell.context import Context
from pages.task.page import TaskPage
from storage.db.workspace import Workspace
from storage.tasks import Task


def render_pages(context: Context, task: Task) -> None:
    """Draw the screen of the task."""

    def fixed(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
        return page_part(ws, context.project, person_id, item, language)

    place_formulas()
    TaskPage(task, OCR, fixed, acts={"region": region_part}).render(context)
