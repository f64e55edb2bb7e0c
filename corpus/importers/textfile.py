"""Read one text file of a user's, with the checks that every importer shares.

Every fault is a UserError that names the file and, where there is one, the line.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from pathlib import Path

from errors import UserError, Where

STATUTE_FILE_BYTES = 16 * 1024 * 1024
"""Largest Markdown file accepted: eight times the longest Korean statute (2.0 MB)."""

BOM = b"\xef\xbb\xbf"
_JAMO = re.compile("[\u1100-\u11ff]")


def read_text(path: Path, name: str, limit: int = STATUTE_FILE_BYTES) -> str:
    """Return the text of the UTF-8 file at `path`, line ends as ``\\n``.

    `name` stands for the file in messages; `limit` is its largest size in bytes. A byte order
    mark is dropped. Raises UserError for a file that is absent, not a plain file, too large,
    empty, not UTF-8, or that holds NUL characters.
    """
    size = file_size(path, name)
    if size > limit:
        raise UserError("file_too_large", Where(name), megabytes=_mb(size), limit=_mb(limit))
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise unreadable(name, problem) from problem
    return as_text(raw, name)


def file_size(path: Path, name: str) -> int:
    """Return the size in bytes of the plain file at `path`; raise UserError if it is not one."""
    try:
        status = path.stat()
    except FileNotFoundError as problem:
        raise UserError("path_missing", Where(name)) from problem
    except (OSError, ValueError) as problem:
        raise unreadable(name, problem) from problem
    if not stat.S_ISREG(status.st_mode):
        raise UserError("not_a_file", Where(name))
    return status.st_size


def as_text(raw: bytes, name: str) -> str:
    """Decode the bytes of a whole file as :func:`read_text` does."""
    text = decode(raw.removeprefix(BOM), name, 1).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UserError("file_empty", Where(name))
    return text


def decode(raw: bytes, name: str, line: int) -> str:
    """Decode UTF-8 bytes that begin at line `line` of the file `name`.

    Hangul decomposed into jamo, as some editors write it, is composed, so that one title has one
    spelling. Raises UserError naming the line and the byte in that line (from 1) that is not
    UTF-8, or the line that holds a NUL character.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        start = raw.rfind(b"\n", 0, problem.start) + 1
        at = Where(name, line + raw.count(b"\n", 0, problem.start))
        raise UserError("not_utf8", at, byte=problem.start - start + 1) from problem
    if "\0" in text:
        raise UserError("nul_character", Where(name, line + text[: text.index("\0")].count("\n")))
    return unicodedata.normalize("NFC", text) if _JAMO.search(text) else text


def unreadable(name: str, problem: Exception) -> UserError:
    """Return the error for a file that the operating system does not let us read."""
    reason = getattr(problem, "strerror", None) or str(problem)
    return UserError("file_unreadable", Where(name), reason=reason)


def _mb(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}"
