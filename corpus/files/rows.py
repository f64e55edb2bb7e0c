"""Users' files: text and JSON rows, with the checks that every importer shares.

Errors are UserErrors that name the file, the line and, if there is one, the field.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from corpus.limits import CITATION, UNIT_TEXT, within
from errors import UserError, Where
from normalization import composed, composed_value

STATUTE_FILE_BYTES = 16 * 1024 * 1024
"""The largest Markdown file accepted: eight times the longest Korean statute (2.0 MB)."""

BOM = b"\xef\xbb\xbf"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def read_text(path: Path, name: str, limit: int = STATUTE_FILE_BYTES) -> str:
    """Return the text of the UTF-8 file at `path`, line ends as ``\\n``.

    `name` is the file's name in messages; `limit` is its largest size in bytes. A byte order mark
    is dropped. Raises UserError for a file that is absent, not a plain file, too large, empty, not
    UTF-8, or that has NUL characters.
    """
    return as_text(read_bytes(path, name, limit), name)


def read_bytes(path: Path, name: str, limit: int) -> bytes:
    """Return the bytes of a plain file of at most `limit` bytes. Raises UserError for any other."""
    check_file(path, name, limit)
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as problem:
        raise unreadable(name, problem) from problem
    if len(raw) > limit:  # it grew after the check
        raise too_large(name, len(raw), limit)
    return raw


def check_file(path: Path, name: str, limit: int | None) -> None:
    """Raise UserError unless `path` is a plain file, of at most `limit` bytes if that is given."""
    if not stat.S_ISREG(file_kind(path, name)):
        raise UserError("not_a_file", Where(name))
    size = path.stat().st_size
    if limit is not None and size > limit:
        raise too_large(name, size, limit)


def file_kind(path: Path, name: str) -> int:
    """Return the mode of the file at `path` (see `stat.S_ISREG`); UserError if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError as problem:
        raise UserError("path_missing", Where(name)) from problem
    except (OSError, ValueError) as problem:
        raise unreadable(name, problem) from problem


def as_text(raw: bytes, name: str) -> str:
    """Decode the bytes of a whole file as :func:`read_text` does."""
    text = decode(raw.removeprefix(BOM), name, 1).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UserError("file_empty", Where(name))
    return text


def decode(raw: bytes, name: str, line: int) -> str:
    """Decode UTF-8 bytes that begin at line `line` of the file `name`.

    The text is composed (`normalization`). Raises UserError naming the line and the byte in it
    (from 1) that is not UTF-8, the line in whose last character they end, or the line with a NUL
    character.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        start = raw.rfind(b"\n", 0, problem.start) + 1
        at = Where(name, line + raw.count(b"\n", 0, problem.start))
        if problem.end == len(raw) and problem.reason == "unexpected end of data":
            raise UserError("file_cut_short", at) from problem
        raise UserError("not_utf8", at, byte=problem.start - start + 1) from problem
    if "\0" in text:
        raise UserError("nul_character", Where(name, line + text[: text.index("\0")].count("\n")))
    return composed(text)


def unreadable(name: str, problem: Exception) -> UserError:
    """Return the error for a file that the operating system does not let us read."""
    reason = getattr(problem, "strerror", None) or str(problem)
    return UserError("file_unreadable", Where(name), reason=reason)


def too_large(name: str, size: int, limit: int) -> UserError:
    """Return the error for a file of `size` bytes where `limit` are accepted."""
    megabyte = 1024 * 1024
    return UserError(
        "file_too_large",
        Where(name),
        megabytes=f"{size / megabyte:.1f}",
        limit=f"{limit / megabyte:.0f}",
    )


def printable(name: str) -> str:
    """Return a file name safe for messages and the database, stray bytes written as ``\\xNN``."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def is_storable(text: str) -> bool:
    """Return whether a text can be stored: escapes can smuggle in NUL and lone surrogates."""
    return _UNSTORABLE.search(text) is None


