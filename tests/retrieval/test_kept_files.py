"""Damage to the files of a kept index is noticed; what is whole is not read through."""

from __future__ import annotations

import os

import pytest

from retrieval import kept_files
from retrieval.kept_files import described, require_sound


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "weights").write_bytes(bytes(range(200)))
    (tmp_path / "in" / "terms").write_bytes(b"")
    return tmp_path


def changed(folder, keep_time: bool):
    """Turn one bit, and put the time of writing back where `keep_time`."""
    file = folder / "weights"
    written = file.stat().st_mtime_ns
    data = bytearray(file.read_bytes())
    data[100] ^= 4
    file.write_bytes(bytes(data))
    os.utime(file, ns=(written, written if keep_time else written + 1))


def test_files_as_they_were_written_are_sound(folder) -> None:
    files = described(folder)
    assert set(files) == {"weights", "in/terms"}
    require_sound(folder, files)


@pytest.mark.parametrize("keep_time", [True, False])
def test_one_turned_bit_is_noticed(folder, keep_time) -> None:
    files = described(folder)
    changed(folder, keep_time)
    with pytest.raises(ValueError, match="weights has been changed"):
        require_sound(folder, files)


def test_a_large_file_is_read_through_only_when_somebody_wrote_to_it(folder, monkeypatch) -> None:
    monkeypatch.setattr(kept_files, "ALWAYS_READ", 10)
    files = described(folder)
    changed(folder, keep_time=True)
    require_sound(folder, files)
    changed(folder, keep_time=False)
    changed(folder, keep_time=True)
    with pytest.raises(ValueError, match="weights has been changed"):
        require_sound(folder, files)


def test_cut_and_missing_files_are_noticed(folder) -> None:
    files = described(folder)
    (folder / "weights").write_bytes(b"0")
    with pytest.raises(ValueError, match="weights has another size"):
        require_sound(folder, files)
    (folder / "weights").unlink()
    with pytest.raises(FileNotFoundError):
        require_sound(folder, files)
