"""One line of an annotations file, read by field; errors name the line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from corpus.files.rows import check_file, is_storable
from errors import UserError, Where
from normalization import composed_value

FILE_BYTES = 2 * 1024**3
_MISSING = object()
_INTEGER_LIMIT = 2**31  # no count or position comes near


class RecordReader:
    """The fields of one record. Every reader raises UserError for an invalid field."""

    def __init__(self, fields: dict[str, Any], file: str, number: int) -> None:
        self.fields, self._file, self._number = fields, file, number

    def refuse(self, code: str, field: str | None = None, **params: object) -> NoReturn:
        """Raise the UserError `code` for this line."""
        raise UserError(code, self.where(field), **params)

    def where(self, field: str | None = None) -> Where:
        """Return the place of this line, or of a field in it."""
        return Where(self._file, self._number, field)

    def _value(self, field: str) -> Any:
        """Return the value of a required field. Raises UserError if it is missing."""
        value = self.fields.get(field, _MISSING)
        if value is _MISSING:
            self.refuse("exchange_field", field)
        return value

    def text(self, field: str) -> str:
        """Return a text field."""
        value = self._value(field)
        if not isinstance(value, str):
            self.refuse("exchange_field", field)
        return value

    def flag(self, field: str) -> bool:
        """Return a boolean field."""
        value = self._value(field)
        if not isinstance(value, bool):
            self.refuse("exchange_field", field)
        return value

    def number(self, field: str) -> int:
        """Return an integer field."""
        value = self._value(field)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _INTEGER_LIMIT:
            self.refuse("exchange_field", field)
        return value

    def amount(self, field: str) -> float:
        """Return a number field that is at least 0."""
        value = self._value(field)
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        if not fits or not math.isfinite(value) or value < 0:
            self.refuse("exchange_field", field)
        return float(value)

    def amount_or_none(self, field: str) -> float | None:
        """Return a number field that is at least 0, or None if the file has null."""
        return None if self._value(field) is None else self.amount(field)

    def time(self, field: str) -> datetime:
        """Return a time field with its zone."""
        return self.as_time(self.text(field), field)

    def as_time(self, value: str, field: str) -> datetime:
        """Parse a text of the field as a time with its zone."""
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            self.refuse("exchange_field", field)
        if found.tzinfo is None:
            self.refuse("exchange_field", field)
        return found

    def maybe_time(self, field: str) -> datetime | None:
        """Return a time field, or None if the file has null."""
        return None if self._value(field) is None else self.time(field)

    def objects(self, field: str) -> dict[str, Any]:
        """Return a JSON object field."""
        value = self._value(field)
        if not isinstance(value, dict):
            self.refuse("exchange_field", field)
        return value

    def members(self, field: str) -> list[Any]:
        """Return a JSON list field."""
        value = self._value(field)
        if not isinstance(value, list):
            self.refuse("exchange_field", field)
        return value

    def parts(self, field: str, *kinds: type) -> list[Any]:
        """Return a list field whose members are lists with one value of each of these types."""
        for member in self.members(field):
            if not isinstance(member, list) or [type(v) for v in member] != list(kinds):
                self.refuse("exchange_field", field)
            if any(isinstance(v, int) and abs(v) >= _INTEGER_LIMIT for v in member):
                self.refuse("exchange_field", field)
        return self.members(field)

    def one_of(self, field: str, *known: str) -> str:
        """Return a text field that is one of these values."""
        value = self.text(field)
        if value not in known:
            self.refuse("exchange_field", field)
        return value


def read_lines(path: Path) -> Iterator[RecordReader]:
    """Yield the lines of a JSONL file. Raises UserError for one that is not a JSON object."""
    name = path.name
    check_file(path, name, FILE_BYTES)
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield RecordReader(_fields(raw, name, number), name, number)


def _fields(raw: bytes, file: str, line: int) -> dict[str, Any]:
    """Parse a line as a JSON object. Raises UserError for anything else."""
    try:
        found = composed_value(json.loads(raw.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        raise UserError("exchange_line", Where(file, line)) from error
    if not isinstance(found, dict) or not _storable(found):
        raise UserError("exchange_line", Where(file, line))
    return found


def _storable(value: Any) -> bool:
    """Return True if every text in a JSON value can be stored in the database."""
    if isinstance(value, str):
        return is_storable(value)
    if isinstance(value, dict):
        return all(map(_storable, value)) and all(map(_storable, value.values()))
    return all(map(_storable, value)) if isinstance(value, list) else True
