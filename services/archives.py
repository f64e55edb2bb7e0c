"""Reading zip and tar archives that nobody vouches for: names, links, passwords and damage."""

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

from errors import UserError, Where

# All that the library raises for a damaged archive; ValueError for places outside the file.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, ValueError),
)
_TAR_DAMAGE = (*_DAMAGE, tarfile.TarError, OverflowError, MemoryError, RecursionError)
_CHUNK = 1 << 20
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1
_PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_SHORT = {".tgz": ".gz", ".tbz": ".bz2", ".tbz2": ".bz2", ".txz": ".xz"}
ARCHIVES = (".zip", ".tar", *(f".tar{ending}" for ending in _PACKED), *_SHORT)
"""The endings of archives that are read."""


class Packed(Protocol):
    """One file in an archive, under the name its maker meant."""

    @property
    def name(self) -> str:
        """The name, as the archive has it: not to be trusted."""

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Yield the bytes. Raises UserError where they are encrypted or damaged."""


def is_archive(name: str) -> bool:
    """Whether a file's name has the ending of an archive that is read."""
    return name.lower().endswith(ARCHIVES)


def archive_stem(name: str) -> str:
    """Return the name of an archive without its ending; any other name as it is."""
    found = [ending for ending in ARCHIVES if name.lower().endswith(ending)]
    return name[: -max(map(len, found))] if found else name


@contextmanager
def archived(content: BinaryIO, name: str, limit: int) -> Iterator[Iterator[Packed]]:
    """Yield the files of the archive in `content`, zip or tar as its name says.

    A packed tar archive is unpacked to at most `limit` bytes. Raises UserError for one that is
    larger, damaged, or holds links or names that cannot be read.
    """
    if name.lower().endswith(".zip"):
        with opened_archive(content, name) as archive:
            yield iter(entries(archive, name))
        return
    with tempfile.TemporaryFile(prefix="touchstone-archive-") as plain:
        _unpack_tar(content, plain, name, limit)
        yield _tar_entries(plain, name)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file in an archive, under the name its maker meant."""

    name: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the entry's bytes. Raises UserError where it is encrypted or damaged."""
        shown = Where(file=self.name)
        if self.info.flag_bits & _ENCRYPTED_FLAG:
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
    """Yield the archive in `content`. Raises UserError if it is not a whole zip file."""
    try:
        archive = zipfile.ZipFile(content)
    except _DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    with archive:
        yield archive


def entries(archive: zipfile.ZipFile, name: str) -> Iterator[Entry]:
    """Yield the archive's files in their order; folders are left out.

    Raises UserError for a symbolic link or a name that cannot be read.
    """
    for info in archive.infolist():
        if info.is_dir():
            continue
        shown = entry_name(info, name)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise UserError("upload_link", Where(file=f"{name}: {shown}"))
        yield Entry(shown, archive, info)


def entry_name(info: zipfile.ZipInfo, archive_name: str) -> str:
    """Return the entry's name as its maker meant it.

    A zip that does not say UTF-8 is read by the library as code page 437. Korean Windows writes
    code page 949 there and macOS writes UTF-8, both without saying so. UTF-8 is tried first:
    text in code page 949 is practically never valid UTF-8.
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
        """Yield the entry's bytes. Raises UserError where it is damaged."""
        try:
            content = self.archive.extractfile(self.info)
            assert content is not None  # noqa: S101  (only plain files become entries)
            with content:
                yield cast(BinaryIO, content)
        except _TAR_DAMAGE as error:
            raise UserError("upload_not_a_zip", Where(file=self.name)) from error


def _unpack_tar(content: BinaryIO, plain: IO[bytes], name: str, limit: int) -> None:
    ending = PurePath(name.lower()).suffix
    unpack = _PACKED.get(_SHORT.get(ending, ending))
    try:
        source = unpack(content) if unpack else content
        size = 0
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise UserError("upload_large", Where(file=name), limit=limit >> 20)
            plain.write(chunk)
    except _TAR_DAMAGE as error:
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    except OSError as error:
        if error.errno is not None:  # the system's: the archive is not to blame
            raise UserError(
                "upload_not_kept", Where(file=name), reason=error.strerror or str(error)
            ) from error
        raise UserError("upload_not_a_zip", Where(file=name)) from error
    plain.seek(0)


def _tar_entries(plain: IO[bytes], name: str) -> Iterator[TarEntry]:
    try:
        with tarfile.open(fileobj=plain, mode="r:", encoding="utf-8") as archive:
            for info in archive:
                if info.issym() or info.islnk():
                    shown = _tar_name(info, name)
                    raise UserError("upload_link", Where(file=f"{name}: {shown}"))
                if info.isfile():
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
