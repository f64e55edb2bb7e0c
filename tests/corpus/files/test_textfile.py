from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.files.textfile import as_text, printable, read_text
from errors import UserError


def refusal(raw: bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        as_text(raw, "법률.md")
    assert caught.value.where.file == "법률.md"
    return caught.value


def test_byte_order_mark_and_line_ends_are_normalised() -> None:
    assert as_text(b"\xef\xbb\xbfa\r\nb\rc\n", "f") == "a\nb\nc\n"


def test_another_encoding_is_named_by_line_and_byte() -> None:
    error = refusal("첫 줄\n둘째 줄: ".encode() + "소방".encode("cp949"))
    assert (error.code, error.where.line) == ("not_utf8", 2)
    assert error.params["byte"] == len("둘째 줄: ".encode()) + 1
    assert "CP949" in error.remedy("ko")


def test_utf_16_is_refused_at_its_first_byte() -> None:
    error = refusal("제목".encode("utf-16"))
    assert (error.code, error.where.line, error.params["byte"]) == ("not_utf8", 1, 1)


def test_a_file_cut_inside_a_character_is_not_blamed_on_its_encoding() -> None:
    error = refusal("첫 줄\n둘째 줄".encode()[:-1])
    assert (error.code, error.where.line) == ("file_cut_short", 2)


def test_nul_is_named_by_line() -> None:
    error = refusal(b"a\nb\nc\0d\n")
    assert (error.code, error.where.line) == ("nul_character", 3)


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf", b" \r\n\t\n"])
def test_empty_file(raw: bytes) -> None:
    assert refusal(raw).code == "file_empty"


def test_decomposed_hangul_is_composed_and_nothing_else() -> None:
    title = unicodedata.normalize("NFD", "소방법 제1조")
    kept = "\uf914\u119e"  # a compatibility ideograph and the old vowel used as a middle dot
    assert as_text((title + kept).encode(), "f") == "소방법 제1조" + kept


def test_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"a" * 11)
    assert read_text(path, "a.md", limit=11) == "a" * 11
    with pytest.raises(UserError) as caught:
        read_text(path, "a.md", limit=10)
    assert caught.value.code == "file_too_large"


def test_absent_file_and_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as absent:
        read_text(tmp_path / "no.md", "no.md")
    with pytest.raises(UserError) as folder:
        read_text(tmp_path, "folder")
    assert (absent.value.code, folder.value.code) == ("path_missing", "not_a_file")


def test_stray_bytes_in_a_name_can_be_printed() -> None:
    assert printable("법\udcff.md") == "법\\xff.md"


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_a_user_error(raw: bytes) -> None:
    try:
        text = as_text(raw, "f")
    except UserError as error:
        assert error.where.file == "f"
    else:
        assert text.strip() and "\0" not in text and "\r" not in text
        text.encode("utf-8")
