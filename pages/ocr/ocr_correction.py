"""Screen of OCR correction: page image beside the engine's text."""

from __future__ import annotations

from pages.ocr.task_page import render_pages
from pages.shell.context import Context
from storage.tasks import Task


def render(context: Context) -> None:
    """Draw the screen."""
    render_pages(context, Task.OCR_CORRECTION)
