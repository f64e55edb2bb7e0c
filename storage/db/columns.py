"""A column type that SQLite lacks, what an id can be, and constraints that tables share."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import CheckConstraint, DateTime, Dialect, Index, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

# Every constraint has a name, so that a later migration can change it. Set before any table,
# since every module of tables imports this one.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

_MAX_ID = 2**63 - 1  # what SQLite can hold


def usable_id(number: object) -> int:
    """Return `number` if a row could have it as its id, else 0, which no row has."""
    if isinstance(number, bool) or not isinstance(number, int):
        return 0
    return number if 0 < number <= _MAX_ID else 0


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time: stored in UTC without its zone, read back with it.

    SQLite keeps no zone, so a zone other than UTC would be lost silently; a time without a zone
    is refused with ValueError.
    """

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC, stripped of its zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time needs its zone: {value!r}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)


def one_of(column: str, *values: str) -> CheckConstraint:
    """Return the check that the column has one of the values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_is_known")


def between(column: str, low: int, high: int) -> CheckConstraint:
    """Return the check that the column is within bounds, both included."""
    return CheckConstraint(f"{column} BETWEEN {low} AND {high}", name=f"{column}_is_in_bounds")


def first_of(name: str, *columns: str) -> Index:
    """Return the index that lets each chain of superseding rows have one first row only."""
    first = text("supersedes_id IS NULL")
    return Index(name, *columns, unique=True, sqlite_where=first, postgresql_where=first)
