"""YAML read as values that know their lines; the places of what is wrong in it."""

from __future__ import annotations

import pytest

from corpus.files.yaml_fields import Fields, read_value
from tests.support.refusals import fault_of


def fields(text: str) -> Fields:
    content = read_value(text, "f.yaml").content
    assert isinstance(content, dict)
    return Fields("f.yaml", 1, content)


def test_every_value_stays_as_written_and_knows_its_line() -> None:
    read = fields("number: 00181\nnames:\n- 하나\n- '2'\nlabel: {en: A, ko: 가}\n")
    assert read.text("number") == "00181"
    assert read.texts("names") == [("하나", 3), ("2", 4)]
    assert (read.inside("label").text("ko"), read.inside("label").line) == ("가", 5)
    assert (read.texts("absent"), read.rows("absent")) == ([], [])


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a: 1\nb: *x\n", "yaml_broken", 2),
        ("a: 1\n\tb: 2\n", "yaml_broken", 2),
        ("a: 1\nb: 2\na: 3\n", "field_repeated", 3),
        ("a: " + "[" * 5_000 + "\n", "yaml_broken", 1),
        ("- " * 100_000 + "a", "yaml_broken", 1),
        ("a: 1\n---\nb: 2\n", "yaml_broken", 2),
        ("a: \ud800\n", "yaml_broken", 1),
    ],
)
def test_what_is_no_yaml_of_ours_is_refused_at_its_line(text: str, code: str, line: int) -> None:
    assert fault_of(read_value, text, "f.yaml")[:2] == (code, line)


@pytest.mark.parametrize(
    ("code", "line", "ask"),
    [
        ("field_not_mapping", 1, lambda read: read.inside("label")),
        ("field_missing", 1, lambda read: read.inside("absent")),
        ("field_not_texts", 1, lambda read: read.texts("label")),
        ("field_not_text", 3, lambda read: read.texts("names")),
        ("field_not_list", 1, lambda read: read.rows("label")),
        ("field_not_list", 4, lambda read: read.rows("others")),
    ],
)
def test_a_value_of_another_kind_is_refused_at_its_line(code, line, ask) -> None:
    read = fields("label: A\nnames:\n- [a]\nothers: [a]\n")
    assert fault_of(ask, read)[:2] == (code, line)
