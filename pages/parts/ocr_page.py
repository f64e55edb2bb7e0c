"""The two screens on the pages of images, which differ in what they begin with."""

from __future__ import annotations

from typing import Any

from annotation.answers.desk import AnswersView
from pages.context import Context
from pages.parts.answers_page import AnswersPage
from pages.parts.formulas import place_formulas
from pages.parts.ocr_data import page_part, region_part
from pages.parts.ocr_viewer import OCR
from storage.tasks import Task
from storage.workspace import Workspace


def render_pages(context: Context, task: Task) -> None:
    """Draw the screen of the task."""

    def fixed(ws: Workspace, person_id: int, item: AnswersView, language: str) -> dict[str, Any]:
        return page_part(ws, context.project, person_id, item, language)

    place_formulas()
    AnswersPage(task, OCR, fixed, acts={"region": region_part}).render(context)
