"""A report in a notebook: pictures and tables as HTML, in which text stays text."""

from __future__ import annotations

from base64 import b64decode

from evaluation.figure import Figure
from evaluation.reports.notebook import NotebookReport
from evaluation.reports.report import Chart, Marked, Section, Shape, Sheet, Words

HOSTILE = "<script>alert(1)</script>"
WORDS = Words("library", "en", "head")


def made(*rows: dict[str, object]) -> NotebookReport:
    chart = Chart(Shape.FOREST, ("run",), ("score",))
    sheet = Sheet.of(rows, WORDS)
    sections = (Section("scores", "Scores & more", sheet, HOSTILE, chart, ("A note.",)),)
    return NotebookReport("report", "Title", sections, "Lead.")


def test_pictures_tables_and_texts_stand_in_it_and_no_markup_of_a_text() -> None:
    score = Figure("score", 0.5, 20, 0.4, 0.6)
    report = made({"run": HOSTILE, "score": Marked(score, "▲", strong=True)})
    html = report._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    assert "<h4>Scores &amp; more</h4>" in html and "<p>A note.</p>" in html
    assert "<td><strong>0.500 [0.400, 0.600] ▲</strong></td>" in html
    picture = html.partition("base64,")[2].partition('"')[0]
    assert b64decode(picture).startswith(b"<svg")
    assert "Lead." in str(report) and "* 0.500" in str(report)


def test_what_has_no_row_is_its_sentence() -> None:
    html = made()._repr_html_()
    assert "<img" not in html and "<table" not in html and "<p>Lead.</p>" in html
