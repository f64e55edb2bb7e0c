"""A report as a file: text, a page or pictures, by the file's ending.

A report in a notebook: HTML with its pictures and tables.

A report as HTML: one page that needs no other file, or the part that a notebook shows.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import MappingProxyType

from corpus.model import language_of
from evaluation.reports.charts import chart_file, pictures
from evaluation.reports.report import ENDINGS, PICTURES, Report, Section
from evaluation.reports.values import json_value
from evaluation.tables import Strong, text_of

_FEW = 30  # rows of a table that is open
_STYLE = """
:root { color-scheme: light dark; --soft: #59636e; --line: #d8dee4; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --soft: #9aa4ae; --line: #30363d; --back: #15181c; } body { color: #e4e6e8; } }
body { background: var(--back); font: 16px/1.55 system-ui, sans-serif; margin: 0 auto;
  max-width: 64rem; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
p { max-width: 46rem; margin: .4rem 0; } .note { color: var(--soft); font-size: .9rem; }
img { max-width: 100%; height: auto; margin: .6rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; margin: .6rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem .3rem 0; text-align: start;
  vertical-align: top; min-width: 4rem; } th { color: var(--soft); font-weight: 600; }
summary { cursor: pointer; color: var(--soft); } a { color: inherit; }
"""


def html_page(report: Report) -> bytes:
    """Return a report as an HTML page: pictures before tables, long ones folded, light or dark."""
    places = {each.name: f"s{number}" for number, each in enumerate(report.filled)}
    body = [f"<h1>{escape(report.title)}</h1>", *paragraphs([report.lead])]
    body += paragraphs(report.notes, "note")
    for section in report.filled:
        body += [f'<h2 id="{places[section.name]}">{escape(section.title)}</h2>']
        body += paragraphs([section.lead])
        body += [picture(section, dark=True)] if section.drawn else []
        if section.sheet.rows:
            body += _foldable(
                section, ['<div class="wide">', *table_lines(section, places), "</div>"]
            )
        body += paragraphs(section.notes, "note")
    text = "\n".join(body)
    head = (
        f'<!doctype html>\n<html lang="{language_of(report.lead or report.title)}">\n<head>\n'
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(report.title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
    )
    return f"{head}<body>\n{text}\n</body>\n</html>\n".encode(errors="replace")


def _foldable(section: Section, table: list[str]) -> list[str]:
    """Return the HTML of a table; a long one folds under its heads and number of rows."""
    count = len(section.sheet.rows)
    if count <= _FEW:
        return table
    heads = escape(" · ".join(section.sheet.readable().heads))
    return [f"<details><summary>{heads} ({count:,})</summary>", *table, "</details>"]


def paragraphs(texts: Iterable[str], kind: str = "") -> Iterator[str]:
    """Yield each text that is not empty as an HTML paragraph of the class `kind`."""
    begin = f'<p class="{kind}">' if kind else "<p>"
    yield from (f"{begin}{escape(text)}</p>" for text in texts if text)


def picture(section: Section, dark: bool = False) -> str:
    """Return the HTML of a section's chart, whose description is the sentence above it.

    With `dark` it is dark where the reader's screen is.
    """
    alt = escape(section.lead or section.title)
    light = f'<img alt="{alt}" src="{_data(section, False)}">'
    if not dark:
        return light
    other = f'<source media="(prefers-color-scheme: dark)" srcset="{_data(section, True)}">'
    return f"<picture>{other}{light}</picture>"


def _data(section: Section, dark: bool) -> str:
    """Return a section's chart as a data URL of SVG."""
    return f"data:image/svg+xml;base64,{b64encode(chart_file(section, '.svg', dark)).decode()}"


def table_lines(
    section: Section, places: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Yield the HTML lines of a section's table; what a row opens is a link if `places` has it."""
    table, sheet = section.table(), section.sheet.readable()
    if not table.head:
        return
    at = sheet.at(section.opens) if section.opens else -1
    yield "<table>"
    yield _row(f"<th>{escape(head)}</th>" for head in table.head)
    for cells, values in zip(table.rows, sheet.rows, strict=True):
        anchor = places.get(str(json_value(values[at])), "") if at >= 0 else ""
        yield _row(_cell(cell, anchor if n == at else "") for n, cell in enumerate(cells))
    yield "</table>"


def _cell(cell: object, anchor: str) -> str:
    """Return a cell as HTML."""
    text = escape(text_of(cell))
    text = f'<a href="#{anchor}">{text}</a>' if anchor else text
    return f"<td><strong>{text}</strong></td>" if isinstance(cell, Strong) else f"<td>{text}</td>"


def _row(cells: Iterable[str]) -> str:
    """Return a row as HTML."""
    return f"<tr>{''.join(cells)}</tr>"


def report_file(report: Report, ending: str, dark: bool = False) -> bytes:
    """Return a report as a file of an ending of `ENDINGS`, or its charts as one of `PICTURES`.

    Raises UserError for pictures of a report without any.
    """
    if ending in PICTURES:
        return pictures(report.drawn, ending, dark)
    if ending == ".html":
        return html_page(report)
    return report.written(ENDINGS[ending]).encode(errors="replace")


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
