"""Archives: names and contents as they come, and hostile ones refused before they are laid out."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import BinaryIO

import pytest

import services.archives
from errors import UserError
from services.archives import (
    ENTRIES_PER_FILE,
    MIB,
    ArchiveListing,
    Limits,
    archived,
    entries,
    opened_archive,
)
from services.uploads import Upload, staged_tree


def anything(name: str) -> bool:
    return True


def zipped(files: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def named_raw(raw: bytes) -> bytes:
    """Return an archive whose one entry has the bytes `raw` as its name, without the UTF-8 flag."""
    plain = b"x" * len(raw)
    return zipped([(plain.decode(), b"law")]).replace(plain, raw)


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
    assert read(zipped([("가법/", b""), ("가법/법률.md", b"law")])) == {"가법/법률.md": b"law"}


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
    [b"", b"no zip at all", b"PK\x03\x04 cut", zipped([("a", b"")])[:-5]],
    ids=["empty", "text", "head", "cut"],  # an archive holds the time, a name must not
)
def test_what_is_no_whole_archive_is_refused(data: bytes):
    assert refused(data) == "upload_not_a_zip"


def test_a_damaged_entry_is_refused():
    data = bytearray(zipped([("a.md", b"law of the land" * 50)]))
    data[45] ^= 0xFF
    assert refused(bytes(data)) == "upload_not_a_zip"


def test_an_encrypted_entry_is_refused():
    data = bytearray(zipped([("a.md", b"law")]))
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
    with archived(io.BytesIO(data), ArchiveListing(name, limits, anything)) as files:
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


class Watched(io.BytesIO):
    """Bytes that count how many of them were read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        self.taken += len(chunk)
        return chunk


def staging_refused(content: BinaryIO, name: str, limits: Limits) -> UserError:
    with pytest.raises(UserError) as caught, staged_tree([Upload(name, content)], limits):
        pass
    for language in ("en", "ko"):
        assert caught.value.render(language)
    return caught.value


SMALL = Limits(files=4, file_bytes=4 * MIB, total_bytes=6 * MIB)
HOSTILE = {
    "too many": ([(f"{n}.md", b"") for n in range(5)], "upload_too_many"),
    "one too large": ([("a.md", b""), ("b.md", bytes(5 * MIB))], "upload_file_large"),
    "too large in all": ([(f"{n}.md", bytes(3 * MIB)) for n in range(3)], "upload_large"),
    "a name that climbs": ([("a.md", b"a"), ("../b.txt", b"")], "upload_name_unsafe"),
    "a name twice": ([("a.md", b"a"), ("a.MD", b"")], "upload_name_twice"),
    "a file that is a folder": ([("a.md/b.md", b"a"), ("a.md", b"")], "upload_name_twice"),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("ending", [".zip", ".tar"])
def test_what_an_archive_says_it_holds_is_refused_before_a_file_is_laid_out(
    case: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object) -> None:
        raise AssertionError("an entry was unpacked")

    monkeypatch.setattr(services.archives.Entry, "open", opened)
    monkeypatch.setattr(services.archives.TarEntry, "open", opened)
    files, code = HOSTILE[case]
    data = zipped(files) if ending == ".zip" else tarred(*files)
    assert staging_refused(io.BytesIO(data), f"law{ending}", SMALL).code == code


@pytest.mark.parametrize("name", ["law.zip", "law.tar.gz"])
def test_the_error_names_the_archive_and_the_file_in_it(name: str) -> None:
    files = [("kr/a.md", b"a"), ("kr/b.md", bytes(5 * MIB))]
    data = zipped(files) if name.endswith("zip") else gzip.compress(tarred(*files))
    assert staging_refused(io.BytesIO(data), name, SMALL).where.file == f"{name}: kr/b.md"


def test_a_zip_bomb_is_refused_by_its_ratio_though_each_size_is_allowed() -> None:
    data = zipped((f"{n}.md", bytes(3 * MIB)) for n in range(4))
    assert staging_refused(io.BytesIO(data), "law.zip", Limits()).code == "upload_bomb"


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_a_packed_tar_bomb_is_unpacked_no_further_than_the_header_that_gives_it_away(
    ending: str,
) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": partial(lzma.compress, preset=0),
    }
    info = tarfile.TarInfo("a.md")
    info.size = 1 << 40
    content = Watched(packers[ending](info.tobuf() + os.urandom(3 * MIB)))
    assert staging_refused(content, f"law.tar{ending}", Limits()).code == "upload_file_large"
    assert content.taken < 2 * MIB


def test_a_packed_stream_of_nothing_is_refused_by_its_ratio() -> None:
    files = [(f"{n}.md", bytes(3 * MIB)) for n in range(8)]
    content = io.BytesIO(lzma.compress(tarred(*files)))
    assert staging_refused(content, "law.tar.xz", Limits()).code == "upload_bomb"


@pytest.mark.parametrize("said", ["honest", "lying"])
def test_a_zip_of_too_many_entries_is_refused_before_they_are_read(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = SMALL.files * ENTRIES_PER_FILE
    data = bytearray(zipped((f"{n}.txt", b"") for n in range(most + 1)))
    if said == "lying":
        struct.pack_into("<HH", data, data.rindex(b"PK\5\6") + 8, 1, 1)

    def read(*_: object, **__: object) -> None:
        raise AssertionError("the directory was read")

    monkeypatch.setattr(zipfile, "ZipFile", read)
    assert staging_refused(io.BytesIO(bytes(data)), "law.zip", SMALL).code == "upload_too_many"


@pytest.mark.long
def test_a_zip_of_more_entries_than_the_old_form_can_count_is_counted() -> None:
    data = zipped(((f"{n}.txt", b"") for n in range(65_600)), zipfile.ZIP_STORED)
    limits = Limits(files=16_000)
    found = staging_refused(io.BytesIO(data), "law.zip", limits)
    assert (found.code, found.where.file) == ("upload_too_many", "law.zip")
    assert staging_refused(io.BytesIO(data), "law.zip", Limits()).code == "upload_nothing"


def test_text_that_packs_well_passes() -> None:
    text = "".join(f"제{n}조(목적) 이 법은 목적을 정한다.\n" for n in range(60_000)).encode()
    files = [(f"{n}.md", text) for n in range(4)]
    for name, data in (
        ("a.zip", zipped(files)),
        ("a.tar.gz", gzip.compress(tarred(*files))),
    ):
        with staged_tree([Upload(name, io.BytesIO(data))]) as staged:
            assert staged.files == 4


def test_what_lies_beside_the_files_is_counted_as_left_out() -> None:
    directory = ArchiveListing("a.zip", SMALL, lambda name: name.endswith(".md"))
    assert [directory.add(name, 1) for name in ("a.md", "b.txt")] == [True, False]
    assert (directory.files, directory.bytes) == (1, 1)
