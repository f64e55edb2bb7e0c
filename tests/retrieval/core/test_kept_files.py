"""Damage to the files of a kept index is noticed; what is whole is not read through."""

from __future__ import annotations

import json
import os

import pytest

from retrieval.core import kept_files
from retrieval.core.kept_files import described, require_sound


@pytest.fixture
def manifest(tmp_path):
    """Return the manifest of two files, written when both were complete."""
    (tmp_path / "in").mkdir()
    (tmp_path / "weights").write_bytes(bytes(range(200)))
    (tmp_path / "in" / "terms").write_bytes(b"")
    files = described(tmp_path)
    manifest = tmp_path / "manifest"
    manifest.write_text(json.dumps(files))
    later = (tmp_path / "weights").stat().st_mtime_ns + 10
    os.utime(manifest, ns=(later, later))
    return manifest


def check(manifest):
    require_sound(manifest, json.loads(manifest.read_text()))


def turn_a_bit(manifest, after: int):
    """Change one file, as of so many nanoseconds after the manifest was written."""
    file = manifest.parent / "weights"
    data = bytearray(file.read_bytes())
    data[100] ^= 4
    file.write_bytes(bytes(data))
    written = manifest.stat().st_mtime_ns + after
    os.utime(file, ns=(written, written))


def test_files_as_they_were_written_are_sound(manifest) -> None:
    assert set(json.loads(manifest.read_text())) == {"weights", "in/terms"}
    check(manifest)


@pytest.mark.parametrize("after", [0, 1])
def test_one_turned_bit_is_noticed(manifest, after) -> None:
    turn_a_bit(manifest, after)
    with pytest.raises(ValueError, match="weights has been changed"):
        check(manifest)


def test_a_large_file_is_read_through_only_when_somebody_wrote_to_it(manifest, monkeypatch) -> None:
    monkeypatch.setattr(kept_files, "ALWAYS_READ", 10)
    turn_a_bit(manifest, after=-1)
    check(manifest)
    turn_a_bit(manifest, after=1)
    check(manifest)  # read, and found to be whole again
    turn_a_bit(manifest, after=1)
    with pytest.raises(ValueError, match="weights has been changed"):
        check(manifest)


def test_cut_and_missing_files_are_noticed(manifest) -> None:
    file = manifest.parent / "weights"
    file.write_bytes(b"0")
    with pytest.raises(ValueError, match="weights has another size"):
        check(manifest)
    file.unlink()
    with pytest.raises(FileNotFoundError):
        check(manifest)
