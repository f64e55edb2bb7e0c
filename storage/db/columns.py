"""Shared parts of tables: ids and names of rows, a UTC time type, and constraints.

Rows as values: dataclasses whose fields are columns of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import CheckConstraint, DateTime, Dialect, Index, Select, UniqueConstraint, text
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, Session, SQLModel, col, func, select

# Every constraint has a name, so that a later migration can change it. Set before any table,
# since every module of tables imports this one.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

_MAX_ID = 2**63 - 1  # the largest integer of SQLite


def usable_id(number: object) -> int:
    """Return `number` if it can be a row id, else 0, which no row has."""
    if isinstance(number, bool) or not isinstance(number, int):
        return 0
    return number if 0 < number <= _MAX_ID else 0


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time: stored in UTC without its zone, read back with it.

    SQLite keeps no zone, so a zone other than UTC would be lost silently; a time without a zone is
    refused with ValueError.
    """

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC without its zone; ValueError for a time that has none."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time needs its zone: {value!r}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)


class Row(SQLModel):
    """A table row; the table's name is the class name in snake case, without ``Row``.

    Rows are not validated, so the validator is only built when first asked for.
    """

    model_config = {"defer_build": True}
    id: int | None = Field(default=None, primary_key=True)

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805  (SQLAlchemy calls it with the class)
        """Return the name of the table."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


class AppendOnly(Row):
    """A row that is never changed or deleted: triggers of its table's migration refuse that."""


class Dated(AppendOnly):
    """A row that is never changed or deleted, with its time."""

    at: datetime = Field(sa_type=UtcDateTime)


class Authored(Dated):
    """A row that is never changed or deleted, with its time and author (None: the operator)."""

    by_person_id: int | None = Field(default=None, foreign_key="person.id")


def add_rows(session: Session, rows: Iterable[Row]) -> int:
    """Add rows in the transaction of the session; return how many."""
    added = list(rows)
    session.add_all(added)
    session.flush()
    return len(added)


def newest_ids(session: Session, tables: Iterable[type[Row]]) -> str:
    """Return a key that changes whenever a row is added to one of the tables."""
    newest = (session.exec(select(func.max(col(table.id)))).one() for table in tables)
    return "-".join(str(number or 0) for number in newest)


class Version(Authored):
    """A version of a project's text of one kind; the newest is in force, else the packaged one."""

    project_id: int = Field(foreign_key="project.id")
    number: int
    text: str
    note: str = ""

    @declared_attr.directive
    def __table_args__(cls) -> tuple[UniqueConstraint]:  # noqa: N805
        return (UniqueConstraint("project_id", "number"),)


def one_of(column: str, *values: str) -> CheckConstraint:
    """Return a check constraint: the column has one of the values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_is_known")


def between(column: str, low: int, high: int) -> CheckConstraint:
    """Return a check constraint: the column is within bounds, both included."""
    return CheckConstraint(f"{column} BETWEEN {low} AND {high}", name=f"{column}_is_in_bounds")


def first_of(name: str, *columns: str) -> Index:
    """Return a partial unique index: each chain of superseding rows has one first row."""
    first = text("supersedes_id IS NULL")
    return Index(name, *columns, unique=True, sqlite_where=first, postgresql_where=first)


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
