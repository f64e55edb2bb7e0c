"""Column types that SQLite lacks."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


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
