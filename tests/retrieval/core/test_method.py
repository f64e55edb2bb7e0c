"""Damage to the files of a kept index is noticed; what is whole is not read through."""

from __future__ import annotations

import json
import os

import pytest

from corpus.graph.model import Graph
from retrieval.core import method
from retrieval.core.method import Resources, described, require_sound
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make


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
    monkeypatch.setattr(method, "ALWAYS_READ", 10)
    turn_a_bit(manifest, after=0)
    check(manifest)
    turn_a_bit(manifest, after=1)
    check(manifest)  # read, and found to be whole again
    turn_a_bit(manifest, after=1)
    with pytest.raises(ValueError, match="weights has been changed"):
        check(manifest)
    monkeypatch.setattr(method, "ALWAYS_READ", 200)
    os.utime(manifest.parent / "weights", ns=(0, 0))
    with pytest.raises(ValueError, match="weights has been changed"):
        check(manifest)


def test_cut_and_missing_files_are_noticed(manifest) -> None:
    file = manifest.parent / "weights"
    for other in (b"0", bytes(201)):
        file.write_bytes(other)
        with pytest.raises(ValueError, match="weights has another size"):
            check(manifest)
    file.unlink()
    with pytest.raises(FileNotFoundError):
        check(manifest)


CORPUS = Corpus.of(Document(f"u{at}", "소방법", heading="시설", body="소방") for at in range(7))


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(method, "EVERY", 3)


@pytest.mark.parametrize(
    "spec",
    [
        {"method": "bm25"},
        {"method": "bm25", "fields": "bm25f"},
        {"method": "tfidf"},
        {"method": "lsa", "dimensions": 2},
        {"method": "family"},
        {"method": "headings"},
        {"method": "cited_as"},
    ],
)
def test_cutting_tells_how_many_texts_are_done(spec):
    told = []
    using = Resources(graph=lambda: Graph({}, []), progress=lambda *each: told.append(each))
    make(spec, using).fit(CORPUS)
    passes = 3 if "fields" in spec else 1  # statute title, heading and body, one after the other
    assert told == [(3, 7), (6, 7), (7, 7)] * passes


def test_nobody_needs_to_listen_and_the_end_is_told_once():
    assert list(method.with_progress("abcd", 4, None)) == list("abcd")
    told = []
    for texts in ("abcdef", ""):
        list(method.with_progress(texts, len(texts), lambda *each: told.append(each)))
    assert told == [(3, 6), (6, 6)]


def test_what_has_no_place_is_refused(tmp_path):
    bm25 = make({"method": "bm25"})
    bm25.fit(CORPUS)
    with pytest.raises(ValueError, match="an id of its own"):
        bm25.search([Query("q", "소방"), Query("q", "시설")], 1)
    bm25.save(tmp_path)
    with pytest.raises(FileExistsError):
        bm25.save(tmp_path)
