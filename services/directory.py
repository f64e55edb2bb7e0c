"""Checks of an archive's listing before it is unpacked.

Each entry is added by name and claimed size, and refused if unsafe, too large or implausible. As
claims may be false, written bytes are counted again.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Protocol

from errors import UserError, Where
from normalization import composed

MIB = 1 << 20
RATIO = 200
"""Maximum compression ratio of an archive, past the first `RATIO_FROM` bytes."""
RATIO_FROM = 8 * MIB
ENTRIES_PER_FILE = 4  # allowance for folders and metadata beside the wanted files
_MAX_PART_BYTES = 255  # limit of file systems for one name
_MAX_PATH_BYTES = 1024
_END, _END_SIZE = b"PK\5\6", 22
_LOCATOR, _LOCATOR_SIZE = b"PK\6\7", 20
_END_64, _END_64_SIZE = b"PK\6\6", 56
_HEADER = b"PK\1\2"
_MAX_COMMENT = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one upload: number of files, bytes per file, bytes in all."""

    files: int = 20_000
    file_bytes: int = 64 * MIB
    total_bytes: int = 512 * MIB


class Wanted(Protocol):
    """Predicate on a file's name for the kinds that are read."""

    def __call__(self, name: str) -> bool:
        """Return True if wanted. Raises UserError for any unsafe name."""


class Directory:
    """Listing of an archive, counted entry by entry against the limits."""

    def __init__(self, archive: str, limits: Limits, wanted: Wanted) -> None:
        self.archive, self.limits, self._wanted = archive, limits, wanted
        self.files = self.bytes = self._entries = 0
        self._paths: set[PurePosixPath] = set()

    def add(self, name: str, size: int) -> bool:
        """Count one file, and return True if it is wanted.

        Raises UserError for an unsafe or repeated name, or where it exceeds a limit.
        """
        self.count_entry()
        where = Where(file=f"{self.archive}: {name}")
        if not self._wanted(name):
            return False
        self.files += 1
        self.bytes += size
        if self.files > self.limits.files:
            raise UserError("upload_too_many", where, limit=self.limits.files)
        if size > self.limits.file_bytes:
            raise UserError("upload_file_large", where, limit=self.limits.file_bytes // MIB)
        if self.bytes > self.limits.total_bytes:
            raise too_large(where, self.limits)
        path = kept_path(name)
        if path in self._paths:
            raise UserError("upload_name_twice", where)
        self._paths.add(path)
        return True

    def count_entry(self) -> None:
        """Count one entry of any kind. Raises UserError for too many."""
        self._entries += 1
        if self._entries > self.limits.files * ENTRIES_PER_FILE:
            raise self._too_many()

    def _too_many(self) -> UserError:
        return UserError("upload_too_many", Where(file=self.archive), limit=self.limits.files)

    def check_paths(self) -> None:
        """Raise UserError for a name of both a file and a folder."""
        for path in self._paths:
            if not self._paths.isdisjoint(path.parents):
                raise UserError("upload_name_twice", Where(file=f"{self.archive}: {path}"))

    def check_ratio(self, packed: int, unpacked: int) -> None:
        """Raise UserError for an implausible compression ratio."""
        if unpacked > RATIO_FROM and unpacked > packed * RATIO:
            where = Where(file=self.archive)
            raise UserError("upload_bomb", where, ratio=RATIO, size=unpacked // MIB)

    def check_zip(self, content: IO[bytes]) -> None:
        """Raise UserError for a zip with too many entries, before reading them."""
        most = self.limits.files * ENTRIES_PER_FILE
        count, size = _end_of_zip(content)
        if count > most or (size > most and _count_headers(content, size, most) > most):
            raise self._too_many()


def too_large(where: Where, limits: Limits) -> UserError:
    """Return the error for an archive that unpacks to too much."""
    return UserError("upload_large", where, limit=limits.total_bytes // MIB)


def _end_of_zip(content: IO[bytes]) -> tuple[int, int]:
    """Return the listing's claimed number of entries and its bytes; 0 and 0 if absent."""
    whole = content.seek(0, 2)
    content.seek(max(0, whole - _MAX_COMMENT - _END_SIZE - _LOCATOR_SIZE - _END_64_SIZE))
    tail = content.read()
    content.seek(0)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_SIZE:
        return 0, 0
    count, size = struct.unpack_from("<HL", tail, at + 10)
    wide = at - _LOCATOR_SIZE - _END_64_SIZE
    if (
        wide >= 0
        and tail.startswith(_LOCATOR, at - _LOCATOR_SIZE)
        and tail.startswith(_END_64, wide)
    ):
        count, size = struct.unpack_from("<QQ", tail, wide + 32)
    return count, size


def _count_headers(content: IO[bytes], size: int, most: int) -> int:
    """Count the entries in the last `size` bytes, stopping past `most`."""
    whole = content.seek(0, 2)
    content.seek(max(0, whole - size - _MAX_COMMENT - _END_SIZE - _LOCATOR_SIZE - _END_64_SIZE))
    found, last = 0, b""
    while found <= most and (chunk := content.read(MIB)):
        found += (last + chunk).count(_HEADER)
        last = chunk[-3:]
    content.seek(0)
    return found


def kept_path(name: str) -> PurePosixPath:
    """Return the path to write a file to, with its ending in lower case."""
    path = safe_path(name)
    return path.with_suffix(path.suffix.lower())


def safe_path(name: str) -> PurePosixPath:
    """Return the relative path that `name` claims, in composed (NFC) Hangul.

    Raises UserError for a name that is absolute, contains ``..`` or control characters, or is too
    long for a file system.
    """
    path = composed(name).replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    unsafe = (
        path.startswith("/")
        or re.match(r"[A-Za-z]:", path) is not None
        or ".." in parts
        or not parts
        or any(unicodedata.category(char) in ("Cc", "Cs") for char in path)
    )
    if unsafe:
        raise UserError("upload_name_unsafe", Where(file=name))
    sizes = [len(part.encode()) for part in parts]
    if max(sizes) > _MAX_PART_BYTES or sum(sizes) > _MAX_PATH_BYTES:
        raise UserError("upload_name_long", Where(file=name))
    return PurePosixPath(*parts)
