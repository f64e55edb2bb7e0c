from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.files import rows
from corpus.files.rows import RowReader, as_text, printable, read_rows, read_text
from errors import UserError, Where
from normalization import composed_value
from tests.support.refusals import code_of, fault_of
from tests.support.refusals import refusal as refusal_of


def refusal(raw: bytes) -> UserError:
    return refusal_of(as_text, raw, "법률.md")


def test_byte_order_mark_and_line_ends_are_normalised() -> None:
    assert as_text(b"\xef\xbb\xbfa\r\nb\rc\n", "f") == "a\nb\nc\n"


def test_another_encoding_is_named_by_line_and_byte() -> None:
    error = refusal("첫 줄\n둘째 줄: ".encode() + "소방".encode("cp949"))
    assert (error.code, error.where.line) == ("not_utf8", 2)
    assert error.params["byte"] == len("둘째 줄: ".encode()) + 1
    assert "CP949" in error.remedy("ko")


def test_utf_16_a_file_cut_inside_a_character_and_nul_are_named() -> None:
    error = refusal("제목".encode("utf-16"))
    assert (error.code, error.where.line, error.params["byte"]) == ("not_utf8", 1, 1)
    error = refusal("첫 줄\n둘째 줄".encode()[:-1])
    assert (error.code, error.where) == ("file_cut_short", Where("법률.md", 2))
    error = refusal(b"a\nb\nc\0d\n")
    assert (error.code, error.where.line) == ("nul_character", 3)


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf", b" \r\n\t\n"])
def test_empty_file(raw: bytes) -> None:
    assert refusal(raw).code == "file_empty"


def test_text_is_composed_and_nothing_else() -> None:
    title = unicodedata.normalize("NFD", "소방법 제1조\uf914")
    kept = "\u119eＡ㎡①"  # an old vowel used as a middle dot, and what only NFKC would change
    assert as_text((title + kept).encode(), "f") == "소방법 제1조\u6a02" + kept


def test_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"a" * 11)
    assert read_text(path, "a.md", limit=11) == "a" * 11
    assert code_of(read_text, path, "a.md", limit=10) == "file_too_large"


def test_absent_file_and_folder_are_refused(tmp_path: Path) -> None:
    assert code_of(read_text, tmp_path / "no.md", "no.md") == "path_missing"
    assert code_of(read_text, tmp_path, "folder") == "not_a_file"


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


OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20)), min_size=1)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "rows.json"
    file.write_text(text, encoding="utf-8")
    return file


def rows_refusal(tmp_path: Path, text: str) -> UserError:
    return refusal_of(lambda: list(read_rows(written(tmp_path, text))))


@given(objects=OBJECTS, indent=st.sampled_from([None, 0, 2]))
def test_a_list_and_lines_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory,
    objects: list[dict[str, str]],
    indent: int | None,
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    objects = [composed_value(each) for each in objects]
    lines = "".join(json.dumps(each) + "\n" for each in objects)
    assert [row.fields for row in read_rows(written(folder, lines))] == objects
    array = json.dumps(objects, indent=indent)
    assert [row.fields for row in read_rows(written(folder, array))] == objects


def test_rows_know_their_lines(tmp_path: Path) -> None:
    text = '[\n{"a": 1},\n\n{"a":\n2}]\n'
    assert [row.line for row in read_rows(written(tmp_path, text))] == [2, 4]
    assert [row.line for row in read_rows(written(tmp_path, '{"a":1}\n\n{"a":2}'))] == [1, 3]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "rows_empty", None),
        ("[]", "rows_empty", None),
        ('[{"a": 1}', "json_broken", 1),
        ('[{"a": 1},\n{"a": }]', "json_broken", 2),
        ('[{"a": 1}] x', "json_broken", 1),
        ('[{"a": 1} {"b": 2}]', "json_broken", 1),
        ("[1]", "json_not_object", 1),
        ('{"a": 1}\n[2]', "json_not_object", 2),
        ("[" * 100_000, "json_unreasonable", 1),
        ('{"a": ' + "9" * 5000 + "}", "json_unreasonable", 1),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    error = rows_refusal(tmp_path, text)
    assert (error.code, error.where.line) == (code, line)


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LINE_BYTES", 20)
    assert rows_refusal(tmp_path, '{"a": 1}\n{"a": "' + "x" * 50).code == "line_too_long"


def test_fields_are_read_with_their_types() -> None:
    row = RowReader("f", 1, {"a": None, "b": " x  y ", "n": 7, "l": ["p", 2], "d": "2026-01-05"})
    assert (row.text("a", "b"), row.line_text("b"), row.text("n")) == ("x  y", "x y", "7")
    assert row.texts("l") == ("p", "2") and row.texts("none") == ()
    assert str(row.day("d")) == "2026-01-05" and row.day("none") is None


@pytest.mark.parametrize("value", [True, 1.5, {}, [], 10**30])
def test_what_is_no_text_is_refused(value: object) -> None:
    assert fault_of(RowReader("f", 3, {"a": value}).text, "a") == ("field_not_text", 3, "a")


def test_a_file_of_any_size_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(b'{"a": 1}\n\n{"a": 2}\n')
    with path.open("r+b") as file:
        file.truncate(600 * 1024 * 1024)  # of which the rest is a hole
    read = read_rows(path)
    assert [next(read).line, next(read).line] == [1, 3]
    assert code_of(next, read) == "line_too_long"  # no more of it is held than a line may have
