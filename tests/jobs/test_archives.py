from __future__ import annotations

import io
import stat
import zipfile

import pytest

from errors import UserError
from jobs.archives import entries, opened_archive


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
    "data", [b"", b"no zip at all", b"PK\x03\x04 cut", zipped({"a": b""})[:-5]]
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
