"""Screen of OCR verification: page image beside another person's correction."""

from __future__ import annotations

from pages.ocr.task_page import render_pages
from pages.shell.context import Context
from storage.tasks import Task


def render(context: Context) -> None:
    """Draw the screen."""
    render_pages(context, Task.OCR_VERIFICATION)
