""""""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from corpus.files.given_paths import archive_stem, as_given, is_archive, named_as_given
from errors import UserError, Where


def named(file: str, *paths: str) -> str | None:
    error = UserError("json_broken", Where(file, 3, "text"), column=1, reason="no")
    found = as_given(error, paths)
    assert (found.code, found.params) == (error.code, error.params)
    assert (found.where.line, found.where.field) == (3, "text")
    return found.where.file


def test_a_files_name_becomes_the_path_that_was_given(tmp_path: Path) -> None:
    folder = tmp_path / "kr"
    (folder / "가법").mkdir(parents=True)
    (folder / "가법/법률.md").touch()
    assert named("q.jsonl", "a/b/q.jsonl") == "a/b/q.jsonl"
    assert named("law.zip: 가법/법률.md", "/x/law.zip") == "/x/law.zip: 가법/법률.md"
    assert named("law/가법/법률.md", "/x/law.tar.gz") == "/x/law.tar.gz: 가법/법률.md"
    assert named("가법/법률.md", str(folder), "--use") == f"{folder}/가법/법률.md"


@pytest.mark.parametrize(
    ("file", "paths"),
    [
        ("q.jsonl", ()),
        ("q.jsonl", ("a/q.jsonl", "b/q.jsonl")),  # either
        ("a/q.jsonl", ("a/q.jsonl",)),
        ("q.jsonl", ("other", "", ".", "/", "\0")),
        ("/etc/passwd", ("/",)),
        ("x" * 5000, (".",)),
    ],
)
def test_what_no_path_or_more_than_one_may_hold_stays(file: str, paths: tuple[str, ...]) -> None:
    assert named(file, *paths) == file


def test_an_error_without_a_file_is_itself() -> None:
    error = UserError("workspace_missing", Where(field="x"))
    assert as_given(error, ["a/x"]) is error


def test_what_a_block_raises_names_its_file_by_the_path(tmp_path: Path) -> None:
    path = tmp_path / "law.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"")
    with pytest.raises(UserError) as caught, named_as_given(path):
        raise UserError("upload_nothing", Where("law.zip"), suffix=".md")
    assert caught.value.where.file == str(path)


def test_the_stem_of_an_archive_has_no_ending() -> None:
    names = ["law.zip", "law.tar.gz", "law.TGZ", "law.md", "a.b.tar"]
    assert [archive_stem(name) for name in names] == ["law", "law", "law", "law.md", "a.b"]


def test_an_archive_is_told_by_its_ending() -> None:
    names = ["law.zip", "LAW.TAR.XZ", "law.tbz2", "law.gz", "zip", "law.zip.md"]
    assert [is_archive(name) for name in names] == [True, True, True, False, False, False]
