"""A report as a file: text, a page or pictures, by the file's ending."""

from __future__ import annotations

from evaluation.reports.charts import pictures
from evaluation.reports.html_page import html_page
from evaluation.reports.report import ENDINGS, PICTURES, Report


def report_file(report: Report, ending: str, dark: bool = False) -> bytes:
    """Return a report as a file of an ending of `ENDINGS`, or its charts as one of `PICTURES`.

    Raises UserError for pictures of a report without any.
    """
    if ending in PICTURES:
        return pictures(report.drawn, ending, dark)
    if ending == ".html":
        return html_page(report)
    return report.written(ENDINGS[ending]).encode(errors="replace")
