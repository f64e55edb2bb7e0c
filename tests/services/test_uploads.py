from __future__ import annotations

import errno
import io
import unicodedata
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.importers.beir import read_beir_questions
from errors import UserError, Where
from services.archives import Limits, safe_path
from services.uploads import Upload, staged_file, staged_questions, staged_tree
from tests.conftest import ROOT


def zipped(files: dict[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    out.seek(0)
    return out


def tree(*uploads: Upload, limits: Limits | None = None) -> dict[str, bytes]:
    with staged_tree(uploads, limits) as staged:
        found = [path for path in staged.path.rglob("*") if path.is_file()]
        return {str(path.relative_to(staged.path)): path.read_bytes() for path in found}


def refused(*uploads: Upload, limits: Limits | None = None) -> str:
    with pytest.raises(UserError) as caught, staged_tree(uploads, limits):
        pass
    for language in ("en", "ko"):
        assert caught.value.render(language)
    return caught.value.code


def test_an_archive_keeps_its_folders_and_leaves_other_files_out():
    archive = zipped(
        {
            "kr/가법/법률.md": b"a",
            "kr/가법/시행령.md": b"b",
            "README.txt": b"c",
            "__MACOSX/x.md": b"d",
        }
    )
    with staged_tree([Upload("law.zip", archive)]) as staged:
        assert (staged.files, staged.ignored, staged.path.name) == (2, 2, "law")
        assert (staged.path / "kr/가법/법률.md").read_bytes() == b"a"
    assert not staged.path.exists()


def test_loose_files_of_the_same_name_are_all_kept():
    found = tree(Upload("법률.md", io.BytesIO(b"a")), Upload("법률.md", io.BytesIO(b"b")))
    assert sorted(found.values()) == [b"a", b"b"]


def test_decomposed_hangul_becomes_composed():
    archive = zipped({unicodedata.normalize("NFD", "가법/법률.md"): b"a"})
    assert list(tree(Upload("a.zip", archive))) == [unicodedata.normalize("NFC", "가법/법률.md")]


def test_names_that_leave_the_folder_are_refused():
    up, root = ("../out.md", "a/../../out.md", "..\\out.md", "../x.txt"), ("/etc/out.md",)
    for name in (*up, *root, "C:\\out.md", "a\tb.md"):
        archive = zipped({"ok.md": b"a", name: b"evil"})
        assert refused(Upload("a.zip", archive)) == "upload_name_unsafe"


@given(st.text(max_size=40))
def test_a_safe_path_never_leaves_its_folder(name: str):
    try:
        path = safe_path(name)
    except UserError:
        return
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert path.parts


def test_an_upload_at_its_limits_passes():
    archive = zipped({f"{n}.md": b"0" * 10 for n in range(3)})
    found = tree(Upload("a.zip", archive), limits=Limits(3, 10, 30))
    assert len(found) == 3


def test_a_name_too_long_for_a_file_system_is_refused():
    assert refused(Upload("a.zip", zipped({"가" * 100 + ".md": b""}))) == "upload_name_long"


@pytest.mark.parametrize("uploads", [(), (Upload("a.zip", zipped({"a.txt": b""})),)])
def test_an_upload_without_statutes_is_refused(uploads: tuple[Upload, ...]):
    assert refused(*uploads) == "upload_nothing"


def test_one_question_file_is_found_in_an_archive():
    archive = zipped({"set/qna.jsonl": b"{}", "set/readme.md": b""})
    with staged_questions(Upload("q.zip", archive)) as staged:
        assert (staged.path.name, staged.path.read_bytes()) == ("qna.jsonl", b"{}")


@pytest.mark.parametrize("inside", ["", "nfcorpus/"])
def test_a_beir_folder_in_an_archive_gives_its_queries_with_their_gold(inside: str):
    names = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
    files = {inside + name: (ROOT / "tests/fixtures/beir" / name).read_bytes() for name in names}
    with staged_questions(Upload("nfcorpus.zip", zipped(files))) as staged:
        questions = read_beir_questions(staged.path)
    assert len(questions) == 2
    assert any(question.gold_ids for question in questions)


def test_two_files_in_an_archive_are_refused_by_what_they_are():
    archive = zipped({"a.trec": b"1", "b.run": b"2"})
    wanted = staged_file(Upload("runs.zip", archive), ".trec", ".run")
    with pytest.raises(UserError) as caught, wanted:
        pass
    assert caught.value.code == "upload_not_one"
    assert "holds 2 .trec, .run files" in caught.value.render("en")


def test_an_importers_error_names_the_file_as_it_was_uploaded():
    with (
        pytest.raises(UserError) as caught,
        staged_tree([Upload("law.zip", zipped({"가법/법률.md": b""}))]) as staged,
    ):
        raise UserError("upload_not_a_zip", Where(file=str(staged.path / "가법/법률.md"), line=3))
    assert caught.value.where == Where("law/가법/법률.md", 3)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_whatever_byte_is_damaged_the_error_is_one_to_mend(method: int):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("a/b.md", b"text " * 40)
    whole = out.getvalue()
    for at in range(len(whole)):
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        try:
            tree(Upload("a.zip", io.BytesIO(bytes(broken))))
        except UserError as error:
            assert error.render("ko")


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("services.uploads._Writer._copy", full)
    assert refused(Upload("a.md", io.BytesIO(b"a"))) == "upload_not_kept"
    assert refused(Upload("a.zip", zipped({"a.md": b"a"}))) == "upload_not_kept"
