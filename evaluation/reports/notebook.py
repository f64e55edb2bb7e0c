"""A report in a notebook: HTML with its pictures and tables."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from evaluation.reports.charts import chart_file
from evaluation.reports.report import Report, Section
from evaluation.tables import Strong, Table, text_of


class NotebookReport(Report):
    """A report that a notebook draws; `print` shows it as a terminal does."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return HTML with pictures as SVG, whose description is the sentence above them."""
        parts = [*_paragraphs((self.lead, *self.notes))]
        for section in self.filled:
            parts += [f"<h4>{escape(section.title)}</h4>", *_paragraphs([section.lead])]
            parts += [_picture(section)] if section.drawn else []
            parts += [*_table(section.table()), *_paragraphs(section.notes)]
        return "\n".join(parts)


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    yield from (f"<p>{escape(text)}</p>" for text in texts if text)


def _picture(section: Section) -> str:
    data = b64encode(chart_file(section, ".svg")).decode()
    alt = escape(section.lead or section.title)
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _table(table: Table) -> Iterator[str]:
    if table.head:
        yield "<table>"
        yield _row(f"<th>{escape(head)}</th>" for head in table.head)
        for row in table.rows:
            yield _row(
                f"<td><strong>{escape(cell.text)}</strong></td>"
                if isinstance(cell, Strong)
                else f"<td>{escape(text_of(cell))}</td>"
                for cell in row
            )
        yield "</table>"


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"
