"""The screen of OCR correction: a page beside what an engine read on it."""

from __future__ import annotations

from pages.context import Context
from pages.parts.ocr_page import render_pages
from storage.tasks import Task


def render(context: Context) -> None:
    """Draw the screen."""
    render_pages(context, Task.OCR_CORRECTION)
