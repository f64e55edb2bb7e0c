"""The address of the database: a SQLite file in the workspace folder, or a PostgreSQL server.

$DATABASE_URL names the server. Messages never show the password.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from errors import UserError, Where

VARIABLE = "DATABASE_URL"
_DRIVER = "postgresql+psycopg"
# The first two schemes are what many hosts hand out.
_NAMES = ("postgres", "postgresql", _DRIVER)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database; `url` holds the password and is for the engine alone."""

    url: URL

    @property
    def is_postgres(self) -> bool:
        """Whether the database is on a PostgreSQL server."""
        return self.url.drivername == _DRIVER

    @property
    def shown(self) -> str:
        """The address for messages: without password and options."""
        if not self.is_postgres:
            return str(self.url.database)
        user = f"{self.url.username}@" if self.url.username else ""
        port = f":{self.url.port}" if self.url.port else ""
        return f"postgresql://{user}{self.url.host or ''}{port}/{self.url.database or ''}"

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def file_address(path: Path) -> Address:
    """Return the address of a SQLite file.

    Built from its parts: in a URL, "?" and what follows would not belong to the path.
    """
    return Address(URL.create("sqlite", database=str(path)))


def server_address(text: str) -> Address:
    """Read the address of a PostgreSQL server. Raises UserError, without repeating the text."""
    where = Where(field=VARIABLE)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise UserError("database_address", where) from error
    if url.drivername not in _NAMES or not url.database:
        raise UserError("database_address", where)
    return Address(url.set(drivername=_DRIVER))


def named_server() -> Address | None:
    """Return the server that $DATABASE_URL names, None where it is unset or empty."""
    text = os.environ.get(VARIABLE, "").strip()
    return server_address(text) if text else None
