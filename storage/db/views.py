"""Rows as values: dataclasses whose fields are columns of a table."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Select

View = TypeVar("View")


def view_of(view: type[View], row: Any, **others: Any) -> View:
    """Return a row as a value that needs no session; `others` are values of further fields."""
    names = (each.name for each in fields(view) if each.name not in others)  # type: ignore[arg-type]
    return view(**{name: getattr(row, name) for name in names}, **others)


def select_view(table: Any, view: type) -> Select[Any]:
    """Return a query of the columns that a view has, in its order.

    Columns and not whole rows: loading thousands of those takes several times as long.
    """
    return sqlalchemy.select(*(getattr(table, each.name) for each in fields(view)))
