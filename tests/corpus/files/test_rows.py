from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.files import rows
from corpus.files.rows import RowReader, read_rows
from errors import UserError

OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20)), min_size=1)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "rows.json"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(tmp_path: Path, text: str) -> UserError:
    with pytest.raises(UserError) as caught:
        list(read_rows(written(tmp_path, text)))
    assert caught.value.where.file == "rows.json"
    return caught.value


@given(objects=OBJECTS, indent=st.sampled_from([None, 0, 2]))
def test_a_list_and_lines_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory,
    objects: list[dict[str, str]],
    indent: int | None,
) -> None:
    folder = tmp_path_factory.mktemp("rows")
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
    error = refusal(tmp_path, text)
    assert (error.code, error.where.line) == (code, line)


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LINE_BYTES", 20)
    assert refusal(tmp_path, '{"a": 1}\n{"a": "' + "x" * 50).code == "line_too_long"


def test_fields_are_read_with_their_types() -> None:
    row = RowReader("f", 1, {"a": None, "b": " x  y ", "n": 7, "l": ["p", 2], "d": "2026-01-05"})
    assert (row.text("a", "b"), row.line_text("b"), row.text("n")) == ("x  y", "x y", "7")
    assert row.texts("l") == ("p", "2") and row.texts("none") == ()
    assert str(row.day("d")) == "2026-01-05" and row.day("none") is None


@pytest.mark.parametrize("value", [True, 1.5, {}, [], 10**30])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(UserError) as caught:
        RowReader("f", 3, {"a": value}).text("a")
    assert (caught.value.code, caught.value.where.field) == ("field_not_text", "a")
