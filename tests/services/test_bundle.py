from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

from services.bundle import FileLine, exports_folder, listing, zipped
from storage.db.workspace import Workspace


def filled(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_bytes(b"")
    (folder / "corpus.jsonl").write_bytes(b"{}\n")
    return folder


def test_files_are_listed_by_path_with_size_and_hash(tmp_path: Path):
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    first, second = listing(filled(tmp_path / "a"))
    assert (first.name, first.size) == ("corpus.jsonl", 3)
    assert second == FileLine("qrels/test.tsv", 0, empty)
    assert listing(exports_folder(Workspace(tmp_path), "p")) == []
    filled(tmp_path / "exports" / "p")
    assert listing(exports_folder(Workspace(tmp_path), "p")) == [first, second]


def test_equal_files_make_the_same_archive_whenever_they_were_written(tmp_path: Path):
    one, two = filled(tmp_path / "a"), filled(tmp_path / "b")
    os.utime(two / "corpus.jsonl", (0, 0))
    assert zipped(one) == zipped(two)
    with zipfile.ZipFile(io.BytesIO(zipped(one))) as archive:
        assert archive.namelist() == ["corpus.jsonl", "qrels/test.tsv"]
        assert archive.read("corpus.jsonl") == b"{}\n"


def test_what_a_killed_export_left_behind_is_not_part_of_it(tmp_path: Path):
    folder = filled(tmp_path / "a")
    whole = listing(folder), zipped(folder)
    (folder / ".part-x1").mkdir()
    (folder / ".part-x1" / "corpus.jsonl").write_bytes(b"half")
    assert (listing(folder), zipped(folder)) == whole
