"""Reading zip archives that nobody vouches for: names, links, passwords and damage."""

from __future__ import annotations

import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from errors import UserError, Where

# All that the library raises for a damaged archive; ValueError for places outside the file.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, ValueError),
)
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1


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
