"""A report in a notebook: HTML with its pictures and tables."""

from __future__ import annotations

from html import escape

from evaluation.reports.html_page import paragraphs, picture, table_lines
from evaluation.reports.report import Report


class NotebookReport(Report):
    """A report that a notebook draws; `print` shows it as a terminal does."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return HTML with pictures as SVG, whose description is the sentence above them."""
        parts = [*paragraphs((self.lead, *self.notes))]
        for section in self.filled:
            parts += [f"<h4>{escape(section.title)}</h4>", *paragraphs([section.lead])]
            parts += [picture(section)] if section.drawn else []
            parts += [*table_lines(section), *paragraphs(section.notes)]
        return "\n".join(parts)
