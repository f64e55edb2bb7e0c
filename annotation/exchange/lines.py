"""One line of a file of annotations, read field by field; what does not fit names its line."""

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
_TOO_MANY = 2**31  # no count or position comes near


class RecordReader:
    """The fields of one record. Every reader raises UserError for a field that does not fit."""

    def __init__(self, fields: dict[str, Any], file: str, number: int) -> None:
        self.fields, self._file, self._number = fields, file, number

    def refuse(self, code: str, field: str | None = None, **params: object) -> NoReturn:
        """Raise the error of that code for this line."""
        raise UserError(code, self.where(field), **params)

    def where(self, field: str | None = None) -> Where:
        """Return the place of this line, or of a field in it."""
        return Where(self._file, self._number, field)

    def _value(self, field: str) -> Any:
        value = self.fields.get(field, _MISSING)
        if value is _MISSING:
            self.refuse("exchange_field", field)
        return value

    def text(self, field: str) -> str:
        """Return a text."""
        value = self._value(field)
        if not isinstance(value, str):
            self.refuse("exchange_field", field)
        return value

    def flag(self, field: str) -> bool:
        """Return true or false."""
        value = self._value(field)
        if not isinstance(value, bool):
            self.refuse("exchange_field", field)
        return value

    def number(self, field: str) -> int:
        """Return a whole number."""
        value = self._value(field)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _TOO_MANY:
            self.refuse("exchange_field", field)
        return value

    def amount(self, field: str) -> float:
        """Return a number that is at least 0."""
        value = self._value(field)
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        if not fits or not math.isfinite(value) or value < 0:
            self.refuse("exchange_field", field)
        return float(value)

    def time(self, field: str) -> datetime:
        """Return a point in time with its zone."""
        return self.as_time(self.text(field), field)

    def as_time(self, value: str, field: str) -> datetime:
        """Return what a text of the field says as a point in time with its zone."""
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            self.refuse("exchange_field", field)
        if found.tzinfo is None:
            self.refuse("exchange_field", field)
        return found

    def maybe_time(self, field: str) -> datetime | None:
        """Return a point in time, or None where the file says null."""
        return None if self._value(field) is None else self.time(field)

    def objects(self, field: str) -> dict[str, Any]:
        """Return a JSON object."""
        value = self._value(field)
        if not isinstance(value, dict):
            self.refuse("exchange_field", field)
        return value

    def members(self, field: str) -> list[Any]:
        """Return a JSON list."""
        value = self._value(field)
        if not isinstance(value, list):
            self.refuse("exchange_field", field)
        return value

    def parts(self, field: str, *kinds: type) -> list[Any]:
        """Return a list whose members are lists of values of these kinds."""
        for member in self.members(field):
            if not isinstance(member, list) or [type(v) for v in member] != list(kinds):
                self.refuse("exchange_field", field)
            if any(isinstance(v, int) and abs(v) >= _TOO_MANY for v in member):
                self.refuse("exchange_field", field)
        return self.members(field)

    def one_of(self, field: str, *known: str) -> str:
        """Return a text that is one of these."""
        value = self.text(field)
        if value not in known:
            self.refuse("exchange_field", field)
        return value


def read_lines(path: Path) -> Iterator[RecordReader]:
    """Yield the lines of a JSONL file. Raises UserError for one that holds no JSON object."""
    name = path.name
    check_file(path, name, FILE_BYTES)
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield RecordReader(_fields(raw, name, number), name, number)


def _fields(raw: bytes, name: str, number: int) -> dict[str, Any]:
    try:
        found = composed_value(json.loads(raw.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        raise UserError("exchange_line", Where(name, number)) from error
    if not isinstance(found, dict) or not _storable(found):
        raise UserError("exchange_line", Where(name, number))
    return found


def _storable(value: Any) -> bool:
    if isinstance(value, str):
        return is_storable(value)
    if isinstance(value, dict):
        return all(map(_storable, value)) and all(map(_storable, value.values()))
    return all(map(_storable, value)) if isinstance(value, list) else True
