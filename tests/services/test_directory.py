from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from typing import BinaryIO

import pytest

import services.archives
from errors import UserError
from services.directory import ENTRIES_PER_FILE, MIB, Directory, Limits
from services.uploads import Upload, staged_tree


class Watched(io.BytesIO):
    """Bytes that count how many of them were read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        self.taken += len(chunk)
        return chunk


def zipped(files: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def tarred(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def refused(content: BinaryIO, name: str, limits: Limits) -> UserError:
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
    assert refused(io.BytesIO(data), f"law{ending}", SMALL).code == code


@pytest.mark.parametrize("name", ["law.zip", "law.tar.gz"])
def test_the_error_names_the_archive_and_the_file_in_it(name: str) -> None:
    files = [("kr/a.md", b"a"), ("kr/b.md", bytes(5 * MIB))]
    data = zipped(files) if name.endswith("zip") else gzip.compress(tarred(*files))
    assert refused(io.BytesIO(data), name, SMALL).where.file == f"{name}: kr/b.md"


def test_a_zip_bomb_is_refused_by_its_ratio_though_each_size_is_allowed() -> None:
    data = zipped((f"{n}.md", bytes(3 * MIB)) for n in range(4))
    assert refused(io.BytesIO(data), "law.zip", Limits()).code == "upload_bomb"


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_a_packed_tar_bomb_is_unpacked_no_further_than_the_header_that_gives_it_away(
    ending: str,
) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
    }
    info = tarfile.TarInfo("a.md")
    info.size = 1 << 40
    content = Watched(packers[ending](info.tobuf() + os.urandom(3 * MIB)))
    assert refused(content, f"law.tar{ending}", Limits()).code == "upload_file_large"
    assert content.taken < 2 * MIB


def test_a_packed_stream_of_nothing_is_refused_by_its_ratio() -> None:
    files = [(f"{n}.md", bytes(3 * MIB)) for n in range(8)]
    content = io.BytesIO(lzma.compress(tarred(*files)))
    assert refused(content, "law.tar.xz", Limits()).code == "upload_bomb"


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
    assert refused(io.BytesIO(bytes(data)), "law.zip", SMALL).code == "upload_too_many"


def test_a_zip_of_more_entries_than_the_old_form_can_count_is_counted() -> None:
    data = zipped(((f"{n}.txt", b"") for n in range(65_600)), zipfile.ZIP_STORED)
    limits = Limits(files=16_000)
    found = refused(io.BytesIO(data), "law.zip", limits)
    assert (found.code, found.where.file) == ("upload_too_many", "law.zip")
    assert refused(io.BytesIO(data), "law.zip", Limits()).code == "upload_nothing"


def test_text_that_packs_well_passes() -> None:
    text = "".join(f"제{n}조(목적) 이 법은 목적을 정한다.\n" for n in range(60_000)).encode()
    files = [(f"{n}.md", text) for n in range(4)]
    for name, data in (("a.zip", zipped(files)), ("a.tar.gz", gzip.compress(tarred(*files)))):
        with staged_tree([Upload(name, io.BytesIO(data))]) as staged:
            assert staged.files == 4


def test_what_lies_beside_the_files_is_counted_as_left_out() -> None:
    directory = Directory("a.zip", SMALL, lambda name: name.endswith(".md"))
    assert [directory.add(name, 1) for name in ("a.md", "b.txt")] == [True, False]
    assert (directory.files, directory.bytes) == (1, 1)
