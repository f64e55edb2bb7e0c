from __future__ import annotations

from corpus.files.archive_names import archive_stem, is_archive


def test_the_stem_of_an_archive_has_no_ending() -> None:
    names = ["law.zip", "law.tar.gz", "law.TGZ", "law.md", "a.b.tar"]
    assert [archive_stem(name) for name in names] == ["law", "law", "law", "law.md", "a.b"]


def test_an_archive_is_told_by_its_ending() -> None:
    names = ["law.zip", "LAW.TAR.XZ", "law.tbz2", "law.gz", "zip", "law.zip.md"]
    assert [is_archive(name) for name in names] == [True, True, True, False, False, False]
