"""Reading of untrusted zip and tar archives: names, links, passwords and damage.

Checks of an archive's listing before it is unpacked.

Each entry is added by name and claimed size, and refused if unsafe, too large or implausible. As
claims may be false, written bytes are counted again.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from typing import IO, Any, BinaryIO, Protocol, cast

from corpus.files.given_paths import SHORT
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


class ArchiveListing:
    """Listing of an archive, counted entry by entry against the limits."""

    def __init__(self, archive: str, limits: Limits, accepts: Wanted) -> None:
        self.archive, self.limits, self._wanted = archive, limits, accepts
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
        """Return the error for an archive with too many files."""
        return UserError("upload_too_many", Where(file=self.archive), limit=self.limits.files)

    def check_paths(self) -> None:
        """Raise UserError for a name of both a file and a folder."""
        for path in self._paths:
            if not self._paths.isdisjoint(path.parents):
                raise UserError("upload_name_twice", Where(file=f"{self.archive}: {path}"))

    def check_ratio(self, packed: int, unpacked: int) -> None:
        """Raise UserError for an implausible compression ratio, unless the content is small."""
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
    """Return where to write a file: its `safe_path`, which may raise, with a lower-case ending."""
    path = safe_path(name)
    return path.with_suffix(path.suffix.lower())


def safe_path(name: str) -> PurePosixPath:
    """Return `name` as a relative path in composed (NFC) Hangul; raise UserError for an unsafe one.

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


# Errors of the library for a damaged archive; ValueError for offsets outside the file.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, ValueError),
)
_TAR_DAMAGE = (*_DAMAGE, tarfile.TarError, OverflowError, MemoryError, RecursionError)
_CHUNK = 1 << 20
_SLACK = 4096  # header and padding per file in a tar archive
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1
_PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


class Packed(Protocol):
    """One file in an archive, under its intended name."""

    @property
    def name(self) -> str:
        """Name in the archive, untrusted."""

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Yield the content. Raises UserError where it is encrypted or damaged."""


@contextmanager
def archived(content: BinaryIO, listing: ArchiveListing) -> Iterator[Iterator[Packed]]:
    """Yield the files of an archive, zip or tar by its name.

    Names and sizes are checked first, by `listing`; those of a compressed tar archive, while it is
    unpacked. Raises UserError for what `listing` refuses, and for an archive that is
    damaged or holds links or unreadable names.
    """
    name = listing.archive
    if name.lower().endswith(".zip"):
        listing.check_zip(content)
        with opened_archive(content, name) as archive:
            yield iter(_checked_entries(archive, listing))
        return
    with tempfile.TemporaryFile(prefix="touchstone-archive-") as plain:
        _unpack_tar(content, plain, listing)
        yield _tar_entries(plain, name)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file in a zip archive, under its intended name."""

    name: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def is_encrypted(self) -> bool:
        """Whether it needs a password."""
        return bool(self.info.flag_bits & _ENCRYPTED_FLAG)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the content. Raises UserError where it is encrypted or damaged."""
        shown = Where(file=self.name)
        if self.is_encrypted:
            raise UserError("upload_encrypted", shown)
        try:
            with self.archive.open(self.info) as content:
                yield cast(BinaryIO, content)
        except _DAMAGE as error:
            raise UserError("upload_not_a_zip", shown) from error
        except OSError as error:
            if error.errno is not None:  # the system's: the archive is not to blame
                raise
            raise UserError("upload_not_a_zip", shown) from error  # what bz2 says of damage


@contextmanager
def opened_archive(content: IO[bytes], name: str) -> Iterator[zipfile.ZipFile]:
    """Yield the zip archive in `content`. Raises UserError if it is damaged."""
    try:
        archive = zipfile.ZipFile(content)
    except _DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    with archive:
        yield archive


def _checked_entries(archive: zipfile.ZipFile, listing: ArchiveListing) -> list[Entry]:
    """Return all files of a zip, unwanted ones too, once its whole listing is checked."""
    found = []
    packed = unpacked = 0
    for entry in entries(archive, listing.archive):
        if listing.add(entry.name, entry.info.file_size):
            if entry.is_encrypted:
                raise UserError("upload_encrypted", Where(file=entry.name))
            packed += entry.info.compress_size
            unpacked += entry.info.file_size
        found.append(entry)
    listing.check_paths()
    listing.check_ratio(packed, unpacked)
    return found


def entries(archive: zipfile.ZipFile, name: str) -> Iterator[Entry]:
    """Yield the archive's files in order, without folders.

    Raises UserError for a symbolic link or an unreadable name.
    """
    for info in archive.infolist():
        if info.is_dir():
            continue
        shown = entry_name(info, name)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise UserError("upload_link", Where(file=f"{name}: {shown}"))
        yield Entry(shown, archive, info)


def entry_name(info: zipfile.ZipInfo, archive_name: str) -> str:
    """Return the entry's name as intended by its maker.

    The library decodes names without a UTF-8 flag as code page 437. Korean Windows writes code page
    949 there and macOS writes UTF-8, both without a flag. UTF-8 is tried first: text in code page
    949 is practically never valid UTF-8.
    """
    name = info.orig_filename
    if info.flag_bits & _UTF8_FLAG or name.isascii():
        return name
    return _decoded(name.encode("cp437"), archive_name, name)


def _decoded(raw: bytes, archive_name: str, name: str) -> str:
    """Return a name in an archive. Raises UserError, with the `name` as read, if unreadable."""
    for encoding in ("utf-8", "cp949"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    raise UserError("upload_name_unreadable", Where(file=archive_name), name=name)


@dataclass(frozen=True, slots=True)
class TarEntry:
    """One file in a tar archive."""

    name: str
    archive: tarfile.TarFile
    info: tarfile.TarInfo

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the content. Raises UserError where it is damaged."""
        try:
            content = self.archive.extractfile(self.info)
            assert content is not None  # noqa: S101  (only plain files become entries)
            with content:
                yield cast(BinaryIO, content)
        except _TAR_DAMAGE as error:
            raise UserError("upload_not_a_zip", Where(file=self.name)) from error


