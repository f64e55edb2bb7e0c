from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpus.importers.table import (
    ReadingRules,
    read_rules,
    read_table,
    suggested,
    table_columns,
    table_rows,
)
from errors import UserError
from tests.conftest import ROOT
from tests.support.refusals import code_of, fault_of
from tests.support.refusals import refusal as refusal_of

FIXTURE = ROOT / "tests" / "fixtures" / "table" / "ferry.csv"


def refusal(file: Path, rules: ReadingRules | None = None) -> UserError:
    error = refusal_of(read_table, file, rules)
    assert error.where.file == file.name
    return error


def written(tmp_path: Path, text: str, name: str = "t.csv") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_columns_are_known_by_their_usual_names() -> None:
    act, rule = read_table(FIXTURE).statutes
    assert [u.semantic_id for u in act.units] == ["나루터안전법_1조", "나루터안전법_2조"]
    assert act.units[1].heading == "구명조끼"
    assert act.units[1].path == ("제2장 안전", "제1절 배")
    assert act.units[1].text.endswith('② 구명조끼는 "붉은" 것으로 한다.')
    assert [part.path for part in act.units[1].parts] == ["1항", "2항"]
    assert (rule.semantic_id, rule.effective) == ("나루터안전법-시행규칙", date(2026, 2, 1))


def test_a_mapping_names_any_columns(tmp_path: Path) -> None:
    file = written(tmp_path, "a;b;c\n§ 5;Lamps are lit.;Lamp\n§ 6;Whistles blow.;Whistle\n")
    rules = ReadingRules({"place": "a", "text": "b", "heading": "c"}, title="Ferry Act")
    statute = read_table(file, rules).statutes[0]
    assert [(u.semantic_id, u.heading) for u in statute.units] == [
        ("Ferry-Act_5", "Lamp"),
        ("Ferry-Act_6", "Whistle"),
    ]
    assert table_columns(file) == ["a", "b", "c"]


def test_json_lines_are_a_table_too(tmp_path: Path) -> None:
    file = written(tmp_path, '{"law": "X Act", "no": 3, "body": "Text."}\n', "t.jsonl")
    rules = ReadingRules({"statute": "law", "place": "no", "text": "body"})
    assert read_table(file, rules).statutes[0].units[0].semantic_id == "X-Act_3"


def test_tabs_separate_where_the_name_or_the_header_says_so(tmp_path: Path) -> None:
    for name in ("t.tsv", "t.csv"):
        file = written(tmp_path, "law\tarticle\ttext\nX Act\tArticle 1\tText, here.\n", name)
        assert read_table(file).statutes[0].units[0].text == "Text, here."


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a,b\n1,2\n", "column_unmapped", None),
        ("text,b\n1,2\n", "column_unmapped", None),
        ("law,text\nX,y,z\n", "csv_row", 2),
        ("law,law\nX,y\n", "csv_header", 1),
        ('law,text\nX,"open\n', "csv_broken", 2),
        ('law,text\nX,"a"b\n', "csv_broken", 2),
        ("law,text\n,y\n", "field_missing", 2),
        ("law,text,date\nX,y,soon\n", "field_not_date", 2),
        ("law,text,article\nX,y,제1조\nX,z,제1조\n", "record_repeated", 3),
        ("law,text,level\nX,y,verse\n", "level_unknown", 2),
        (",".join(f"c{n}" for n in range(1001)), "csv_columns", 1),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    error = refusal(written(tmp_path, text))
    assert (error.code, error.where.line) == (code, line)


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    error = refusal(FIXTURE, ReadingRules({"text": "nowhere"}))
    assert (error.code, error.where.field) == ("column_missing", "nowhere")
    assert "조문번호" in error.remedy()