ARRAY_BYTES = 64 * 1024 * 1024
"""The largest file accepted as one JSON array: it must be held whole."""

LINE_BYTES = 24 * 1024 * 1024
"""Longest line of a JSON Lines file accepted: it holds a text of the longest that is taken
(`corpus.limits`), in parts of syllables that are each written as an escape.
"""

_CODE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class RowReader:
    """One object of a file, with typed access to its fields.

    Of several names of a field, the first one that is present and not null counts.
    """

    file: str
    line: int
    fields: dict[str, Any]

    def at(self, field: str | None = None) -> Where:
        """Return the place of the row, or of one of its fields."""
        return Where(self.file, self.line, field)

    def has(self, *names: str) -> bool:
        """Whether one of the fields is present and not null."""
        return any(self.fields.get(name) is not None for name in names)

    def text(self, *names: str, limit: int = UNIT_TEXT) -> str:
        """Return the first of these fields as stripped text, "" if absent; a number as text.

        Raises UserError for one of more than `limit` characters.
        """
        name = self._present(names)
        if name is None:
            return ""
        value = self.fields[name]
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
            return str(value)
        if not isinstance(value, str):
            raise UserError("field_not_text", self.at(name))
        if not is_storable(value):
            raise UserError("text_unstorable", self.at(name))
        return within(value.strip(), limit, self.at(name))

    def required(self, *names: str, limit: int = UNIT_TEXT) -> str:
        """Return the first of these fields as text. Raises UserError if blank or absent."""
        found = self.text(*names, limit=limit)
        if not found:
            raise UserError("field_missing", self.at(self._present(names) or names[0]))
        return found

    def line_text(self, *names: str) -> str:
        """Return a text on one line, its white space single."""
        return " ".join(self.text(*names).split())

    def code(self, *names: str) -> str:
        """Return an id, "" if absent; UserError beyond 200 characters or with white space."""
        found = self.text(*names)
        if len(found) > _CODE_CHARACTERS or len(found.split()) > 1:
            field = self._present(names)
            raise UserError("id_form", self.at(field), limit=_CODE_CHARACTERS)
        return found

    def texts(self, *names: str) -> tuple[str, ...]:
        """Return a list of texts or whole numbers, empty if absent."""
        name = self._present(names)
        if name is None:
            return ()
        value = self.fields[name]
        if not isinstance(value, list):
            raise UserError("field_not_texts", self.at(name))
        rows = (RowReader(self.file, self.line, {name: entry}) for entry in value)
        return tuple(row.text(name, limit=CITATION) for row in rows)

    def day(self, *names: str) -> date | None:
        """Return a date written YYYY-MM-DD or YYYYMMDD, None if absent or blank."""
        found = self.text(*names)
        try:
            return date.fromisoformat(found) if found else None
        except ValueError as problem:
            at = self.at(self._present(names))
            raise UserError("field_not_date", at, value=found[:40]) from problem

    def _present(self, names: tuple[str, ...]) -> str | None:
        """Return the name of the first of these fields that is not null; None if all are."""
        return next((name for name in names if self.fields.get(name) is not None), None)


def read_rows(path: Path, name: str = "") -> Iterator[RowReader]:
    """Yield the objects of a file, JSON Lines or one JSON array of objects.

    JSON Lines of any size are read line by line: uploads and archives are bounded before. `name` is
    the file's name in messages. Raises UserError for a file without objects.
    """
    name = name or printable(path.name)
    check_file(path, name, None)
    if _is_array(path, name):
        rows = _array(path, name)
    else:
        lines = read_lines(path, name, LINE_BYTES)
        rows = (RowReader(name, at, parse_object(text, name, at)) for at, text in lines)
    empty = True
    for row in rows:
        empty = False
        yield row
    if empty:
        raise UserError("rows_empty", Where(name))


