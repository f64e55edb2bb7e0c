"""The formats that a table can be written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from errors import UserError
from evaluation.tables import csv_file, latex, markdown
from evaluation.tables.model import Table

FORMATS: Mapping[str, Callable[[Table], str]] = MappingProxyType(
    {"csv": csv_file.write, "markdown": markdown.write, "latex": latex.write}
)
ENDINGS: Mapping[str, str] = MappingProxyType({"csv": "csv", "markdown": "md", "latex": "tex"})


def written(table: Table, format_name: str) -> str:
    """Return the table in one of FORMATS. Raises UserError for another name."""
    if format_name not in FORMATS:
        raise UserError("table_format_unknown", name=format_name, known=", ".join(FORMATS))
    return FORMATS[format_name](table)
