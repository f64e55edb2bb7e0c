from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest

from errors import UserError
from services.archives import archived, entries, opened_archive
from services.directory import Directory, Limits


def anything(name: str) -> bool:
    return True


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def named_raw(raw: bytes) -> bytes:
    """Return an archive whose one entry has the bytes `raw` as its name, without the UTF-8 flag."""
    plain = b"x" * len(raw)
    return zipped({plain.decode(): b"law"}).replace(plain, raw)


def read(data: bytes) -> dict[str, bytes]:
    found = {}
    with opened_archive(io.BytesIO(data), "a.zip") as archive:
        for entry in entries(archive, "a.zip"):
            with entry.open() as content:
                found[entry.name] = content.read()
    return found


def refused(data: bytes) -> str:
    with pytest.raises(UserError) as caught:
        read(data)
    return caught.value.code


def test_files_are_read_and_folders_left_out():
    assert read(zipped({"가법/": b"", "가법/법률.md": b"law"})) == {"가법/법률.md": b"law"}


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_korean_names_without_a_stated_encoding_are_read(encoding: str):
    assert list(read(named_raw("소방시설법/법률.md".encode(encoding)))) == ["소방시설법/법률.md"]


def test_a_name_in_no_known_encoding_is_refused():
    assert refused(named_raw(b"\xff\xff\xfe.md")) == "upload_name_unreadable"


def test_a_link_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert refused(out.getvalue()) == "upload_link"


@pytest.mark.parametrize(
    "data",
    [b"", b"no zip at all", b"PK\x03\x04 cut", zipped({"a": b""})[:-5]],
    ids=["empty", "text", "head", "cut"],  # an archive holds the time, a name must not
)
def test_what_is_no_whole_archive_is_refused(data: bytes):
    assert refused(data) == "upload_not_a_zip"


def test_a_damaged_entry_is_refused():
    data = bytearray(zipped({"a.md": b"law of the land" * 50}))
    data[45] ^= 0xFF
    assert refused(bytes(data)) == "upload_not_a_zip"


def test_an_encrypted_entry_is_refused():
    data = bytearray(zipped({"a.md": b"law"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refused(bytes(data)) == "upload_encrypted"


def tarred(*entries: tuple[str, bytes], format: int = tarfile.PAX_FORMAT, **how: str) -> bytes:  # noqa: A002
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format, **how) as archive:  # type: ignore[call-overload]
        for name, content in entries:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def read_tar(data: bytes, name: str = "a.tar", limit: int = 1 << 20) -> dict[str, bytes]:
    found = {}
    limits = Limits(total_bytes=limit)
    with archived(io.BytesIO(data), Directory(name, limits, anything)) as files:
        for entry in files:
            with entry.open() as content:
                found[entry.name] = content.read()
    return found


def tar_refused(data: bytes, name: str = "a.tar") -> str:
    with pytest.raises(UserError) as caught:
        read_tar(data, name)
    return caught.value.code


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_a_tar_archive_has_its_names_read(encoding: str) -> None:
    data = tarred(("소방시설법/법률.md", b"law"), format=tarfile.USTAR_FORMAT, encoding=encoding)
    assert read_tar(data) == {"소방시설법/법률.md": b"law"}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_a_link_in_a_tar_archive_is_refused(kind: bytes) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        link = tarfile.TarInfo("link.md")
        link.type, link.linkname = kind, "/etc/passwd"
        archive.addfile(link)
    assert tar_refused(out.getvalue()) == "upload_link"


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz"])
def test_a_packed_tar_bomb_stops_at_the_limit(name: str) -> None:
    bomb = gzip.compress(tarred(*((f"{n}.md", os.urandom(300_000)) for n in range(12))))
    assert tar_refused(bomb, name) == "upload_large"


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tar.xz", "a.tar.bz2"])
def test_what_is_no_tar_archive_is_refused(name: str) -> None:
    assert tar_refused(b"law" * 999, name) == "upload_not_a_zip"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_whatever_byte_of_a_tar_archive_is_damaged_the_error_is_one_to_mend(
    pack: Callable[[bytes], bytes],
) -> None:
    ending = {bytes: "", gzip.compress: ".gz", lzma.compress: ".xz", bz2.compress: ".bz2"}[pack]
    whole = pack(tarred(("법률.md", b"law" * 50), ("령.md", b"rule")))
    for at in range(0, len(whole), max(1, len(whole) // 150)):
        bent = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        for data in (bent, whole[:at]):
            with suppress(UserError):
                read_tar(data, f"a.tar{ending}")