def refuse_repeated(
    code: str,
    keys: Iterable[Hashable],
    places: Sequence[Where],
    names: Sequence[Mapping[str, object]] = (),
) -> None:
    """Raise UserError for the second row of a key; `names` has each row's message parameters."""
    first: dict[Hashable, int] = {}
    for at, key in enumerate(keys):
        if key in first:
            raise UserError(code, places[at], first=first[key], **(names[at] if names else {}))
        first[key] = places[at].line or 0


def read_lines(path: Path, name: str, limit: int) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of the lines that are not blank.

    Never holds more of a line than `limit` bytes: a longer one is a UserError.
    """
    return (each for each in enumerate(every_line(path, name, limit), 1) if each[1].strip())


def every_line(path: Path, name: str, limit: int) -> Iterator[str]:
    """Yield the text of every line, blank ones too, decoded as in :func:`read_lines`."""
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(limit + 1):
                number += 1
                if len(raw) > limit:
                    raise UserError("line_too_long", Where(name, number), limit=limit // 1024)
                yield decode(raw.removeprefix(BOM) if number == 1 else raw, name, number)
    except OSError as problem:
        raise unreadable(name, problem) from problem


def parse_object(text: str, name: str, line: int) -> dict[str, Any]:
    """Parse `text` as one JSON object, its texts in NFC. Raises UserError for anything else."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as problem:
        at = Where(name, line)
        raise UserError("json_broken", at, column=problem.colno, reason=problem.msg) from problem
    except (ValueError, RecursionError) as problem:  # a number or a nesting beyond all bounds
        raise UserError("json_unreasonable", Where(name, line)) from problem
    return _require_object(_unescaped(value, text), name, line)


def _unescaped(value: Any, text: str) -> Any:
    """Return the value in NFC if `text` has escapes: all else in it is in NFC already."""
    return composed_value(value) if "\\u" in text else value


def _require_object(value: object, name: str, line: int) -> dict[str, Any]:
    """Return the value if it is a JSON object. Raises UserError for any other."""
    if not isinstance(value, dict):
        raise UserError("json_not_object", Where(name, line))
    return value


def _is_array(path: Path, name: str) -> bool:
    """Return True if a file begins like a JSON array."""
    try:
        with path.open("rb") as file:
            return file.read(4096).removeprefix(BOM).lstrip().startswith(b"[")
    except OSError as problem:
        raise unreadable(name, problem) from problem


def _array(path: Path, name: str) -> Iterator[RowReader]:
    """Yield the objects of a JSON array with their lines."""
    text = read_text(path, name, ARRAY_BYTES)
    decoder = json.JSONDecoder()
    at = _skip(text, text.index("[") + 1)
    line, counted = 1, 0
    while at < len(text) and text[at] != "]":
        line, counted = line + text.count("\n", counted, at), at
        start = at
        value, at = _decode_value(decoder, text, start, name, line)
        value = _unescaped(value, text[start:at])
        yield RowReader(name, line, _require_object(value, name, line))
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            raise _broken(text, at, name, "expected , or ]")
    if text[at:].strip() != "]":
        raise _broken(text, at, name, "the list does not end in one ]")


def _decode_value(
    decoder: json.JSONDecoder, text: str, at: int, name: str, line: int
) -> tuple[object, int]:
    """Parse the value at `at`; return it and where it ends. Raises UserError if invalid."""
    try:
        return decoder.raw_decode(text, at)
    except json.JSONDecodeError as problem:
        raise _broken(text, problem.pos, name, problem.msg) from problem
    except (ValueError, RecursionError) as problem:
        raise UserError("json_unreasonable", Where(name, line)) from problem


def _broken(text: str, at: int, name: str, reason: str) -> UserError:
    """Return the error for invalid JSON, with line and column."""
    column = at - text.rfind("\n", 0, at)
    where = Where(name, text.count("\n", 0, at) + 1)
    return UserError("json_broken", where, column=column, reason=reason)


def _skip(text: str, at: int) -> int:
    """Return the next offset from `at` that is not white space."""
    while at < len(text) and text[at] in " \t\n\r":
        at += 1
    return at
