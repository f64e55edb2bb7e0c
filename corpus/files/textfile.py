"""Read one text file of a user's, with the checks that every importer shares.

Every fault is a UserError that names the file and, where there is one, the line.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path

from errors import UserError, Where

STATUTE_FILE_BYTES = 16 * 1024 * 1024
"""Largest Markdown file accepted: eight times the longest Korean statute (2.0 MB)."""

BOM = b"\xef\xbb\xbf"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_DECOMPOSED = re.compile("[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?")


def read_text(path: Path, name: str, limit: int = STATUTE_FILE_BYTES) -> str:
    """Return the text of the UTF-8 file at `path`, line ends as ``\\n``.

    `name` stands for the file in messages; `limit` is its largest size in bytes. A byte order
    mark is dropped. Raises UserError for a file that is absent, not a plain file, too large,
    empty, not UTF-8, or that holds NUL characters.
    """
    check_file(path, name, limit)
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as problem:
        raise unreadable(name, problem) from problem
    if len(raw) > limit:  # it grew after it was looked at
        raise too_large(name, len(raw), limit)
    return as_text(raw, name)


def check_file(path: Path, name: str, limit: int) -> None:
    """Raise UserError unless `path` is a plain file of at most `limit` bytes."""
    if not stat.S_ISREG(file_kind(path, name)):
        raise UserError("not_a_file", Where(name))
    size = path.stat().st_size
    if size > limit:
        raise too_large(name, size, limit)


def file_kind(path: Path, name: str) -> int:
    """Return the mode of what stands at `path` (see `stat.S_ISREG`); UserError if nothing does."""
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

    Hangul syllables decomposed into jamo, as some systems write them, are composed, so that one
    title has one spelling; nothing else is normalised. Raises UserError naming the line and the
    byte in it (from 1) that is not UTF-8, the line in whose last character they end, or the line
    that holds a NUL character.
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
    return _DECOMPOSED.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)


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
    """Return a file name fit for messages and the database, stray bytes written as ``\\xNN``."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def is_storable(text: str) -> bool:
    """Tell whether a text can be kept: escapes can smuggle in NUL and lone surrogates."""
    return _UNSTORABLE.search(text) is None