class _Unpacking:
    """Reader that decompresses a tar archive and copies it to a plain file."""

    def __init__(self, source: Any, content: BinaryIO, plain: IO[bytes], listing: ArchiveListing):
        self._source, self._content, self._plain = source, content, plain
        self._listing, self._size = listing, 0
        self._most = listing.limits.total_bytes + _SLACK * listing.limits.files

    def read(self, size: int = _CHUNK) -> bytes:
        """Read on and write it to `plain`. Raises UserError past the limits of size and ratio."""
        chunk: bytes = self._source.read(size)
        self._size += len(chunk)
        if self._size > self._most:
            raise too_large(Where(file=self._listing.archive), self._listing.limits)
        self._listing.check_ratio(self._content.tell(), self._size)
        self._plain.write(chunk)
        return chunk


def _unpack_tar(content: BinaryIO, plain: IO[bytes], listing: ArchiveListing) -> None:
    """Write a tar archive to `plain`, decompressed and checked; raise UserError for a bad one."""
    name = listing.archive
    ending = PurePath(name.lower()).suffix
    unpack = _PACKED.get(SHORT.get(ending, ending))
    try:
        source = unpack(content) if unpack else content
        reading = _Unpacking(source, content, plain, listing)
        _check_tar(reading, listing)
        while reading.read():
            pass
    except _TAR_DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    except OSError as error:
        if error.errno is not None:  # the system's: the archive is not to blame
            raise UserError(
                "upload_not_kept", Where(file=name), reason=error.strerror or str(error)
            ) from error
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    plain.seek(0)


def _check_tar(reading: _Unpacking, listing: ArchiveListing) -> None:
    """Check each header when it is unpacked, before its content."""
    name = listing.archive
    with tarfile.open(fileobj=cast(Any, reading), mode="r|", encoding="utf-8") as archive:
        for info in archive:
            if _is_plain(info, name):
                listing.add(_tar_name(info, name), info.size)
            else:
                listing.count_entry()
    listing.check_paths()


def _is_plain(info: tarfile.TarInfo, name: str) -> bool:
    """Return True for a regular file. Raises UserError for a link."""
    if info.issym() or info.islnk():
        raise UserError("upload_link", Where(file=f"{name}: {_tar_name(info, name)}"))
    return info.isfile()


def _tar_entries(plain: IO[bytes], name: str) -> Iterator[TarEntry]:
    """Yield the files in a tar. Raises UserError for a damaged one."""
    try:
        with tarfile.open(fileobj=plain, mode="r:", encoding="utf-8") as archive:
            for info in archive:
                if _is_plain(info, name):
                    yield TarEntry(_tar_name(info, name), archive, info)
    except _TAR_DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error


def _tar_name(info: tarfile.TarInfo, archive_name: str) -> str:
    """Return an entry's name in a tar archive. Raises UserError if its encoding is unknown."""
    raw = info.name.encode("utf-8", "surrogateescape")
    return _decoded(raw, archive_name, ascii(info.name))
