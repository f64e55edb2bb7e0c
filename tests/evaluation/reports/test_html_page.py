"""The page of a report: links to what its rows open, long tables shut, pictures in it."""

from __future__ import annotations

from evaluation.reports.html_page import html_page
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Sheet

NAMES, HEADS = ("part", "found"), ("Part", "Found <b>")
KINDS = (Kind.TEXT, Kind.TEXT)


def section(name: str, rows: int, opens: str = "") -> Section:
    sheet = Sheet(NAMES, HEADS, KINDS, tuple((f"p{n}", n + 1) for n in range(rows)))
    return Section(name, f"Title {name}", sheet, f"Lead {name}.", opens=opens)


def test_what_rows_open_is_linked_and_a_long_table_is_shut() -> None:
    parts = section("first", 2, opens="part"), section("p1", 31)
    page = html_page(Report("r", "R & R", parts, "Lead.", ("Note.",))).decode()
    assert '<a href="#s1">p1</a>' in page and "<td>p0</td>" in page
    assert '<h2 id="s1">Title p1</h2>' in page
    assert "<summary>Part · Found &lt;b&gt; (31)</summary>" in page and "<b>" not in page
    assert page.count("<details>") == 1 and '<p class="note">Note.</p>' in page
    assert "<title>R &amp; R</title>" in page


def test_pictures_are_in_the_page_on_light_and_dark_paper() -> None:
    drawn = Section(
        "s", "S", section("s", 2).sheet, "Lead.", Chart(Shape.STACK, ("part",), ("found",))
    )
    page = html_page(Report("r", "R", (drawn,))).decode()
    assert page.count("data:image/svg+xml;base64,") == 2
    assert "prefers-color-scheme: dark" in page and "http" not in page.replace("http-equiv", "")