def test_rules_are_saved_and_read_back(tmp_path: Path) -> None:
    rules = ReadingRules({"text": "내용"}, "나루터법", "법률", "제{number}조({heading})")
    assert read_rules(written(tmp_path, rules.as_json(), "rules.json")) == rules


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("[]", "json_not_object", None),
        ('{"colour": "red"}', "mapping_key", "colour"),
        ('{"columns": ["text"]}', "mapping_columns", "columns"),
        ('{"columns": {"verse": "a"}}', "mapping_columns", "verse"),
        ('{"columns": {"text": 3}}', "mapping_columns", "text"),
        ('{"title": 3}', "field_not_text", "title"),
        ("{", "json_broken", None),
    ],
)
def test_a_broken_mapping_file_is_refused(
    tmp_path: Path, text: str, code: str, field: str | None
) -> None:
    found, _, place = fault_of(read_rules, written(tmp_path, text, "rules.json"))
    assert (found, place) == (code, field)


def test_suggestions_prefer_the_more_telling_name() -> None:
    assert suggested(["Title", "law_name", "TEXT"]) == {
        "statute": "law_name",
        "heading": "Title",
        "text": "TEXT",
    }


SEPARATED = "법령명;조문번호;내용\n가로등관리법;제1조;목적을 정한다.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize(
    ("first", "separator"),
    [
        ("sep=;", ";"),
        ("SEP=;", ";"),
        ('"sep=;"', ";"),
        ("sep=;;;", ";"),
        ("sep=,", ","),
        ("sep=|", "|"),
        ("sep=\t", "\t"),
        ("sep=\\t", "\t"),
        ("", ";"),
        ("", "\t"),
    ],
)
def test_excel_says_the_separator_on_the_first_line(
    tmp_path: Path, encoding: str, first: str, separator: str
) -> None:
    lines = (first and f"{first}\r\n") + SEPARATED.replace(";", separator).replace("\n", "\r\n")
    file = tmp_path / "law.csv"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    file.write_bytes((mark + lines).encode(encoding))
    (statute,) = read_table(file).statutes
    assert [(u.semantic_id, u.text) for u in statute.units] == [
        ("가로등관리법_1조", "목적을 정한다.")
    ]


def test_lines_are_counted_from_the_stated_separator(tmp_path: Path) -> None:
    error = refusal(written(tmp_path, "sep=;\nlaw;text\nX Act;a\nX Act\n"))
    assert (error.code, error.where.line) == ("csv_row", 4)


def test_half_a_utf_16_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_bytes("law,text".encode("utf-16")[:-1])
    assert refusal(file).code == "not_utf8"


def test_places_that_a_spreadsheet_changed_are_named_and_left_out(tmp_path: Path) -> None:
    places = ["제1조", "02월 03일", "2024-03-02", "3-Apr", "45352"]
    rows = "".join(f"가로등관리법,{place},본문\n" for place in places)
    reading = read_table(written(tmp_path, f"법령명,조문번호,내용\n{rows}"))
    assert [u.semantic_id for u in reading.statutes[0].units] == ["가로등관리법_1조"]
    left_out = [note for note in reading.notes if note.left_out]
    assert [(note.where.line, dict(note.params)["place"]) for note in left_out] == list(
        enumerate(places[1:], 3)
    )
    assert "no place of a statute" in left_out[0].render()


def test_an_id_says_the_place_that_a_spreadsheet_changed(tmp_path: Path) -> None:
    text = "id,place,text\n가로등관리법_2조의3,02월 03일,본문\n"
    reading = read_table(written(tmp_path, text))
    (unit,) = reading.statutes[0].units
    assert (unit.label, [note.left_out for note in reading.notes if note.left_out]) == (
        "제2조의3",
        [],
    )


def test_a_table_without_any_place_left_is_refused(tmp_path: Path) -> None:
    error = refusal(written(tmp_path, "law,place,text\nX Act,3-Apr,a\n"))
    assert (error.code, error.where.line) == ("spreadsheet_places", 2)


def test_a_csv_of_any_size_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "law.csv"
    path.write_bytes(b'\xef\xbb\xbfstatute,place,text\r\nLake Act,Article 1,"No\r\nswimming."\r\n')
    with path.open("r+b") as file:
        file.truncate(200 * 1024 * 1024)
    rows = table_rows(path)
    assert next(rows).fields["text"] == "No\nswimming."
    assert code_of(next, rows) == "line_too_long"
