"""A report in a notebook: pictures and tables as HTML, in which text stays text."""

from __future__ import annotations

from base64 import b64decode

from evaluation.figure import Figure
from evaluation.reports.files import NotebookReport, html_page
from evaluation.reports.report import Chart, Kind, Marked, Report, Section, Shape, Sheet, Words

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


NAMES, HEADS = ("part", "found"), ("Part", "Found <b>")
KINDS = (Kind.TEXT, Kind.TEXT)


def section(name: str, rows: int, opens: str = "") -> Section:
    sheet = Sheet(NAMES, HEADS, KINDS, tuple((f"p{n}", n + 1) for n in range(rows)))
    return Section(name, f"Title {name}", sheet, f"Lead {name}.", opens=opens)


def test_what_rows_open_is_linked_and_a_long_table_is_shut() -> None:
    parts = section("first", 30, opens="part"), section("p1", 31)
    page = html_page(Report("r", "R & R", parts, "Lead.", ("Note.",))).decode()
    assert '<td><a href="#s1">p1</a></td><td>2</td>' in page and "<td>p0</td>" in page
    assert '<h2 id="s1">Title p1</h2>' in page
    assert "<summary>Part · Found &lt;b&gt; (31)</summary>" in page and "<b>" not in page
    assert page.count("<details>") == 1 and '<p class="note">Note.</p>' in page
    assert "<title>R &amp; R</title>" in page


def test_pictures_are_in_the_page_on_light_and_dark_paper() -> None:
    drawn = Section(
        "s", "S", section("s", 2).sheet, "Lead.", Chart(Shape.STACK, ("part",), ("found",))
    )
    page = html_page(Report("r", "제목", (drawn,))).decode()
    assert '<html lang="ko">' in page
    dark, light = (b64decode(each.partition('"')[0]) for each in page.split("svg+xml;base64,")[1:])
    assert b"#15181c" in dark and b"#15181c" not in light
    assert "prefers-color-scheme: dark" in page and "http" not in page.replace("http-equiv", "")
