"""Reading of untrusted zip and tar archives: names, links, passwords and damage."""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, Any, BinaryIO, Protocol, cast

from corpus.files.archive_names import SHORT
from errors import UserError, Where
from services.directory import Directory, too_large

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
def archived(content: BinaryIO, directory: Directory) -> Iterator[Iterator[Packed]]:
    """Yield the files of an archive, zip or tar by its name.

    The archive's listing is checked first, by `directory`; for a compressed tar archive, which has
    none, while unpacking. Raises UserError for what `directory` refuses, and for an archive that is
    damaged or holds links or unreadable names.
    """
    name = directory.archive
    if name.lower().endswith(".zip"):
        directory.check_zip(content)
        with opened_archive(content, name) as archive:
            yield iter(_checked_entries(archive, directory))
        return
    with tempfile.TemporaryFile(prefix="touchstone-archive-") as plain:
        _unpack_tar(content, plain, directory)
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


def _checked_entries(archive: zipfile.ZipFile, directory: Directory) -> list[Entry]:
    """Return the files of a zip after checking its whole listing."""
    found = []
    packed = unpacked = 0
    for entry in entries(archive, directory.archive):
        if directory.add(entry.name, entry.info.file_size):
            if entry.is_encrypted:
                raise UserError("upload_encrypted", Where(file=entry.name))
            packed += entry.info.compress_size
            unpacked += entry.info.file_size
        found.append(entry)
    directory.check_paths()
    directory.check_ratio(packed, unpacked)
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
    raw = name.encode("cp437")
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
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

    def __init__(self, source: Any, content: BinaryIO, plain: IO[bytes], directory: Directory):
        self._source, self._content, self._plain = source, content, plain
        self._directory, self._size = directory, 0
        self._most = directory.limits.total_bytes + _SLACK * directory.limits.files

    def read(self, size: int = _CHUNK) -> bytes:
        """Read on. Raises UserError past the limits, or for an implausible compression ratio."""
        chunk: bytes = self._source.read(size)
        self._size += len(chunk)
        if self._size > self._most:
            raise too_large(Where(file=self._directory.archive), self._directory.limits)
        self._directory.check_ratio(self._content.tell(), self._size)
        self._plain.write(chunk)
        return chunk


def _unpack_tar(content: BinaryIO, plain: IO[bytes], directory: Directory) -> None:
    name = directory.archive
    ending = PurePath(name.lower()).suffix
    unpack = _PACKED.get(SHORT.get(ending, ending))
    try:
        source = unpack(content) if unpack else content
        reading = _Unpacking(source, content, plain, directory)
        _check_tar(reading, directory)
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


def _check_tar(reading: _Unpacking, directory: Directory) -> None:
    """Check each header when it is unpacked, before its content."""
    name = directory.archive
    with tarfile.open(fileobj=cast(Any, reading), mode="r|", encoding="utf-8") as archive:
        for info in archive:
            if _is_plain(info, name):
                directory.add(_tar_name(info, name), info.size)
            else:
                directory.count_entry()
    directory.check_paths()


def _is_plain(info: tarfile.TarInfo, name: str) -> bool:
    """Return True for a regular file. Raises UserError for a link."""
    if info.issym() or info.islnk():
        raise UserError("upload_link", Where(file=f"{name}: {_tar_name(info, name)}"))
    return info.isfile()


def _tar_entries(plain: IO[bytes], name: str) -> Iterator[TarEntry]:
    try:
        with tarfile.open(fileobj=plain, mode="r:", encoding="utf-8") as archive:
            for info in archive:
                if _is_plain(info, name):
                    yield TarEntry(_tar_name(info, name), archive, info)
    except _TAR_DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error


def _tar_name(info: tarfile.TarInfo, archive_name: str) -> str:
    raw = info.name.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UserError("upload_name_unreadable", Where(file=archive_name), name=ascii(info.name))
